package infer

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// whole: `view[...]` adds no index of its own (jax/_src/state/primitives.py get_ref_and_transforms), so what is accessed is the ref
// under the view's .at, with the index of the .at.
func (r *Ref) whole(items []item) (*Ref, []item) {
	if r.base == nil || len(items) != 1 {
		return r, items
	}
	if _, ok := items[0].value.(Ellipsis); !ok {
		return r, items
	}
	return r.base, r.at
}

func (ip *interp) event(e *Event) *Event {
	e.Kernel = ip.kernel
	e.Path = ip.path.conds()
	ip.seq++
	e.Seq = ip.seq
	if ip.kernel != nil {
		ip.kernel.Events = append(ip.kernel.Events, e)
		ip.capture(e)
	}
	return e
}

// capture lists refs that the kernel uses and did not get as parameters.
func (ip *interp) capture(e *Event) {
	if e.Implicit {
		return
	}
	for _, r := range e.Refs {
		if r == nil || r.Alloc.Kernel != nil {
			continue
		}
		r.Alloc.Kernel = ip.kernel
		if r.Role == "" {
			r.Alloc.Role = Captured
		}
		ip.kernel.Refs = append(ip.kernel.Refs, r)
	}
}

// load is r[items]: an event, and the array it gives.
func (ip *interp) load(fr *frame, r *Ref, items []item, open bool, loc parse.Loc, node parse.Node, aug string) Value {
	r, items = r.whole(items)
	idx, shape, ok := ip.index(r, items, open, loc)
	out := &Array{DType: r.Type, Traced: ip.kernel != nil, Loc: loc}
	if ok {
		out.Shape = shape
		if shape.IsRank(0) && r.Type.IsInteger() {
			out.Lin = atom(ip.fresh(r.Name + "[]"))
		}
	}
	ip.event(&Event{Op: OpLoad, Loc: loc, Node: node, Refs: []*Ref{r}, Locs: []parse.Loc{loc}, Index: idx, Result: shape, RShape: ok, Value: out, Aug: aug, Via: "indexing"})
	if r.Spaces.Only(jax.Semaphore) {
		return &Array{Shape: out.Shape, DType: r.Type, Traced: true, Loc: loc}
	}
	return out
}

func (ip *interp) store(fr *frame, r *Ref, items []item, open bool, loc parse.Loc, node parse.Node, v Value, aug string) {
	r, items = r.whole(items)
	idx, shape, ok := ip.index(r, items, open, loc)
	if ok {
		ip.checkStored(shape, v, loc, r)
	}
	ip.event(&Event{Op: OpStore, Loc: loc, Node: node, Refs: []*Ref{r}, Locs: []parse.Loc{loc}, Index: idx, Result: shape, RShape: ok, Value: v, Aug: aug, Via: "indexing"})
}

// checkStored notes a value whose shape is not that of the region it is stored to (jax/_src/state/primitives.py _swap_abstract_eval).
func (ip *interp) checkStored(region Shape, v Value, loc parse.Loc, r *Ref) {
	a, ok := toArray(v)
	if !ok {
		return
	}
	if eq, known := region.Equal(a.Shape); known && !eq {
		ip.fault("store-shape", loc, region.String(), r, a)
	}
}

// view is r.at[items].
func (ip *interp) view(r *Ref, items []item, open bool, loc parse.Loc) Value {
	idx, shape, ok := ip.index(r, items, open, loc)
	out := &Ref{Alloc: r.Alloc, Type: r.Type, Loc: loc, Steps: append(r.Steps[:len(r.Steps):len(r.Steps)], Step{Kind: "at", Index: idx, Loc: loc, From: r.View}), base: r, at: items}
	if ok {
		out.View = shape
	}
	return out
}

// index applies subscripts to a ref as jax/_src/state/indexing.py NDIndexer does: what each selects, and the shape of all. ok is false
// when the result's rank is not known.
func (ip *interp) index(r *Ref, items []item, open bool, loc parse.Loc) ([]IndexItem, Shape, bool) {
	if open {
		return nil, Shape{}, false
	}
	rank, rankKnown := r.View.Rank()
	ellipsis, used := -1, 0
	for i, it := range items {
		switch it.value.(type) {
		case Ellipsis:
			if ellipsis >= 0 {
				ip.fault("two-ellipses", loc, "", r)
				return ip.plain(items), Shape{}, false
			}
			ellipsis = i
		case None:
		default:
			used++
		}
	}
	if rankKnown && used > rank {
		ip.fault("too-many-indices", loc, "", r, N(int64(used)))
		return ip.plain(items), Shape{}, false
	}
	if !rankKnown {
		return ip.plain(items), Shape{}, false
	}
	if len(items) == 1 && isOpaque(items[0].value) && !isKnownIndex(items[0].value) && rank > 0 { // may be a tuple, a slice, an array
		return ip.plain(items), Shape{}, false
	}
	for _, it := range items {
		if what := noIndex(it.value); what != "" && !r.Guess && !r.Many {
			ip.fault("index-type", orElse(it.loc, loc), what, r)
			return ip.plain(items), Shape{}, false
		}
	}
	var out []IndexItem
	dim := 0
	full := func(n int) {
		for ; n > 0; n-- {
			d := r.View.Dims[dim]
			out = append(out, IndexItem{Kind: IndexFull, Start: N(0), Size: d, Step: N(1), Dim: dim, Loc: loc})
			dim++
		}
	}
	for i, it := range items {
		if i == ellipsis {
			full(rank - used)
			continue
		}
		x := ip.indexItem(it, r.View.Dim(dim), dim)
		out = append(out, x)
		if x.Kind != IndexNew {
			dim++
		}
	}
	full(rank - dim)
	shape, ok := indexShape(out)
	return out, shape, ok
}

// noIndex says what a subscript is that JAX can make no index of.
func noIndex(v Value) string {
	switch v.(type) {
	case Str:
		return "a string"
	case *Dict:
		return "a dict"
	case *Func, *Partial:
		return "a function"
	case DTypeVal:
		return "a dtype"
	}
	return ""
}

func orElse(a, b parse.Loc) parse.Loc {
	if a.Valid() {
		return a
	}
	return b
}

// plain lists subscripts of a ref of unknown rank.
func (ip *interp) plain(items []item) []IndexItem {
	var out []IndexItem
	for i, it := range items {
		if _, ok := it.value.(Ellipsis); ok {
			out = append(out, IndexItem{Kind: IndexFull, Value: it.value, Dim: -1, Loc: it.loc, Node: it.node})
			continue
		}
		x := ip.indexItem(it, nil, i)
		x.Dim = -1
		out = append(out, x)
	}
	return out
}

func (ip *interp) indexItem(it item, dim *Int, d int) IndexItem {
	x := IndexItem{Value: it.value, Dim: d, Loc: it.loc, Node: it.node}
	switch v := ip.resolve(it.value).(type) {
	case *Int, Bool:
		x.Kind, x.Start, x.Size = IndexInt, asInt(v), N(1)
	case *Opaque:
		x.Kind = IndexUnknown
		if v.Lin != nil {
			x.Kind, x.Start, x.Size = IndexInt, v.Lin, N(1)
		}
	case *Array:
		if v.Shape.IsRank(0) {
			x.Kind, x.Start, x.Size, x.Traced = IndexInt, v.Lin, N(1), v.Traced
			break
		}
		x.Kind, x.Traced = IndexArray, v.Traced
		if v.Shape.Dims == nil {
			x.Kind = IndexUnknown
		}
	case *Ref:
		x.Kind, x.Traced = IndexArray, true
	case None:
		x.Kind, x.Dim = IndexNew, -1
	case *Dynamic:
		x.Kind = IndexSlice
		x.Start, x.Size, x.Step = asInt(v.Start), asInt(v.Size), N(1)
		if v.Stride != nil {
			x.Step = asInt(v.Stride)
		}
		a, ok := v.Start.(*Array)
		x.Traced = ok && a.Traced
	case *SliceVal:
		ip.sliceItem(&x, v, dim)
	case *Union:
		x.Kind = IndexUnknown
		if allScalar(v) {
			x.Kind, x.Size = IndexInt, N(1)
		}
	}
	return x
}

func allScalar(u *Union) bool {
	for _, a := range u.Alts {
		switch a := a.(type) {
		case *Int, Bool:
		case *Array:
			if !a.Shape.IsRank(0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// distance is how far the bounds of a slice are apart; none where that is not a known number.
func distance(v *SliceVal) []Value {
	lo, hi := v.Lo, v.Hi
	if lo == nil || hi == nil {
		return nil
	}
	n := asInt(hi).Sub(asInt(lo))
	if _, known := n.Known(); !known {
		return nil
	}
	return []Value{n}
}

// sliceItem works out lo:hi:step on a dimension.
func (ip *interp) sliceItem(x *IndexItem, v *SliceVal, dim *Int) {
	absent := func(v Value) bool { _, none := v.(None); return v == nil || none }
	x.Kind, x.Start, x.Step = IndexSlice, N(0), N(1)
	for _, b := range []Value{v.Lo, v.Hi, v.Step} {
		if a, ok := b.(*Array); ok && a.Traced && ip.kernel != nil { // jax/_src/state/indexing.py Slice.from_slice wants numbers
			x.Traced = true
			ip.fault("traced-slice", x.Loc, "", append([]Value{a}, distance(v)...)...)
			break
		}
	}
	if !absent(v.Step) {
		x.Step = asInt(v.Step)
	}
	if absent(v.Lo) && absent(v.Hi) && x.Step.Is(1) {
		x.Kind, x.Size = IndexFull, dim
		return
	}
	if !absent(v.Lo) {
		x.Start = sliceBound(asInt(v.Lo), dim)
	}
	hi := dim
	if !absent(v.Hi) {
		hi = sliceBound(asInt(v.Hi), dim)
		if d, ok := dim.Known(); ok {
			if h, ok := hi.Known(); ok && h > d {
				hi = dim
			}
		}
		if _, known := hi.Known(); known || hi != nil {
			if eq, k := hi.Equal(dim); dim != nil && !(k && eq) {
				if _, ok := dim.Known(); !ok {
					hi = nil // may be clamped
				} else if _, ok := hi.Known(); !ok {
					hi = nil
				}
			}
		}
	}
	x.Size = hi.Sub(x.Start)
	if k, ok := x.Size.Known(); ok && k < 0 {
		x.Size = N(0)
	}
	if !x.Step.Is(1) {
		n, ok1 := x.Size.Known()
		s, ok2 := x.Step.Known()
		x.Size = nil
		if ok1 && ok2 && s > 0 {
			x.Size = N((n + s - 1) / s)
		}
	}
}

func sliceBound(n, dim *Int) *Int {
	if k, ok := n.Known(); ok && k < 0 {
		if n = dim.Add(n); n != nil {
			if v, ok := n.Known(); ok && v < 0 {
				return N(0)
			}
		}
	}
	return n
}

// indexShape is the shape that subscripts leave (NDIndexer.get_indexer_shape): the shape that the integers and index arrays broadcast
// to stands where they stood when they are neighbours, else in front.
func indexShape(items []IndexItem) (Shape, bool) {
	lead, ok := leadShape(items)
	if !ok {
		return Shape{}, false
	}
	var before, after []*Int
	first, last, count := -1, -1, 0
	for _, x := range items {
		switch x.Kind {
		case IndexInt, IndexArray:
			if first < 0 {
				first = x.Dim
			}
			last = x.Dim
			count++
		case IndexSlice, IndexFull:
			if first < 0 {
				before = append(before, x.Size)
			} else {
				after = append(after, x.Size)
			}
		default:
			return Shape{}, false
		}
	}
	out := []*Int{}
	if count > 0 && last-first+1 != count {
		out = append(out, lead.Dims...)
		out = append(out, before...)
		return Shape{Dims: append(out, after...)}, true
	}
	out = append(out, before...)
	out = append(out, lead.Dims...)
	return Shape{Dims: append(out, after...)}, true
}

// leadShape is the shape that all integers and index arrays broadcast to.
func leadShape(items []IndexItem) (Shape, bool) {
	lead := Scalar
	for _, x := range items {
		if x.Kind != IndexArray {
			continue
		}
		var s Shape
		switch v := x.Value.(type) {
		case *Array:
			s = v.Shape
		case *Ref:
			s = v.View
		}
		if s.Dims == nil {
			return Shape{}, false
		}
		switch {
		case len(lead.Dims) == 0:
			lead = s
		case len(lead.Dims) != len(s.Dims):
			return Shape{}, false
		default:
			lead = joinShapes(lead, s)
		}
	}
	return lead, true
}
