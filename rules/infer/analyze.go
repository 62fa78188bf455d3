package infer

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// Options say what the interpretation may use beside the file itself.
type Options struct {
	Release *jax.Release // nil: the newest known
	Files   Resolver     // nil: nothing can be imported
	Chip    *jax.Chip    // nil: not configured
	OnPanic func(any)    // told of a fault of our own, from any goroutine; the entry that met it is left out. nil: ignored
	Workers int          // how many worlds may run at the same time; 0 and 1: one after another
}

// Resolver finds files of the workspace, and of the packages of its environment, by module name.
type Resolver interface {
	// Resolve returns the file that `from .name import x` (level dots) or `import name` in the file at path names; nil when it
	// is not in the workspace. Packages resolve to their __init__.py.
	Resolve(path, name string, level int) *parse.File
	// Origin returns the file, and the name in it, that an installed package, which Resolve does not return, hands on as `name`; nil when
	// that is not known.
	Origin(path, module string, level int, name string) (*parse.File, string)
}

// Analyze interprets a file: its module body, then every function that nothing has called by then. It never fails; what it can't
// follow is unknown.
func Analyze(f *parse.File, opts Options) *Facts { return new(Reuse).Analyze(f, opts) }

// backendOfImports: a pallas_call that does not say is lowered for the TPU where the file imports Pallas's TPU modules and no GPU ones.
func backendOfImports(f *parse.File) jax.Core {
	tpuSeen, gpuSeen := false, false
	for _, b := range f.Imports() {
		name := b.Target
		switch {
		case strings.Contains(name, "pallas.tpu"), strings.Contains(name, "pallas.mosaic") && !strings.Contains(name, "mosaic_gpu"):
			tpuSeen = true
		case strings.Contains(name, "pallas.mosaic_gpu"), strings.Contains(name, "pallas.triton"), strings.Contains(name, "pallas.gpu"):
			gpuSeen = true
		}
	}
	if tpuSeen && !gpuSeen {
		return jax.TensorCore
	}
	return jax.CoreUnknown
}

func (f *Func) node() parse.Node {
	if f.Def != nil {
		return f.Def
	}
	return f.Lambda
}

// entry runs a starting point, and runs it again both ways for conditions that it could not decide and that mattered.
func (ip *interp) entry(name string, f *Func, r run) *Entry {
	e := &Entry{Name: name}
	ip.log, ip.readNames = newReadLog(), nil
	defer func() { maps.Copy(ip.called, ip.log.called) }()
	first := ip.runWorld(nil, f, r)
	forks := ip.forks(maxEntry/max(first.steps, 1) - 2)
	if len(forks) == 0 || len(first.Sites) == 0 || name == "<module>" || first.steps >= maxSteps { // what is too much once is so every time
		e.Worlds = []*World{first}
		return e
	}
	e.Worlds = ip.runWorlds(ip.combinations(forks), f, r)
	if len(e.Worlds) == 0 {
		e.Worlds = []*World{first}
	}
	return e
}

// combinations are assumptions under which every two of the conditions take all four of their values together: all false, then each time all
// but one true. Conditions that say of one value that it equals different constants are true one at a time.
func (ip *interp) combinations(keys []string) []map[string]bool {
	row := func(value func(i int) bool) map[string]bool {
		m := map[string]bool{}
		for i, k := range keys {
			m[k] = value(i)
		}
		return m
	}
	rows := []map[string]bool{row(func(int) bool { return true }), row(func(int) bool { return false })}
	if len(keys) > 1 {
		rows = rows[1:]
		for but := range keys {
			rows = append(rows, row(func(i int) bool { return i != but }))
		}
	}
	if len(keys) == 2 {
		rows = append(rows, row(func(int) bool { return true }))
	}
	var out []map[string]bool
	for _, r := range rows {
		out = append(out, ip.consistent(r)...)
	}
	return out
}

// consistent splits assumptions by which one value equals several constants into one for each constant.
func (ip *interp) consistent(assumed map[string]bool) []map[string]bool {
	groups := map[string][]string{}
	for k, v := range assumed {
		if eq := ip.equalities[k]; v && eq != nil {
			groups[eq.key] = append(groups[eq.key], k)
		}
	}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		sort.Strings(group)
		var out []map[string]bool
		for _, keep := range group {
			m := maps.Clone(assumed)
			for _, k := range group {
				m[k] = k == keep
			}
			out = append(out, ip.consistent(m)...)
		}
		return out
	}
	return []map[string]bool{assumed}
}

// forks are the conditions worth trying both ways, no more than so many: those that a kernel and the code around it both ask for, and those whose join lost
// something that a call site may need.
func (ip *interp) forks(most int) []string {
	var ts []*test
	for _, t := range ip.tests {
		if t.host && (t.kernel || t.lossy || len(t.locs) > 1) {
			ts = append(ts, t)
		}
	}
	sort.Slice(ts, func(i, j int) bool {
		if a, b := ts[i].weight(), ts[j].weight(); a != b {
			return a > b
		}
		if len(ts[i].locs) != len(ts[j].locs) {
			return len(ts[i].locs) > len(ts[j].locs)
		}
		return ts[i].key < ts[j].key
	})
	var out []string
	for _, t := range ts[:max(0, min(len(ts), maxForks, most))] {
		out = append(out, t.key)
	}
	return out
}

func (t *test) weight() (w int) {
	if t.lossy {
		w += 2
	}
	if t.kernel {
		w++
	}
	return w
}

func newWorld() *World {
	return &World{reached: map[parse.Loc]bool{}, named: map[parse.Loc]*NameUse{}, callers: map[parse.Node]map[parse.Loc]bool{}, escaped: map[parse.Node]bool{}}
}

// runWorld runs an entry under assumptions. What it changed in the module's state is taken back, except by the module body itself.
func (ip *interp) runWorld(assumed map[string]bool, f *Func, r run) *World {
	w := newWorld()
	ip.world = w
	ip.importing = 0
	ip.steps, ip.depth, ip.atoms, ip.unrolling, ip.guarded, ip.seq = 0, 0, 0, 0, 0, 0
	ip.kernel, ip.path, ip.pending, ip.sites, ip.body, ip.transforms, ip.interpret = nil, nil, nil, nil, nil, nil, 0
	ip.asOf = nil
	ip.decide, ip.equals, ip.calledHere = map[string]bool{}, map[string]Value{}, map[parse.Node]bool{}
	ip.equalities = map[string]*equality{}
	if ip.learned != nil {
		ip.equalities = maps.Clone(ip.learned)
	}
	for k, v := range assumed {
		ip.decide[k] = v
		if eq := ip.equalities[k]; eq != nil && v {
			ip.equals[eq.key] = eq.value
		}
		w.Assumed = append(w.Assumed, assumption(k, v))
	}
	sort.Strings(w.Assumed)
	ip.tests, ip.ranks = map[string]*test{}, map[string]int{}
	fr := &frame{env: ip.main.env, mark: len(ip.journal)}
	mark := len(ip.journal)
	ip.guard(w, func() {
		r(ip, fr, f)
		ip.settle(fr)
	})
	w.steps = ip.steps
	if ip.main.state == 2 && !ip.moduleRun {
		ip.moduleRun = true
		ip.journal = ip.journal[:0]
		return w
	}
	ip.collect(mark)
	return w
}

// guard keeps a fault of our own from ending more than the world that met it, whose facts are dropped.
func (ip *interp) guard(w *World, f func()) {
	defer func() {
		if v := recover(); v != nil {
			*w = *newWorld()
			if ip.opts.OnPanic != nil {
				ip.opts.OnPanic(v)
			}
		}
	}()
	f()
}

func assumption(k string, v bool) string {
	if v {
		return k
	}
	return "not " + k
}

// settle runs what was made and not run: sites that were never called, then nested functions that were kept or given away, which may make
// more of both.
func (ip *interp) settle(fr *frame) {
	site, fn := 0, 0
	for ip.step() {
		switch {
		case site < len(ip.sites):
			f := ip.sites[site].what
			ip.asOf = &ip.sites[site].made
			site++
			if f.calls == 0 {
				ip.kernel, ip.path = nil, nil
				ip.runUncalled(fr, f)
			}
		case fn < len(ip.pending):
			f := ip.pending[fn].what
			ip.asOf = &ip.pending[fn].made
			fn++
			if !ip.calledBefore(f.node()) && f.env != f.env.mod.env && !f.env.class {
				ip.kernel, ip.path = nil, nil
				ip.callFunc(f, ip.unknownArgs(f, f.Name+"."), nil)
			}
		default:
			return
		}
	}
}

// runUncalled runs a site whose operands are not known.
func (ip *interp) runUncalled(fr *frame, f *PallasFn) {
	f.calls++
	hide(f.Site.Outer)
	if len(f.parts) > 0 {
		for _, p := range f.parts {
			ip.runSite(fr, p)
		}
		return
	}
	if f.Site.API == "emit_pipeline" {
		f.Site.Outer = nil
		ip.runPipeline(fr, f.Site, nil)
		return
	}
	ip.runSite(fr, f.Site)
}

// unknownArgs are arguments of which only the identity is known.
func (ip *interp) unknownArgs(f *Func, prefix string) Args {
	var out Args
	for i, p := range f.Params {
		switch p.Kind {
		case parse.PositionalOnly, parse.Positional:
			v := opaque(prefix + p.Name)
			if i == 0 && f.Class != nil && p.Name == "self" {
				v = &Instance{Class: f.Class, fields: map[string]*Cell{}, Open: true, Key: prefix + "self"}
			}
			if i == 0 && f.Class != nil && p.Name == "cls" {
				v = f.Class
			}
			out = append(out, Arg{Value: v})
		case parse.VarArgs:
			out = append(out, Arg{Star: 1, Value: Unknown})
		case parse.KeywordOnly:
			out = append(out, Arg{Name: p.Name, Value: opaque(prefix + p.Name)})
		case parse.VarKwargs:
			out = append(out, Arg{Star: 2, Value: Unknown})
		}
	}
	return out
}

func (ip *interp) functionEntry(f *Func) *Entry {
	return ip.entry(f.Name, f, func(ip *interp, fr *frame, f *Func) {
		v := ip.callFunc(f, ip.unknownArgs(f, ""), nil)
		ip.applyReturned(fr, v)
	})
}

// applyReturned: a function that returns a callable beside example arguments for it (`return f, (x, y)`) says how it will be called.
func (ip *interp) applyReturned(fr *frame, v Value) {
	t, ok := v.(*Tuple)
	if !ok || t.Rest != nil || len(t.Head) < 2 {
		return
	}
	switch t.Head[0].(type) {
	case *Func, *PallasFn, *Wrapped, *Partial, *scopedFn:
	default:
		return
	}
	args, ok := ip.iterate(t.Head[1]).(*Tuple)
	if !ok || args.Rest != nil || len(t.Head) != 2 {
		return
	}
	var call Args
	for _, a := range elems(args) {
		if !exampleArg(a) {
			return
		}
		call = append(call, Arg{Value: a})
	}
	ip.call(fr, t.Head[0], asArrays(ip, call), &callSite{})
}

// exampleArg: an array, a type of one, or a tree of them.
func exampleArg(v Value) bool {
	switch v := v.(type) {
	case *ShapeStruct, *Array:
		return true
	case *Tuple:
		for _, e := range elems(v) {
			if !exampleArg(e) {
				return false
			}
		}
		return v.Rest == nil
	case *Int, Float:
		return true
	case *List:
		return exampleArg(v.cell.v)
	case *Dict:
		_, vals, open := v.Items()
		return !open && exampleArg(&Tuple{Head: vals})
	case *Instance:
		return isHiValue(v) || exampleRecord(v)
	}
	return false
}

// exampleRecord: a dataclass whose fields, but the static ones, are examples.
func exampleRecord(v *Instance) bool {
	if v.Class == nil || !v.Class.Dataclass || v.Open {
		return false
	}
	for _, f := range v.Class.Fields {
		if c := v.fields[f.Name]; !f.Static && (c == nil || !exampleArg(c.v)) {
			return false
		}
	}
	return len(v.Class.Fields) > 0
}

// replaced: one of the functions that were defined later took the name in the module, so that nobody calls this one any more. `_` is no name.
func (f *Func) replaced(later []*Func) bool {
	return f.env == f.env.mod.env && f.Name != "_" && slices.ContainsFunc(later, func(l *Func) bool { return l.env == f.env && l.Name == f.Name })
}

// roots are the functions and methods of the module, those that nothing in the file mentions first, then from the last to the first.
func (ip *interp) roots() []*Func {
	var all []*Func
	add := func(v Value) {
		if f := kernelFunc(v); f != nil && f.Def != nil && ip.main.file == f.env.mod.file {
			all = append(all, f)
		}
	}
	for i, f := range ip.hidden {
		if !f.replaced(ip.hidden[i+1:]) {
			add(f)
		}
	}
	for _, c := range ip.main.env.vars {
		switch v := c.v.(type) {
		case *Class:
			if v.attrs.mod == ip.main {
				for _, m := range v.attrs.vars {
					add(m.v)
				}
			}
		default:
			add(v)
		}
	}
	type place struct {
		fn        *Func
		mentioned bool
		at        int // in the file, in bytes
	}
	places := make([]place, len(all))
	for i, f := range all {
		base, _ := ip.main.file.Base(f.Chunk)
		places[i] = place{f, ip.words.count[f.Name] > 0, base + int(f.Def.Span().Start)}
	}
	sort.Slice(places, func(i, j int) bool {
		a, b := &places[i], &places[j]
		if a.mentioned != b.mentioned {
			return !a.mentioned
		}
		return a.at > b.at
	})
	for i := range places {
		all[i] = places[i].fn
	}
	return all
}
