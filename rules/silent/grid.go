package silent

import (
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// shared: the memory is seen by other cores than the one that the kernel runs on.
func shared(a *infer.Alloc) bool {
	return a.Spaces.HasAny(jax.VMEMShared, jax.HBM, jax.ANY, jax.HOST)
}

// gridAtom is the index map's argument for an axis of the grid.
func gridAtom(axis int) string { return "grid index " + strconv.Itoa(axis) }

// components are the values of an operand's index map as linear forms of the grid's indices, nil where one is not known; nil as a whole
// when there are not as many as the block has dimensions.
func components(o *infer.Operand) []*infer.Int {
	if o.Spec == nil || o.Map == nil || len(o.Map.Faults) > 0 || len(o.Map.Values()) != len(o.Spec.Dims) {
		return nil
	}
	var out []*infer.Int
	for _, v := range o.Map.Values() {
		out = append(out, linear(v))
	}
	return out
}

func linear(v infer.Value) *infer.Int {
	switch v := v.(type) {
	case *infer.Int:
		return v
	case *infer.Array:
		return v.Lin
	}
	return nil
}

// slope is by how much a component grows with an axis; known is false where it depends on the axis in another way.
func slope(n *infer.Int, axis int) (by int64, known bool) {
	if n == nil {
		return 0, false
	}
	known = true
	for _, t := range n.Terms {
		switch {
		case t.Atom == gridAtom(axis):
			by = t.Coef
		case t.Of != nil && mentions(t.Of, axis), t.Of == nil && strings.Contains(t.Atom, gridAtom(axis)):
			known = false
		}
	}
	return by, known
}

func mentions(o *infer.IntOp, axis int) bool {
	for _, n := range []*infer.Int{o.L, o.R} {
		for _, t := range n.Terms {
			if t.Atom == gridAtom(axis) || t.Of != nil && mentions(t.Of, axis) {
				return true
			}
		}
	}
	return false
}

// moves: the operand's block is for certain another one when the index of the axis grows by one.
func moves(o *infer.Operand, axis int) bool {
	for _, n := range components(o) {
		if by, known := slope(n, axis); known && by != 0 {
			return true
		}
	}
	return false
}

// stays: the operand's block is for certain the same whatever the index of the axis is.
func stays(o *infer.Operand, axis int) bool {
	ns := components(o)
	for _, n := range ns {
		if by, known := slope(n, axis); n == nil || !known || by != 0 {
			return false
		}
	}
	return ns != nil
}

// several: the axis has more than one step, or a number of steps that is not known but was computed.
func several(n *infer.Int) bool {
	k, ok := n.Known()
	return n != nil && (!ok || k > 1)
}

// gridRange is the range of the grid's indices, of those axes whose size is known.
func gridRange(s *infer.Site, atomOf func(axis int) string) infer.Ranges {
	of := make(map[string]infer.Range, len(s.Grid))
	for i, n := range s.Grid {
		if k, ok := n.Known(); ok && k > 0 {
			of[atomOf(i)] = infer.Range{Lo: 0, Hi: k - 1}
		}
	}
	return func(atom string) (infer.Range, bool) {
		r, ok := of[atom]
		return r, ok
	}
}

// reach is what one dimension of an operand is cut into, and which of the blocks the grid touches.
type reach struct {
	dim, block, count int64 // count: how many blocks the array has
	index             *infer.Int
	infer.Range
}

// reaches are the dimensions of which it is known which blocks the grid touches, by their number.
func reaches(s *infer.Site, o *infer.Operand) map[int]reach {
	out := map[int]reach{}
	if o.Spec == nil || len(o.Spec.Dims) != len(o.Array.Dims) || o.Ref == nil || o.Ref.Alloc.Guess || o.Direct {
		return out
	}
	ranges := gridRange(s, gridAtom)
	for d, n := range components(o) {
		kind := o.Spec.Dims[d].Kind
		dim, ok1 := o.Array.Dims[d].Known()
		block, ok2 := o.Spec.Dims[d].Size.Known()
		r, ok3 := n.Range(ranges)
		if ok1 && ok2 && ok3 && block > 0 && (kind == "blocked" || kind == "squeezed") {
			out[d] = reach{dim, block, (dim + block - 1) / block, n, r}
		}
	}
	return out
}

// windowed reports whether the operand is cut into blocks that are brought to the kernel.
func windowed(o *infer.Operand) bool {
	return o.Ref != nil && o.Ref.Spaces.Known() && !o.Ref.Spaces.HasAny(jax.ANY, jax.HBM, jax.HOST)
}

// gridded: a call that runs a kernel over the blocks of its operands.
func gridded(s *infer.Site) bool {
	return (s.API == "pallas_call" || s.API == "emit_pipeline") && forTPU(s.Core) && s.GridKnown && len(s.Grid) > 0 && !s.Open
}

// specArg is where an argument of the operand's BlockSpec is written.
func specArg(p *rule.Pass, s *infer.Site, o *infer.Operand, name string) parse.Loc {
	for _, l := range []parse.Loc{o.Spec.Call.ArgLoc(name), o.Spec.Loc, s.Loc} {
		if l.Valid() && within(p, l) {
			return l
		}
	}
	return s.Loc
}

// gridArg is where the size of an axis of the grid is written.
func gridArg(p *rule.Pass, s *infer.Site, axis int) parse.Loc {
	locs := []parse.Loc{}
	if t, ok := sequence(s.GridArg); ok {
		locs = append(locs, t.ElemLoc(axis))
	}
	if g, ok := s.Call.Arg("grid_spec").(*infer.GridSpec); ok && g.Call != nil && g.Call.Bound["grid"] != nil {
		locs = append(locs, g.Call.ArgLoc("grid"))
	}
	for _, l := range append(locs, s.Call.ArgLoc("grid"), s.Loc) {
		if l.Valid() && within(p, l) {
			return l
		}
	}
	return s.Loc
}

func sequence(v infer.Value) (*infer.Tuple, bool) {
	if l, ok := v.(*infer.List); ok {
		v = l.Content()
	}
	t, ok := v.(*infer.Tuple)
	return t, ok
}
