package stage

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// dim is what an access selects of one dimension of the memory.
type dim struct {
	size   *infer.Int // of the memory
	kind   infer.IndexKind
	start  *infer.Int
	n      *infer.Int
	stride bool // a step other than 1
}

func (d dim) full() bool { return d.kind == infer.IndexFull }

// selected composes the views and the subscripts of an access; false when that is not known, or is more than subscripts.
func selected(r *infer.Ref, index []infer.IndexItem) ([]dim, bool) {
	if r.Alloc.Shape.Dims == nil {
		return nil, false
	}
	var dims []dim
	var live []int
	for i, n := range r.Alloc.Shape.Dims {
		dims = append(dims, dim{size: n, kind: infer.IndexFull, start: infer.N(0), n: n})
		live = append(live, i)
	}
	for _, s := range r.Steps {
		if s.Kind != "at" {
			return nil, false
		}
		if live = apply(dims, live, s.Index); live == nil {
			return nil, false
		}
	}
	return dims, apply(dims, live, index) != nil
}

// apply narrows the dimensions that are left by subscripts and returns those that are left then; nil when a subscript is not known.
func apply(dims []dim, live []int, index []infer.IndexItem) []int {
	left := []int{}
	for _, it := range index {
		if it.Kind == infer.IndexUnknown || it.Kind == infer.IndexNew || it.Dim < 0 || it.Dim >= len(live) {
			return nil
		}
		if _, python := it.Value.(*infer.SliceVal); python && it.Traced {
			return nil // Python's slices take no traced bounds
		}
		d := &dims[live[it.Dim]]
		switch it.Kind {
		case infer.IndexFull:
			left = append(left, live[it.Dim])
			continue
		case infer.IndexSlice, infer.IndexArray:
			left = append(left, live[it.Dim])
		}
		d.stride = d.stride || it.Kind == infer.IndexSlice && !it.Step.Is(1)
		d.kind, d.start, d.n = it.Kind, d.start.Add(it.Start), it.Size
	}
	return left
}

// copies reports whether the core can copy the region between the memory and a buffer of its own, for all that is known: a type that is not
// known is taken for one of 32 bits. Measured with libtpu on v5p, v6e and 7x.
func copies(core jax.Core, r *infer.Ref, dims []dim) bool {
	bits := r.DType.Bits()
	if bits == 0 {
		bits = 32
	}
	whole := true
	for _, d := range dims {
		whole = whole && d.full()
		if n, ok := d.start.Known(); d.stride || ok && n < 0 {
			return false
		}
		if d.kind == infer.IndexArray && !gathers(core, bits, dims) {
			return false
		}
	}
	switch {
	case len(dims) == 0 || bits > 32:
		return false
	case whole:
		return true
	case core == jax.SCVectorSubcore && bits == 32:
		return true
	case core == jax.SCVectorSubcore:
		shared := r.Spaces.Has(jax.VMEMShared)
		return tiled(dims, int64(32/bits), 128*int64(32/bits), shared)
	case core == jax.TensorCore && bits == 32:
		lane := dims[len(dims)-1]
		return lane.full() || lane.kind == infer.IndexSlice && multiple(lane.start, 128)
	case core == jax.TensorCore:
		return tiled(dims, int64(32/bits), 1024*int64(32/bits), true)
	}
	return false
}

// gathers: rows picked by a vector of indices, which the SparseCore's DMA does.
func gathers(core jax.Core, bits int, dims []dim) bool {
	return core == jax.SCVectorSubcore && bits == 32 && len(dims) == 2 && dims[0].kind == infer.IndexArray && dims[1].full() && multiple(dims[1].size, 128)
}

// tiled: the region begins and ends at tiles of a type of less than 32 bits.
func tiled(dims []dim, packing, flat int64, packedRows bool) bool {
	lane := dims[len(dims)-1]
	if len(dims) == 1 {
		return lane.kind == infer.IndexSlice && multiple(lane.start, flat) && multiple(lane.n, flat)
	}
	rows := int64(8)
	if packedRows {
		rows *= packing
	}
	sub := dims[len(dims)-2]
	subOK := sub.full() || sub.kind == infer.IndexSlice && multiple(sub.start, rows) && (multiple(sub.n, rows) || sub.toEnd())
	laneOK := lane.full() || lane.kind == infer.IndexSlice && multiple(lane.start, 128) && multiple(lane.n, 128)
	return subOK && laneOK
}

func (d dim) toEnd() bool {
	eq, known := d.start.Add(d.n).Equal(d.size)
	return eq && known
}

func multiple(n *infer.Int, of int64) bool { return n != nil && n.Mod(infer.N(of)).Is(0) }

// shapeUp decides how the region is staged and writes the texts for it.
func (pl *plan) shapeUp(node parse.Node) bool {
	x, isIndex := node.(*parse.Index)
	pl.base, pl.whole = pl.spot.Text(node), true
	items := ""
	switch via := pl.uses[0].tail != "[...]"; {
	case isIndex && !via:
		pl.base = pl.spot.Text(x.X)
		items = strings.TrimSpace(pl.spot.Chunk.Text[x.ItemsSpan.Start:x.ItemsSpan.End])
		pl.whole = allPlain(x.Items)
	case isIndex: // an argument r.at[...]
		if a, ok := x.X.(*parse.Attr); ok && a.Name == "at" && allPlain(x.Items) {
			pl.base = pl.spot.Text(a.X)
		}
	}
	pl.ownBase(node)
	scalar := pl.event.RShape && pl.event.Result.IsRank(0)
	if scalar && isIndex {
		return pl.shapeScalar(x)
	}
	pl.form, pl.space = block, jax.VMEM
	if pl.kernel.Core == jax.SCScalarSubcore || scalar {
		return false // no arrays there
	}
	for _, e := range pl.peers {
		if !copyable(e) {
			return pl.widen(items)
		}
		if !fits(taken(e), e, pl.limit()) {
			return false
		}
	}
	pl.region = pl.base
	if !pl.whole {
		pl.region += ".at[" + items + "]"
	}
	return true
}

// allPlain: the subscripts are written as all of the ref.
func allPlain(items []parse.Expr) bool {
	for _, it := range items {
		switch it := it.(type) {
		case *parse.Slice:
			if it.Lo != nil || it.Hi != nil || it.Step != nil {
				return false
			}
		case *parse.Const:
			if it.Kind != parse.ConstEllipsis {
				return false
			}
		case *parse.Tuple:
			return len(it.Elems) == 0
		default:
			return false
		}
	}
	return true
}

// ownBase finds the node of the base text.
func (pl *plan) ownBase(node parse.Node) {
	parse.Walk(node, func(n parse.Node) bool {
		if pl.baseNode == nil && pl.spot.Text(n) == pl.base {
			pl.baseNode = n
		}
		return pl.baseNode == nil
	})
}

// copyable: the region of the event can be copied. Of memory of unknown rank, only the whole of it is sure to be.
func copyable(e *infer.Event) bool {
	whole := allFull(e.Index)
	dims, ok := selected(e.Refs[0], e.Index)
	if ok {
		return copies(e.Kernel.Core, e.Refs[0], dims)
	}
	if len(e.Refs[0].Steps) > 0 || e.Refs[0].Alloc.Shape.Dims != nil {
		return false
	}
	return whole || ofAnyRank(e)
}

// ofAnyRank: the region can be copied whatever the rank of the memory is: it keeps a dimension, and what must be whole on the core is written as
// whole.
func ofAnyRank(e *infer.Event) bool {
	kept := false
	for _, it := range e.Index {
		k, known := it.Start.Known()
		_, python := it.Value.(*infer.SliceVal)
		switch it.Kind {
		case infer.IndexInt:
		case infer.IndexSlice:
			kept = true
			if !it.Step.Is(1) || python && it.Traced {
				return false
			}
		case infer.IndexFull:
			kept = kept || python
		default:
			return false
		}
		if known && k < 0 {
			return false
		}
	}
	if bits := e.Refs[0].DType.Bits(); !kept || bits != 0 && bits != 32 {
		return false
	}
	last := e.Index[len(e.Index)-1]
	_, colon := last.Value.(*infer.SliceVal)
	return e.Kernel.Core == jax.SCVectorSubcore || e.Kernel.Core == jax.TensorCore && last.Kind == infer.IndexFull && colon
}

func allFull(index []infer.IndexItem) bool {
	for _, it := range index {
		if it.Kind != infer.IndexFull {
			return false
		}
	}
	return true
}

// widen stages all of the ref when the part that is read can't be copied alone, and the core can read that part of its own memory.
func (pl *plan) widen(items string) bool {
	if pl.stores || pl.whole {
		return false
	}
	for _, e := range pl.peers {
		n, known := e.Refs[0].Alloc.Shape.Size()
		if len(e.Refs[0].Steps) > 0 || e.Via != "indexing" || !known || n == 0 || !fits(e.Refs[0].Alloc.Shape, e, pl.limit()) || e.Refs[0].DType.Bits() > 32 {
			return false
		}
		if !pl.readsInside(e) {
			return false
		}
	}
	pl.wide, pl.whole, pl.region = true, true, pl.base
	for i := range pl.uses {
		pl.uses[i].tail = "[" + items + "]"
	}
	return true
}

// readsInside: the core reads the part that the event selects from its own memory: its place is known, there are no strides on a SparseCore, and
// no column on a TensorCore of before v5.
func (pl *plan) readsInside(e *infer.Event) bool {
	for i, it := range e.Index {
		_, start := it.Start.Known()
		_, size := it.Size.Known()
		switch {
		case it.Dim < 0 || !start || !size || it.Kind == infer.IndexArray:
			return false
		case pl.kernel.Core.IsSparseCore():
			if it.Kind == infer.IndexSlice && !it.Step.Is(1) {
				return false
			}
		case it.Kind == infer.IndexInt && i == len(e.Index)-1:
			if pl.pass.Chip == nil || pl.pass.Chip.Generation < 5 {
				return false
			}
		}
	}
	return true
}

// fits: a buffer of the shape leaves room in the core's memory, as far as its size is known.
func fits(s infer.Shape, e *infer.Event, limit int64) bool {
	n, ok := s.Size()
	return !ok || e.Refs[0].DType.Bytes(n) <= limit
}

// taken is the shape of what an event takes from the ref or puts there: all of it where it picks elements.
func taken(e *infer.Event) infer.Shape {
	if e.Op == infer.OpGather || e.Op == infer.OpScatter {
		return e.Refs[0].View
	}
	return e.Result
}

// limit is the size of a buffer in bytes that is not worth a thought.
func (pl *plan) limit() int64 {
	if pl.kernel.Core.IsSparseCore() {
		if c := pl.pass.Chip; c != nil && c.SparseCore != nil {
			return c.SparseCore.VMEM / 2
		}
		return 128 << 10
	}
	return 4 << 20
}
