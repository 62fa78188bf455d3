package infer

import (
	"sync"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// The bounds of all the functions of a file, in steps.
const (
	maxFile   = 1_200_000 // of all entries; those that come later are left out
	entryCost = 400       // what an entry costs beside the nodes that it evaluates: the rules that look at it
)

// Reuse analyses one version of a file after another and keeps what an edit does not touch: an entry is run again only when something
// that its run has read is no longer the same. The module body always runs. It is safe for concurrent use; the zero value is ready.
type Reuse struct {
	mu    sync.Mutex
	last  *interp // of the last version: the values that kept entries have read
	kept  map[parse.Node]*kept
	words *words
}

// ofSyntax keeps what was worked out of parts of the syntax tree, in this version of the file and in the one before.
type ofSyntax[K comparable, V any] struct{ now, before map[K]V }

func (o *ofSyntax[K, V]) at(key K) (v V, known bool) {
	if v, known = o.now[key]; known {
		return v, true
	}
	if v, known = o.before[key]; known {
		o.now[key] = v
	}
	return v, known
}

// kept is an entry with all that its run rests on.
type kept struct {
	entry *Entry
	fn    *Func
	log   *readLog
}

// readLog is what the runs of one entry have read of the world around them.
type readLog struct {
	names  map[moduleName]bool
	files  map[imported]*parse.File
	called map[parse.Node]bool // functions that ran
	asked  map[parse.Node]bool // functions of which it mattered whether an earlier entry had run them
}

type moduleName struct{ path, name string }

type imported struct {
	path, name string
	level      int
	member     string // that an installed package was asked for; empty: the module itself
}

// find asks for what was asked for.
func (i imported) find(files Resolver) *parse.File {
	if i.member == "" {
		return files.Resolve(i.path, i.name, i.level)
	}
	f, _ := files.Origin(i.path, i.name, i.level, i.member)
	return f
}

func newReadLog() *readLog {
	return &readLog{names: map[moduleName]bool{}, files: map[imported]*parse.File{}, called: map[parse.Node]bool{}, asked: map[parse.Node]bool{}}
}

// Analyze is Analyze for the next version of a file.
func (r *Reuse) Analyze(f *parse.File, opts Options) *Facts {
	r.mu.Lock()
	defer r.mu.Unlock()
	ip := newInterp(f, opts)
	if r.last != nil && !ip.comparable(r.last) {
		r.last, r.kept = nil, nil
	}
	r.words = r.words.next(f)
	ip.words = r.words
	if r.last != nil {
		ip.mentions.before, ip.bodies.before = r.last.mentions.now, r.last.bodies.now
	}
	facts := &Facts{File: f, Release: ip.rel}
	facts.Entries = append(facts.Entries, ip.entry("<module>", nil, runMain))
	ip.unsureX64()
	if r.last != nil && r.last.x64Start() != ip.x64Start() {
		r.kept = nil
	}
	same := &comparison{old: r.last, now: ip, names: map[moduleName]bool{}}
	pertinent := ip.pertinence()
	next := map[parse.Node]*kept{}
	spent := 0
	for _, fn := range ip.roots() {
		if ip.called[fn.node()] || !pertinent.of(fn.Chunk) {
			continue
		}
		if spent >= maxFile {
			facts.LeftOut++
			continue
		}
		k := r.kept[fn.node()]
		if k == nil || !same.holds(k, fn) {
			k = &kept{fn: fn}
			k.entry = ip.functionEntry(fn)
			k.log = ip.log
		}
		for node := range k.log.called {
			ip.called[node] = true
		}
		next[fn.node()] = k
		facts.Entries = append(facts.Entries, k.entry)
		spent += k.entry.cost()
	}
	ip.mentions.before, ip.bodies.before, ip.twins = nil, nil, nil
	r.last, r.kept = ip, next
	return facts
}

// comparable: the two were told the same about the surroundings.
func (ip *interp) comparable(old *interp) bool {
	return ip.rel == old.rel && ip.opts.Chip == old.opts.Chip && ip.defaultCore == old.defaultCore && ip.main.file.Path == old.main.file.Path &&
		(ip.opts.Files == nil) == (old.opts.Files == nil)
}

// comparison finds out what is the same in two versions of a file and of the files that it imports.
type comparison struct {
	old, now *interp
	names    map[moduleName]bool // compared before
	equal    likeness
}

// holds: a run of the function in the new version would find the same.
func (c *comparison) holds(k *kept, fn *Func) bool {
	for imp, f := range k.log.files {
		if now := imp.find(c.now.opts.Files); now != f && !(c.isMain(now) && c.isMain(f)) {
			return false
		}
	}
	for node := range k.log.asked {
		if c.now.called[node] != k.log.asked[node] {
			return false
		}
	}
	if !c.equal.values(k.fn, fn) {
		return false
	}
	for name := range k.log.names {
		if !c.sameName(name) {
			return false
		}
	}
	return true
}

// isMain: a package may import the very file that is being edited; what it binds is compared by name.
func (c *comparison) isMain(f *parse.File) bool { return f != nil && f.Path == c.now.main.file.Path }

// sameName: a name of a module means the same in both versions.
func (c *comparison) sameName(n moduleName) bool {
	if same, done := c.names[n]; done {
		return same
	}
	c.names[n] = false // until it is known
	old, now := c.old.mods[n.path], c.now.mods[n.path]
	if now == nil && old != nil { // so far only entries have imported it
		now = c.now.loadModule(old.file, old.name)
		c.now.runModule(now)
	}
	if old == nil || now == nil || old.file != now.file && n.path != c.now.main.file.Path {
		return false
	}
	same := c.equal.values(old.env.at(n.name), now.env.at(n.name)) && c.equal.lists(old.stars, now.stars)
	c.names[n] = same
	return same
}

func (e *env) at(name string) Value {
	if c := e.vars[name]; c != nil {
		return c.v
	}
	return nil
}

// importFile finds a file of the workspace, and notes that it was asked for.
func (ip *interp) importFile(path, name string, level int) *parse.File {
	if ip.opts.Files == nil {
		return nil
	}
	f := ip.opts.Files.Resolve(path, name, level)
	ip.log.files[imported{path, name, level, ""}] = f
	return f
}

// calledBefore reports whether a function has run in this world or in an earlier entry.
func (ip *interp) calledBefore(node parse.Node) bool {
	if ip.calledHere[node] {
		return true
	}
	ip.log.asked[node] = ip.called[node]
	return ip.called[node]
}

func newInterp(f *parse.File, opts Options) *interp {
	if opts.Release == nil {
		opts.Release = jax.Newest()
	}
	ip := &interp{opts: opts, rel: opts.Release, mods: map[string]*module{}, active: map[*parse.FuncDef][]Args{}, called: map[parse.Node]bool{}, calledHere: map[parse.Node]bool{}, subcores: 16,
		members: map[member]found{}, x64: new(Cell)}
	ip.mentions.now, ip.bodies.now = map[parse.Stmt][]string{}, map[*parse.FuncDef]*bodyReads{}
	ip.defaultCore = backendOfImports(f)
	ip.log = newReadLog()
	ip.main = ip.loadModule(f, "__main__")
	return ip
}
