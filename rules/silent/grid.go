package silent

import (
	"strconv"
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// shared: the memory is seen by other cores than the one that the kernel runs on.
func shared(a *infer.Alloc) bool {
	return a.Spaces.HasAny(jax.VMEMShared, jax.HBM, jax.ANY, jax.HOST)
}

// gridAtom is the index map's argument for an axis of the grid.
func gridAtom(axis int) string { return "grid index " + strconv.Itoa(axis) }

// components are the values of an operand's index map as linear forms of the grid's indices; nil where one is not known.
func components(o *infer.Operand) []*infer.Int {
	if o.Map == nil || len(o.Map.Faults) > 0 {
		return nil
	}
	var out []*infer.Int
	for _, v := range o.Map.Values() {
		n := linear(v)
		if n == nil {
			return nil
		}
		out = append(out, n)
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
		if by, known := slope(n, axis); !known || by != 0 {
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
