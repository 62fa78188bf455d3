// Package inspect shows what was inferred of a file: its kernels, their refs and what they do, as data for machines and as
// text for people. It judges nothing.
package inspect

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/workspace"
)

// File is what `inspect --json` prints of one file.
type File struct {
	Path    string    `json:"path"`
	Kernels []*Kernel `json:"kernels"`
}

// Kernel is a kernel function at one site. Lines and columns count from 1, columns in characters.
type Kernel struct {
	Name   string   `json:"name"`
	Path   string   `json:"path,omitempty"` // of the file that defines it, where that is another one
	Line   int      `json:"line"`
	Column int      `json:"column"`
	Core   jax.Core `json:"core"`
	Site   Site     `json:"site"`
	Grid   []*int64 `json:"grid"` // nil: none, or not known
	Refs   []*Ref   `json:"refs"`
	Events []*Event `json:"events"`
	Usage  []*Usage `json:"usage,omitempty"` // of the memories of its core

	Semaphores map[jax.DType]int64 `json:"semaphores,omitempty"` // how many it asks for, by type; a lower bound

	Loc parse.Loc   `json:"-"` // of the function's name
	Fn  *infer.Func `json:"-"` // nil: not in the workspace
	Ran *infer.Site `json:"-"` // the site of the first run that counts

	runs   []*infer.Site // of every run that counts
	refs   map[refKey]*Ref
	events map[eventKey]*Event

	measured    bool
	interpreted bool // every run so far was in interpret mode
}

// Site is the call that runs the kernel.
type Site struct {
	API  string `json:"api"`
	Path string `json:"path,omitempty"` // where that is another file, such as a wrapper's
	Line int    `json:"line"`
}

// Memory is where and what a ref is. A space that is one of several is in Spaces, with Space nil.
type Memory struct {
	Space  *jax.Space  `json:"space"`
	Spaces []jax.Space `json:"spaces,omitempty"`
	Shape  *[]*int64   `json:"shape"` // nil: unknown rank; a nil element: unknown size
	DType  *jax.DType  `json:"dtype"`

	Set   jax.Spaces `json:"-"` // empty: not known
	named []string   // for people: what the code calls the sizes that are not known; nil, or one for each dimension
}

// Ref is a parameter of the kernel, or a ref made or captured in its body.
type Ref struct {
	Name string     `json:"name"`
	Role infer.Role `json:"role"`
	Memory
	Path    string  `json:"path,omitempty"`
	Line    int     `json:"line"`
	Because *Reason `json:"because"`

	Alloc *infer.Alloc `json:"-"` // of the first run that met it
}

// Reason is where the memory of a ref was decided.
type Reason struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"reason"`
}

// Event is something that the kernel does.
type Event struct {
	Op     infer.Op `json:"op"`
	Path   string   `json:"path,omitempty"`
	Line   int      `json:"line"`
	Column int      `json:"column"`
	Refs   []*Named `json:"refs"` // DMA: source, destination, destination semaphore, source semaphore; nil: absent or not known

	IndexMap bool `json:"indexMap,omitempty"` // an index map does it, not the kernel

	Event *infer.Event `json:"-"` // of the first run that met it
}

// Named is a ref as an event uses it.
type Named struct {
	Name string `json:"name"`
	Memory

	Alloc *infer.Alloc `json:"-"`
}

type (
	kernelKey struct {
		site, kernel parse.Loc
		api, name    string
	}
	refKey struct {
		name  string
		role  infer.Role
		loc   parse.Loc
		index int
	}
	eventKey struct {
		op   infer.Op
		loc  parse.Loc
		refs [4]parse.Loc // where the refs get their names: one line may do the same to several
	}
)

type builder struct {
	a       *workspace.Analysis
	name    func(string) string
	out     *File
	kernels map[kernelKey]*Kernel
}

// Of collects the kernels of an analysis. A kernel is listed once a site; what its runs in several worlds and contexts
// disagree on is joined. name says how to write a path.
func Of(a *workspace.Analysis, name func(string) string) *File {
	b := &builder{a: a, name: name, kernels: map[kernelKey]*Kernel{}}
	b.out = &File{Path: name(a.File.Path), Kernels: []*Kernel{}}
	for _, e := range a.Facts.Entries {
		for _, w := range e.Worlds {
			for _, k := range w.Kernels {
				b.kernel(k)
			}
		}
	}
	return b.out
}

// at returns path (empty: the file itself), line and column of a location.
func (b *builder) at(loc parse.Loc) (path string, line, column int) {
	p, ok := b.a.Place(loc)
	if !ok {
		return "", 0, 0
	}
	if p.File.Path != b.a.File.Path {
		path = b.name(p.File.Path)
	}
	line, column = p.File.Position(p.Start, parse.UTF32)
	return path, line + 1, column + 1
}

// here: the kernel is written or run in this file, or given its specs or scratch in it, as opposed to being met through an import.
func (b *builder) here(k *infer.Kernel) bool {
	own := func(loc parse.Loc) bool {
		path, line, _ := b.at(loc)
		return path == "" && line > 0
	}
	fn, _, _ := b.at(k.Loc)
	site, _, _ := b.at(k.Site.Loc)
	if fn == "" || site == "" {
		return true
	}
	for _, os := range [][]*infer.Operand{k.Site.Inputs, k.Site.Outputs, k.Site.Scratches} {
		if slices.ContainsFunc(os, func(o *infer.Operand) bool { return own(o.SpecLoc) }) {
			return true
		}
	}
	return false
}

func (b *builder) kernel(k *infer.Kernel) {
	if k.Site != nil && !b.here(k) {
		return
	}
	key := kernelKey{kernel: k.Loc, name: k.Name}
	if k.Site != nil {
		key.site, key.api = k.Site.Loc, k.Site.API
	}
	out := b.kernels[key]
	switch {
	case out == nil:
		out = b.empty(k, key)
		b.kernels[key] = out
		b.out.Kernels = append(b.out.Kernels, out)
	case out.interpreted && !interpreted(k): // what is lowered says where things are
		*out = *b.empty(k, key)
	case !out.interpreted && interpreted(k):
		return
	default:
		out.runs = append(out.runs, k.Site)
		out.Grid = joinDims(out.Grid, gridOf(k.Site))
		if out.Core != k.Core {
			out.Core = jax.CoreUnknown
		}
	}
	b.usage(out, k)
	for _, r := range k.Refs {
		b.ref(out, r)
	}
	for _, e := range k.Events {
		b.event(out, e, false)
	}
	if k.Site == nil {
		return
	}
	for _, os := range [][]*infer.Operand{k.Site.Inputs, k.Site.Outputs} {
		for _, o := range os {
			b.indexMap(out, o.Map)
		}
	}
}

// indexMap adds what an index map loads of the prefetched scalars.
func (b *builder) indexMap(out *Kernel, m *infer.MapRun) {
	if m == nil {
		return
	}
	for _, e := range m.Kernel.Events {
		b.event(out, e, true)
	}
}

func interpreted(k *infer.Kernel) bool { return k.Site != nil && k.Interpreted() }

// empty is a kernel without what it does.
func (b *builder) empty(k *infer.Kernel, key kernelKey) *Kernel {
	out := &Kernel{Name: k.Name, Core: k.Core, Grid: gridOf(k.Site), Ran: k.Site, runs: []*infer.Site{k.Site}, Loc: k.Loc, Fn: k.Fn, Refs: []*Ref{}, Events: []*Event{},
		refs: map[refKey]*Ref{}, events: map[eventKey]*Event{}, interpreted: interpreted(k)}
	out.Path, out.Line, out.Column = b.at(k.Loc)
	out.Site.API = key.api
	out.Site.Path, out.Site.Line, _ = b.at(key.site)
	return out
}

func gridOf(s *infer.Site) []*int64 {
	if s == nil || !s.GridKnown || len(s.Grid) == 0 {
		return nil
	}
	return dims(s.Grid)
}

// Bytes is the size of the memory where all of it is known; 0: not known, or no data.
func (m *Memory) Bytes() int64 {
	if m.DType == nil || m.Shape == nil {
		return 0
	}
	n := int64(1)
	for _, d := range *m.Shape {
		if d == nil || *d <= 0 || n > 1<<50 / *d {
			return 0
		}
		n *= *d
	}
	return m.DType.Bytes(n)
}

func dims(in []*infer.Int) []*int64 {
	out := make([]*int64, len(in))
	for i, d := range in {
		if v, ok := d.Known(); ok {
			out[i] = &v
		}
	}
	return out
}

// joinDims keeps the sizes that both agree on; nil when the ranks differ.
func joinDims(a, b []*int64) []*int64 {
	if a == nil || len(a) != len(b) {
		return nil
	}
	out := make([]*int64, len(a))
	for i := range a {
		if a[i] != nil && b[i] != nil && *a[i] == *b[i] {
			out[i] = a[i]
		}
	}
	return out
}

func (b *builder) ref(k *Kernel, r *infer.Ref) {
	if r == nil || r.Alloc == nil {
		return
	}
	m := MemoryOf(r.Spaces, r.Alloc.Shape, r.Alloc.DType)
	key := refKey{r.Name, r.Role, nameLoc(r.Alloc), -1}
	if r.Operand != nil && !k.hasParam(key.loc) { // an operand that is None in another run shifts the indices of those after it
		key.index = r.Operand.Index
	}
	if old := k.refs[key]; old != nil {
		old.join(m)
		return
	}
	out := &Ref{Name: r.Name, Role: r.Role, Memory: m, Alloc: r.Alloc}
	out.Path, out.Line, _ = b.at(nameLoc(r.Alloc))
	if w := r.Why; w != nil && r.Spaces.Known() {
		if path, line, _ := b.at(w.Loc); line > 0 {
			if path == "" {
				path = b.out.Path
			}
			out.Because = &Reason{path, line, w.Reason}
		}
	}
	k.refs[key] = out
	k.Refs = append(k.Refs, out)
}

// hasParam: a parameter of the kernel that takes one ref is written there.
func (k *Kernel) hasParam(at parse.Loc) bool {
	if k.Fn == nil || at.Chunk != k.Fn.Chunk {
		return false
	}
	return slices.ContainsFunc(k.Fn.Params, func(p *parse.Param) bool {
		return p.NameSpan == at.Span && p.Kind != parse.VarArgs && p.Kind != parse.VarKwargs
	})
}

// nameLoc is where a ref gets its name: at the parameter, or the call that made it.
func nameLoc(a *infer.Alloc) parse.Loc {
	if a.Param.Valid() {
		return a.Param
	}
	return a.Loc
}

// printed are the operations that the contract of `inspect --json` names.
var printed = map[infer.Op]bool{infer.OpLoad: true, infer.OpStore: true, infer.OpDMAStart: true, infer.OpDMAWait: true,
	infer.OpSemSignal: true, infer.OpSemWait: true, infer.OpSemRead: true, infer.OpAlloc: true}

func (b *builder) event(k *Kernel, e *infer.Event, inMap bool) {
	if !printed[e.Op] {
		return
	}
	refs := make([]*Named, len(e.Refs))
	for i, r := range e.Refs {
		if r != nil && r.Alloc != nil {
			dtype := r.Type
			if i >= 2 && dtype != jax.DMASem { // no semaphore for copies, so there is no copy to tell of
				dtype = ""
			}
			refs[i] = &Named{r.Name, MemoryOf(r.Spaces, r.View, dtype), r.Alloc}
		}
	}
	key := eventKey{op: e.Op, loc: e.Loc}
	for i, r := range e.Refs {
		if r != nil && r.Alloc != nil && i < len(key.refs) {
			key.refs[i] = nameLoc(r.Alloc)
		}
	}
	if old := k.events[key]; old != nil {
		old.join(refs)
		return
	}
	out := &Event{Op: e.Op, Refs: refs, IndexMap: inMap, Event: e}
	out.Path, out.Line, out.Column = b.at(e.Loc)
	if out.Line == 0 || out.Path != "" { // what a helper in another file does is listed with that file
		return
	}
	k.events[key] = out
	k.Events = append(k.Events, out)
}

func (e *Event) join(refs []*Named) {
	for i := range min(len(e.Refs), len(refs)) {
		switch old, new := e.Refs[i], refs[i]; {
		case old == nil || new == nil:
			e.Refs[i] = nil
		default:
			old.Memory.join(new.Memory)
		}
	}
}

// MemoryOf is the memory that facts tell of.
func MemoryOf(spaces jax.Spaces, shape infer.Shape, dtype jax.DType) Memory {
	m := Memory{Set: spaces}
	if shape.Dims != nil {
		d := dims(shape.Dims)
		m.Shape, m.named = &d, dimNames(shape.Dims)
	}
	if dtype != "" {
		m.DType = &dtype
	}
	m.spell()
	return m
}

// maxDimName bounds what is shown of a size that is not known.
const maxDimName = 16

// dimNames are the names of sizes that are not known, where the code has short ones.
func dimNames(in []*infer.Int) []string {
	out := make([]string, len(in))
	for i, d := range in {
		if text := d.String(); d != nil && text != "?" && len(text) <= maxDimName {
			out[i] = text
		}
	}
	return out
}

// spell writes the set of spaces out.
func (m *Memory) spell() {
	m.Space, m.Spaces = nil, nil
	if one := m.Set.One(); one != 0 {
		m.Space = &one
	} else if m.Set.Known() {
		m.Spaces = m.Set.List()
	}
}

func (m *Memory) join(other Memory) {
	m.Set = m.Set.Join(other.Set)
	m.spell()
	if m.DType != nil && (other.DType == nil || *other.DType != *m.DType) {
		m.DType = nil
	}
	if m.Shape == nil {
		return
	}
	if other.Shape == nil || len(*other.Shape) != len(*m.Shape) {
		m.Shape = nil
		return
	}
	for i := range m.named {
		if i >= len(other.named) || other.named[i] != m.named[i] {
			m.named[i] = ""
		}
	}
	d := make([]*int64, len(*m.Shape))
	copy(d, joinDims(*m.Shape, *other.Shape))
	m.Shape = &d
}
