package infer

import "sort"

// Flow is what the kernel and the pipelines and scopes in it do, in order.
func (k *Kernel) Flow() []*Event {
	k.flowOnce.Do(func() {
		k.flow = k.gather(map[*Kernel]bool{})
		sort.SliceStable(k.flow, func(i, j int) bool { return k.flow[i].Seq < k.flow[j].Seq })
	})
	return k.flow
}

func (k *Kernel) gather(seen map[*Kernel]bool) []*Event {
	if seen[k] {
		return nil
	}
	seen[k] = true
	out := append([]*Event{}, k.Events...)
	for _, s := range k.Inner {
		for _, in := range s.Kernels {
			out = append(out, in.gather(seen)...)
		}
	}
	return out
}

// Root is the kernel that runs by itself, in whose body the kernel stands.
func (k *Kernel) Root() *Kernel {
	for k.Outer != nil {
		k = k.Outer
	}
	return k
}

// Roots are the pieces of memory that the allocation is a part of, or one of which it stands for; itself when it is its own.
func (a *Alloc) Roots() []*Alloc {
	if len(a.of) == 0 {
		return []*Alloc{a}
	}
	var out []*Alloc
	for _, o := range a.of {
		out = append(out, o.Roots()...)
	}
	return out
}

// Sole is the one piece of memory that the allocation is, or nil when it may be one of several.
func (a *Alloc) Sole() *Alloc {
	roots := a.Roots()
	for _, r := range roots[1:] {
		if r != roots[0] {
			return nil
		}
	}
	return roots[0]
}

// On reports whether the ref is, or may be, of that memory.
func (r *Ref) On(a *Alloc) bool {
	if r == nil {
		return false
	}
	for _, o := range r.Alloc.Roots() {
		if o == a {
			return true
		}
	}
	return false
}

// Span is a part of one dimension.
type Span struct{ Start, Size *Int }

// Region is the part of memory that a view or an access selects, by dimensions of the allocation.
type Region struct {
	Of    *Alloc
	Whole bool
	Spans []Span // nil: not known
}

// RegionOf is what index selects of a ref; of no ref, as where the end of a copy is not known, it is no known region.
func RegionOf(r *Ref, index []IndexItem) Region {
	if r == nil {
		return Region{}
	}
	out := Region{Of: r.Alloc.Sole(), Whole: true}
	if len(r.Alloc.of) > 0 || r.Partial() && len(r.Steps) == 0 {
		out.Whole = false
		return out
	}
	var axes []int // of each dimension of the view
	for i, d := range r.Alloc.Shape.Dims {
		out.Spans = append(out.Spans, Span{N(0), d})
		axes = append(axes, i)
	}
	ranked := r.Alloc.Shape.Dims != nil
	for _, s := range r.Steps {
		if s.Kind != "at" || s.Index == nil {
			return Region{Of: out.Of}
		}
		axes = out.narrow(axes, s.Index, ranked)
	}
	out.narrow(axes, index, ranked)
	return out
}

// Accessed is the part of memory that a load or store touches.
func (e *Event) Accessed() Region {
	out := RegionOf(e.Refs[0], e.Index)
	if !e.RShape && !allFull(e.Index) {
		return Region{Of: out.Of}
	}
	return out
}

func allFull(index []IndexItem) bool {
	for _, x := range index {
		if x.Kind != IndexFull {
			return false
		}
	}
	return len(index) > 0
}

// narrow applies subscripts, and returns the dimensions that are left.
func (g *Region) narrow(axes []int, index []IndexItem, ranked bool) []int {
	left := []int{}
	for _, x := range index {
		if x.Kind == IndexFull && (x.Dim < 0 || !ranked || g.Spans == nil) {
			continue
		}
		if g.Spans == nil || !ranked || x.Dim < 0 || x.Dim >= len(axes) {
			g.Whole, g.Spans = false, nil
			continue
		}
		d := axes[x.Dim]
		switch x.Kind {
		case IndexFull:
			left = append(left, d)
		case IndexInt:
			g.cut(d, Span{x.Start, N(1)})
		case IndexSlice:
			if !x.Step.Is(1) {
				g.Whole, g.Spans = false, nil
				return left
			}
			g.cut(d, Span{x.Start, x.Size})
			left = append(left, d)
		default:
			g.Whole, g.Spans = false, nil
			return left
		}
	}
	return left
}

func (g *Region) cut(d int, s Span) {
	old := g.Spans[d]
	s.Start = old.Start.Add(s.Start)
	g.Spans[d] = s
	eq, known := s.Size.Equal(old.Size)
	g.Whole = g.Whole && known && eq
}

// Meets tells whether two accesses touch the same elements; known is false when that can't be said.
func (g Region) Meets(h Region) (meets, known bool) {
	switch {
	case g.Of == nil || h.Of == nil:
		return false, false
	case g.Of != h.Of:
		return false, true
	case g.Whole || h.Whole:
		return true, true
	case g.Spans == nil || len(g.Spans) != len(h.Spans):
		return false, false
	}
	meets, known = true, true
	for i := range g.Spans {
		m, k := g.Spans[i].meets(h.Spans[i])
		if k && !m {
			return false, true
		}
		known = known && k
	}
	return known, known
}

func (s Span) meets(t Span) (meets, known bool) {
	if eq, ok := s.Start.Equal(t.Start); ok && eq {
		return true, true
	}
	gap, ok := t.Start.Sub(s.Start).Known()
	if !ok {
		return false, false
	}
	size, after := s.Size, gap
	if gap < 0 {
		size, after = t.Size, -gap
	}
	n, ok := size.Known()
	return ok && after < n, ok
}

// Same tells whether two regions are known to be the same.
func (g Region) Same(h Region) bool {
	if g.Of == nil || g.Of != h.Of {
		return false
	}
	if g.Whole && h.Whole {
		return true
	}
	if g.Spans == nil || len(g.Spans) != len(h.Spans) {
		return false
	}
	for i := range g.Spans {
		if eq, ok := g.Spans[i].Start.Equal(h.Spans[i].Start); !ok || !eq {
			return false
		}
		if eq, ok := g.Spans[i].Size.Equal(h.Spans[i].Size); !ok || !eq {
			return false
		}
	}
	return true
}

// Constant reports whether the region is the same each time that it is used: it depends on nothing that changes.
func (g Region) Constant() bool {
	if g.Whole {
		return true
	}
	for _, s := range g.Spans {
		if _, ok := s.Start.Known(); !ok {
			return false
		}
	}
	return g.Spans != nil
}

// Always is a path without what is no condition: loops that are run item by item, and conditions that are known to hold.
func Always(path []Cond) []Cond {
	var out []Cond
	for _, c := range path {
		if c.counts() {
			out = append(out, c)
		}
	}
	return out
}

func (c *Cond) counts() bool { return c.Kind != "static" && !c.Each }

// Within reports whether whatever runs under path also runs under outer: outer is the beginning of path.
func Within(path, outer []Cond) bool {
	i := 0
	for k := range outer {
		if !outer[k].counts() {
			continue
		}
		for i < len(path) && !path[i].counts() {
			i++
		}
		if i == len(path) || !outer[k].same(path[i]) {
			return false
		}
		i++
	}
	return true
}

func (c Cond) same(d Cond) bool { return c.Kind == d.Kind && c.Loc == d.Loc && c.Arm == d.Arm }
