// Package rules is the catalogue: all rules, and Check, which runs them over the facts of a file. The command line and the
// server both call Check, so that they never disagree.
package rules

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// Config is what the author chose: by pyproject.toml, editor settings or flags.
type Config struct {
	Chip     *jax.Chip // nil: what holds on every chip
	Select   []string  // rule names; empty: all that are on
	Ignore   []string
	Severity map[string]rule.Severity      // by rule name
	OnPanic  func(r *rule.Rule, value any) // told of each panic of a rule, from any goroutine; nil: ignored
	Workers  int                           // how many rules may run at the same time; 0 and 1: one after another
}

type key struct {
	rule *rule.Rule
	loc  parse.Loc
}

// Check runs the catalogue over facts and returns what holds, ordered by position. A finding holds when it was made in every world of its
// entry that reached its anchor. Suppression comments are not applied here (see Suppress).
func Check(facts *infer.Facts, cfg *Config) []*rule.Diagnostic { return new(Reuse).Check(facts, cfg) }

// Offers are the findings of rules that the author did not select, for the refactorings that they come with; those without any are left out.
func Offers(facts *infer.Facts, cfg *Config) []*rule.Diagnostic {
	only := *cfg
	only.Select = nil
	active := cfg.active(facts.Release)
	for _, r := range All() {
		if r.Offers && !slices.Contains(active, r) {
			only.Select = append(only.Select, r.Name)
		}
	}
	if only.Select == nil {
		return nil
	}
	return slices.DeleteFunc(Check(facts, &only), func(d *rule.Diagnostic) bool { return len(d.Fixes) == 0 })
}

func position(f *parse.File, d *rule.Diagnostic) int {
	start, _, ok := f.Range(d.Loc)
	if !ok {
		return -1
	}
	return start
}

// entryCheck runs rules over one entry.
type entryCheck struct {
	facts    *infer.Facts
	cfg      *Config
	entry    *infer.Entry
	words    words
	mu       sync.Mutex
	mentions map[string]bool // words whose presence in the file mattered, and whether they were there
}

// run returns what the rules find that holds.
func (c *entryCheck) run(active []rated) []*rule.Diagnostic {
	all := c.runAll(active)
	found := make([]map[key]*rule.Diagnostic, len(c.entry.Worlds))
	var order []*rule.Diagnostic
	for i := range c.entry.Worlds {
		found[i] = map[key]*rule.Diagnostic{}
		from := len(order)
		made := all[i*len(active) : (i+1)*len(active)]
		unbound := unboundSites(active, made)
		for j, r := range active {
			for _, d := range made[j] {
				k := key{r.Rule, d.Loc}
				if found[i][k] == nil && !restsOn(unbound, r.Rule, d) {
					d.Fixes = slices.DeleteFunc(d.Fixes, guesses)
					found[i][k] = d
					order = append(order, d)
				}
			}
		}
		dropFollowing(found[i])
		order = append(order[:from], slices.DeleteFunc(order[from:], func(d *rule.Diagnostic) bool { return found[i][key{d.Rule, d.Loc}] == nil })...)
	}
	var out []*rule.Diagnostic
	for _, d := range order {
		if !d.Loc.Guessed() && !d.Anchor.Guessed() && holds(c.entry, found, d) {
			d.Site = nil // it would keep all facts in memory
			out = append(out, d)
		}
	}
	return out
}

// runAll runs each rule over each world, and returns what they found in this order.
func (c *entryCheck) runAll(active []rated) [][]*rule.Diagnostic {
	found := make([][]*rule.Diagnostic, len(c.entry.Worlds)*len(active))
	worlds := make([]*infer.World, len(c.entry.Worlds))
	index := make([]*callIndex, len(c.entry.Worlds))
	for i, w := range c.entry.Worlds {
		worlds[i] = w.Sure()
		index[i] = indexCalls(worlds[i])
	}
	var taken atomic.Int64
	work := func() {
		h := c.helper()
		for i := int(taken.Add(1)) - 1; i < len(found); i = int(taken.Add(1)) - 1 {
			world := i / len(active)
			found[i] = h.run(active[i%len(active)], worlds[world], index[world])
		}
	}
	var done sync.WaitGroup
	for range c.helpers() {
		done.Go(work)
	}
	work()
	done.Wait()
	return found
}

// helpers are the goroutines that are worth starting beside this one: most entries have no more than a few calls.
func (c *entryCheck) helpers() int {
	n := 0
	for _, w := range c.entry.Worlds {
		n += w.Size()
	}
	if n < 500 {
		return 0
	}
	return max(0, c.cfg.Workers-1)
}

// guesses reports whether a fix edits a statement with a syntax error: what stands there is not known well enough to be written anew.
func guesses(f *rule.Fix) bool {
	return f != nil && slices.ContainsFunc(f.Edits, func(e rule.Edit) bool { return e.Loc.Valid() && e.Loc.Chunk.Broken })
}

// dropFollowing leaves out what may come of another error of the same run. What JAX says while it traces does not come of what it would
// say only afterwards.
func dropFollowing(found map[key]*rule.Diagnostic) {
	tracing, later := false, false
	for k, d := range found {
		if d.Severity != rule.Error || k.rule.Follows {
			continue
		}
		if traces(k.rule) {
			tracing = true
		} else {
			later = true
		}
	}
	if !tracing && !later {
		return
	}
	for k, d := range found {
		if k.rule.Follows && (tracing || d.Severity != rule.Error || !traces(k.rule)) {
			delete(found, k)
		}
	}
}

// unboundSites are those whose kernel's parameters are not what they give it.
func unboundSites(active []rated, made [][]*rule.Diagnostic) map[*infer.Site]bool {
	var out map[*infer.Site]bool
	for j, r := range active {
		if !r.Unbinds {
			continue
		}
		for _, d := range made[j] {
			if d.Severity != rule.Error || d.Site == nil {
				continue
			}
			if out == nil {
				out = map[*infer.Site]bool{}
			}
			out[d.Site] = true
		}
	}
	return out
}

// restsOn reports whether a finding is about such a site, or one in its kernel, and so rests on a guess of what the parameters are.
func restsOn(unbound map[*infer.Site]bool, r *rule.Rule, d *rule.Diagnostic) bool {
	if len(unbound) == 0 || d.Site == nil || d.Severity > rule.Warning {
		return false
	}
	return !r.Unbinds && unbound[d.Site] || insideOf(d.Site, unbound)
}

// insideOf: the site stands in the kernel of one of others.
func insideOf(s *infer.Site, others map[*infer.Site]bool) bool {
	for k := s.Outer; k != nil; k = k.Outer {
		if others[k.Site] {
			return true
		}
	}
	return false
}

// traces: JAX says it while it traces a kernel.
func traces(r *rule.Rule) bool { return strings.Contains(Meta(r).Raises, " at tracing") }

// holds: every world that reached the anchor made the finding too.
func holds(entry *infer.Entry, found []map[key]*rule.Diagnostic, d *rule.Diagnostic) bool {
	anchor := d.Anchor
	if !anchor.Valid() {
		anchor = d.Loc
	}
	for i, w := range entry.Worlds {
		if w.Reached(anchor) && found[i][key{d.Rule, d.Loc}] == nil {
			return false
		}
	}
	return true
}

// helper runs one rule after another, all with one Pass: there are as many runs as rules, worlds and functions.
type helper struct {
	pass rule.Pass
	cfg  *Config
	made []*rule.Diagnostic // by the rule that runs
	site *infer.Site        // that it looks at
}

func (c *entryCheck) helper() *helper {
	h := &helper{cfg: c.cfg, pass: rule.Pass{File: c.facts.File, Release: c.facts.Release, Chip: c.cfg.Chip, Facts: c.facts, Has: c.has}}
	h.pass.Emit = func(d *rule.Diagnostic) {
		d.Site = h.site
		h.made = append(h.made, d)
	}
	return h
}

func (h *helper) run(r rated, w *infer.World, index *callIndex) (out []*rule.Diagnostic) {
	p := &h.pass
	p.Rule, p.Severity, p.World = r.Rule, r.severity, w
	h.made, h.site = nil, nil
	defer func() {
		if v := recover(); v != nil {
			out = nil
			if h.cfg.OnPanic != nil {
				h.cfg.OnPanic(r.Rule, v)
			}
		}
	}()
	if r.World != nil {
		r.World(p, w)
	}
	if r.Site != nil {
		for _, s := range w.Sites {
			h.site = s
			r.Site(p, s)
		}
	}
	if r.Kernel != nil {
		for _, k := range w.Kernels {
			h.site = k.Site
			r.Kernel(p, k)
		}
	}
	if len(r.Call) > 0 {
		index.each(r.Call, p, func(s *infer.Site) { h.site = s })
	}
	return h.made
}

// has reports whether the file has a word, and notes that it was asked.
func (c *entryCheck) has(word string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	there := c.words.has(c.facts.File.Src, word)
	c.mentions[word] = there
	return there
}

// words are those that were looked for in a version of a file, each once for all of its entries.
type words map[string]bool

func (w words) has(text []byte, word string) bool {
	there, known := w[word]
	if !known {
		there = bytes.Contains(text, []byte(word))
		w[word] = there
	}
	return there
}

// callIndex are the calls of a run, with those of each API together.
type callIndex struct {
	all   []*infer.Call
	sites []*infer.Site // in whose kernel each is; nil: outside
	byAPI map[string][]int
}

// indexCalls indexes the calls of a run: those of each kernel, then those outside.
func indexCalls(w *infer.World) *callIndex {
	x := &callIndex{byAPI: map[string][]int{}}
	for _, k := range w.Kernels {
		x.all = append(x.all, k.Calls...)
		for range k.Calls {
			x.sites = append(x.sites, k.Site)
		}
	}
	x.all = append(x.all, w.Calls...)
	x.sites = append(x.sites, make([]*infer.Site, len(w.Calls))...)
	for i, call := range x.all {
		x.byAPI[call.API] = append(x.byAPI[call.API], i)
	}
	return x
}

// each runs the functions of a rule over the calls they are for, in order; at is told of the site of each before.
func (x *callIndex) each(funcs map[string]func(*rule.Pass, *infer.Call), p *rule.Pass, at func(*infer.Site)) {
	if all := funcs["*"]; all != nil {
		for i, call := range x.all {
			at(x.sites[i])
			if f := funcs[call.API]; f != nil {
				f(p, call)
			}
			all(p, call)
		}
		return
	}
	var due []int
	for api := range funcs {
		due = append(due, x.byAPI[api]...)
	}
	slices.Sort(due)
	for _, i := range due {
		at(x.sites[i])
		funcs[x.all[i].API](p, x.all[i])
	}
}

func (c *Config) severity(r *rule.Rule) rule.Severity {
	if s, ok := c.Severity[r.Name]; ok {
		return s
	}
	return Meta(r).Severity
}

// rated is a rule with the severity that it has in a check.
type rated struct {
	*rule.Rule
	severity rule.Severity
}

func (c *Config) rate(list []*rule.Rule) []rated {
	out := make([]rated, len(list))
	for i, r := range list {
		out[i] = rated{r, c.severity(r)}
	}
	return out
}

// active is the rules to run: those that are on, and hold in the release.
func (c *Config) active(release *jax.Release) []*rule.Rule {
	var out []*rule.Rule
	for _, r := range All() {
		_, asked := c.Severity[r.Name]
		on := !r.Off || asked
		if release != nil && !Meta(r).Releases.Has(release.Version) {
			continue
		}
		if len(c.Select) > 0 {
			on = matches(r, c.Select)
		}
		if on && !matches(r, c.Ignore) {
			out = append(out, r)
		}
	}
	return out
}

func matches(r *rule.Rule, names []string) bool {
	for _, n := range names {
		if n == r.Name || slices.Contains(r.Old, n) {
			return true
		}
	}
	return false
}
