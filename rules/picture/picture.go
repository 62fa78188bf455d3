// Package picture draws a kernel: the memories of its core as boxes, its refs in them, copies as arrows between them, loads and
// stores as arrows to and from the core that computes. It draws what `inspect` says and judges nothing.
package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
	"pallas-lsp/rules/jax"
)

// Picture is what is drawn of one kernel, before it has a form.
type Picture struct {
	Kernel string
	Line   int    // of the kernel's name, from 1
	Title  string // "kernel on a TensorCore, grid (4,)"
	Core   string
	Boxes  []*Box // of memories, those that are far from the core first
	Arrows []*Arrow
	Grid   []string // lines about the steps of the grid
}

// Box is a memory with the refs in it.
type Box struct {
	Name string
	Note string // what the kernel takes of it
	Far  bool   // reached by copies only
	Refs []*Ref
}

// Ref is a ref, or an array of which a ref is a block.
type Ref struct {
	Name string
	Type string // f32[8, 128]
	Size string // 4 KiB; 2 × 4 KiB of a window; empty: not known
	Role string
	Path string // empty: the file itself
	Line int

	box *Box
}

// Kind says what an arrow does.
type Kind string

// The kinds of arrows.
const (
	Copy   Kind = "copy"
	Window Kind = "window" // a copy that the grid or a pipeline makes by itself, each step
	Load   Kind = "load"
	Store  Kind = "store"
)

// Arrow goes from one ref to another, or from or to the core, where the ref is nil.
type Arrow struct {
	Kind     Kind
	From, To *Ref
	Label    string
	Lines    []int // of the code that does it
	Wrong    bool  // a finding says so
}

// Of draws a kernel of an inspected file, with the pipelines that it runs. wrong tells whether a finding lies at a place.
func Of(f *inspect.File, k *inspect.Kernel, wrong func(parse.Loc) bool) *Picture {
	d := &drawer{p: &Picture{Kernel: k.Name, Line: k.Line, Core: coreName(k.Core)}, refs: map[key]*Ref{}, boxes: map[string]*Box{}, wrong: wrong}
	d.p.Title = k.Name
	if k.Core != jax.CoreUnknown {
		d.p.Title += " on a " + k.Core.String()
	}
	if k.Grid != nil {
		d.p.Title += ", grid " + tuple(k.Grid)
	}
	d.kernel(f, k)
	d.notes(k)
	slices.SortStableFunc(d.p.Boxes, func(a, b *Box) int { return cmp.Compare(rank(a.Name), rank(b.Name)) })
	return d.p
}

// Names are the kernels of a file in the order of their lines, each once.
func Names(f *inspect.File) []string {
	var out []string
	for _, k := range byLine(f) {
		if !slices.Contains(out, k.Name) {
			out = append(out, k.Name)
		}
	}
	return out
}

func byLine(f *inspect.File) []*inspect.Kernel {
	all := slices.Clone(f.Kernels)
	slices.SortStableFunc(all, func(a, b *inspect.Kernel) int { return cmp.Compare(a.Line, b.Line) })
	return all
}

// Find is the kernel of a name, or where it is empty the one that a line, from 1, belongs to: whose site is on it, else whose function begins last
// before it; without a line the first. nil: there is none.
func Find(f *inspect.File, name string, line int) *inspect.Kernel {
	var best *inspect.Kernel
	for _, k := range byLine(f) {
		switch {
		case name != "":
			if k.Name == name && (best == nil || len(k.Events) > len(best.Events)) {
				best = k
			}
		case k.Site.Line == line && line > 0:
			return k
		case best == nil || k.Path == "" && k.Line <= line && (best.Line < k.Line || len(k.Events) > len(best.Events)):
			best = k
		}
	}
	return best
}

// kernel draws what a kernel does, then the kernels inside it.
func (d *drawer) kernel(f *inspect.File, k *inspect.Kernel) {
	for _, r := range k.Refs {
		d.whole(k, r)
	}
	for _, e := range k.Events {
		if !e.IndexMap {
			d.event(e)
		}
	}
	d.p.Grid = append(d.p.Grid, k.Steps()...)
	for _, inner := range f.Kernels {
		if inner != k && inner.Ran != nil && inner.Ran.Outer != nil && k.Ran != nil && inner.Ran.Outer.Site == k.Ran {
			d.kernel(f, inner)
		}
	}
}

type drawer struct {
	p     *Picture
	refs  map[key]*Ref
	boxes map[string]*Box
	wrong func(parse.Loc) bool
}

// key is what a ref and its twins of other runs have in common.
type key struct {
	name string
	role infer.Role
	loc  parse.Loc
	n    int
}

func keyOf(a *infer.Alloc) key {
	k := key{a.Name, a.Role, a.Loc, -1}
	if a.Param.Valid() {
		k.loc = a.Param
	}
	if a.Operand != nil {
		k.n = a.Operand.Index
	}
	return k
}

func coreName(c jax.Core) string {
	if c == jax.CoreUnknown {
		return "core"
	}
	return c.String()
}

// rank orders memories by how far they are from the core.
func rank(name string) int {
	order := []string{"HOST", "HBM", "ANY", "GMEM", "?", "VMEM_SHARED", "CMEM", "VMEM", "TMEM", "SMEM", "REGS", "SEMAPHORE"}
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return 4
}

func far(name string) bool { return rank(name) <= rank("?") || strings.Contains(name, " or ") }

func (d *drawer) box(name string) *Box {
	if b := d.boxes[name]; b != nil {
		return b
	}
	b := &Box{Name: name, Far: far(name)}
	d.boxes[name] = b
	d.p.Boxes = append(d.p.Boxes, b)
	return b
}

func (d *drawer) put(box string, r *Ref) *Ref {
	b := d.box(box)
	r.box = b
	b.Refs = append(b.Refs, r)
	return r
}

func typeText(m *inspect.Memory) string {
	dtype := "?"
	if m.DType != nil {
		dtype = m.DType.Short()
	}
	return dtype + m.Dims()
}

func sizeText(m *inspect.Memory) string {
	if n := m.Bytes(); n > 0 {
		return inspect.Size(n)
	}
	return ""
}

func spaceName(m *inspect.Memory) string {
	if !m.Set.Known() {
		return "?"
	}
	return m.Set.String()
}

// whole draws a ref of the kernel; a block of an array also draws the array and the copies between the two.
func (d *drawer) whole(k *inspect.Kernel, r *inspect.Ref) {
	if d.refs[keyOf(r.Alloc)] != nil {
		return
	}
	out := d.put(spaceName(&r.Memory), &Ref{Name: orElse(r.Name, string(r.Role)), Type: typeText(&r.Memory), Size: sizeText(&r.Memory), Role: string(r.Role), Path: r.Path, Line: r.Line})
	d.refs[keyOf(r.Alloc)] = out
	o := r.Alloc.Operand
	if o == nil || o.Direct || k.Ran == nil || k.Ran.API != "pallas_call" && k.Ran.API != "emit_pipeline" || !r.Set.Only(jax.VMEM) && !r.Set.Only(jax.SMEM) {
		return
	}
	if r.Role != infer.Input && r.Role != infer.Output {
		return
	}
	array, label := d.array(k, r, o), windowLabel(k, r)
	line := orLine(k.Site.Line)
	if r.Role == infer.Input {
		d.p.Arrows = append(d.p.Arrows, &Arrow{Kind: Window, From: array, To: out, Label: label, Lines: line})
	} else {
		d.p.Arrows = append(d.p.Arrows, &Arrow{Kind: Window, From: out, To: array, Label: label, Lines: line})
	}
}

func orLine(n int) []int {
	if n == 0 {
		return nil
	}
	return []int{n}
}

// array is the array that a ref shows blocks of: the ref that a pipeline was given, else one in the device's main memory.
func (d *drawer) array(k *inspect.Kernel, r *inspect.Ref, o *infer.Operand) *Ref {
	if given, ok := o.Value.(*infer.Ref); ok && k.Ran.API == "emit_pipeline" {
		if known := d.refs[keyOf(given.Alloc)]; known != nil {
			return known
		}
		m := inspect.MemoryOf(given.Spaces, given.Alloc.Shape, given.Alloc.DType)
		out := d.put(spaceName(&m), &Ref{Name: given.Name, Type: typeText(&m), Size: sizeText(&m), Role: "operand", Line: k.Site.Line})
		d.refs[keyOf(given.Alloc)] = out
		return out
	}
	m := inspect.MemoryOf(jax.Spaces(0), o.Array, o.DType)
	return d.put("HBM", &Ref{Name: "array of " + orElse(r.Name, string(r.Role)), Type: typeText(&m), Size: sizeText(&m), Role: "operand", Line: k.Site.Line})
}

func windowLabel(k *inspect.Kernel, r *inspect.Ref) string {
	whole, known := r.Alloc.Operand.Whole()
	switch {
	case known && whole || len(k.Grid) == 0 && k.Ran.GridKnown:
		return "once"
	case r.Role == infer.Output:
		return "when the block changes"
	}
	return "each step"
}

// notes says in the boxes what the kernel takes of them, and of windows how often they are there.
func (d *drawer) notes(k *inspect.Kernel) {
	for _, u := range k.Usage {
		b := d.boxes[u.Space.String()]
		if b == nil || u.Bytes == 0 {
			continue
		}
		_, b.Note, _ = strings.Cut(u.String(), " ")
		for _, p := range u.Parts {
			for _, r := range b.Refs {
				if p.Count > 1 && p.Name == r.Name && r.Name != "" {
					r.Size = fmt.Sprintf("%d × %s", p.Count, inspect.Size(p.Bytes))
				}
			}
		}
	}
}

func (d *drawer) named(n *inspect.Named) *Ref {
	if n == nil {
		return nil
	}
	if r := d.refs[keyOf(n.Alloc)]; r != nil {
		return r
	}
	if strings.TrimSpace(n.Name) == "" && n.DType != nil && n.DType.IsSemaphore() {
		return nil
	}
	m := inspect.MemoryOf(n.Alloc.Spaces, n.Alloc.Shape, n.Alloc.DType)
	r := d.put(spaceName(&m), &Ref{Name: orElse(n.Name, "?"), Type: typeText(&m), Size: sizeText(&m), Role: string(n.Alloc.Role)})
	d.refs[keyOf(n.Alloc)] = r
	return r
}

func (d *drawer) event(e *inspect.Event) {
	wrong := d.wrong != nil && d.wrong(e.Event.Loc)
	switch e.Op {
	case infer.OpLoad, infer.OpStore:
		if len(e.Refs) == 0 || e.Refs[0] == nil {
			return
		}
		a := &Arrow{Kind: Load, From: d.named(e.Refs[0]), Label: "load", Wrong: wrong}
		if e.Op == infer.OpStore {
			a = &Arrow{Kind: Store, To: a.From, Label: "store", Wrong: wrong}
		}
		d.arrow(a, e.Line)
	case infer.OpDMAStart:
		if len(e.Refs) < 2 || e.Refs[0] == nil || e.Refs[1] == nil || e.Event.Implicit {
			return
		}
		d.arrow(&Arrow{Kind: Copy, From: d.named(e.Refs[0]), To: d.named(e.Refs[1]), Label: copyLabel(e), Wrong: wrong}, e.Line)
	}
}

// copyLabel says how much a copy moves, and what it signals.
func copyLabel(e *inspect.Event) string {
	var parts []string
	if n := max(e.Refs[0].Bytes(), e.Refs[1].Bytes()); n > 0 {
		parts = append(parts, inspect.Size(n))
	}
	for _, sem := range e.Refs[2:] {
		if sem != nil && strings.TrimSpace(sem.Name) != "" {
			parts = append(parts, sem.Name)
		}
	}
	if d := e.Event.Desc; d != nil && d.Remote {
		parts = append(parts, "to another device")
	}
	if len(parts) == 0 {
		return "copy"
	}
	return strings.Join(parts, ", ")
}

// arrow adds an arrow, or the line to one that is like it.
func (d *drawer) arrow(a *Arrow, line int) {
	for _, old := range d.p.Arrows {
		if old.Kind == a.Kind && old.From == a.From && old.To == a.To && old.Label == a.Label && old.Wrong == a.Wrong {
			if !slices.Contains(old.Lines, line) {
				old.Lines = append(old.Lines, line)
			}
			return
		}
	}
	a.Lines = []int{line}
	d.p.Arrows = append(d.p.Arrows, a)
}

// text is the label of an arrow with the lines of its code.
func (a *Arrow) text() string {
	if len(a.Lines) == 0 {
		return a.Label
	}
	return a.Label + " · " + lines(a.Lines)
}

func lines(all []int) string {
	if len(all) == 1 {
		return "line " + strconv.Itoa(all[0])
	}
	var parts []string
	for _, n := range all[:min(len(all), 4)] {
		parts = append(parts, strconv.Itoa(n))
	}
	if len(all) > 4 {
		parts = append(parts, "…")
	}
	return "lines " + strings.Join(parts, ", ")
}

func tuple(dims []*int64) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = "?"
		if d != nil {
			parts[i] = strconv.FormatInt(*d, 10)
		}
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func orElse(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}

// Formats are the forms in which a picture can be had.
var Formats = []string{"svg", "mermaid", "text"}

// In is the picture in one of the formats.
func (p *Picture) In(format string) string {
	switch format {
	case "svg":
		return p.SVG()
	case "mermaid":
		return p.Mermaid()
	}
	return p.Text()
}
