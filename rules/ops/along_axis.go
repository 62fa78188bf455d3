package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// gathered are operand and axis of a take_along_axis, where both are known.
func gathered(c *infer.Call) (*infer.Array, int, bool) {
	x, ok1 := array(c.Arg("arr"))
	idx, ok2 := array(c.Arg("indices"))
	if !ok1 || !ok2 {
		return nil, 0, false
	}
	rank, known := x.Shape.Rank()
	axis := int64(-1)
	if v := c.Arg("axis"); v != nil {
		if axis, ok1 = number(v); !ok1 {
			return nil, 0, false
		}
	}
	if axis < 0 {
		axis += int64(rank)
	}
	return x, int(axis), known && idx.Shape.IsRank(rank) && axis >= 0 && axis < int64(rank)
}

// gatherAxis models the check of the axis in jax/_src/pallas/mosaic/lowering.py _gather_lowering_rule.
var gatherAxis = &rule.Rule{
	Name: "gather-axis",
	Page: page("gather_axis.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		if x, axis, ok := gathered(c); ok && axis < len(x.Shape.Dims)-2 {
			p.Report(c.Loc, "%s along axis %d of an array of shape %s; a TensorCore gathers along the last two axes: move it there with `jnp.swapaxes`", callee(c), axis, x.Shape).
				Says("NotImplementedError: Only gathers along the two minormost dimensions supported on TC")
		}
	}), "jax.numpy.take_along_axis"),
}

// gatherAcross: libtpu gathers within one vector register, and 32-bit elements only.
var gatherAcross = &rule.Rule{
	Name: "gather-across-registers",
	Page: page("gather_across.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		x, axis, ok := gathered(c)
		if !ok || len(x.Shape.Dims) < 2 || axis < len(x.Shape.Dims)-2 {
			return
		}
		limit, what := int64(128), "lanes"
		if axis == len(x.Shape.Dims)-2 {
			limit, what = 8, "rows"
		}
		n, known := x.Shape.Dims[axis].Known()
		switch bits := x.DType.Bits(); {
		case bits > 0 && bits < 32 && x.DType.Known():
			p.Report(c.Loc, "%s of %s: a TensorCore gathers 32-bit elements; convert with `.astype` before, and back after", callee(c), x.DType).
				Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel ... Not implemented: Gather indices and result have different bitwidths")
		case known && n > limit && bits == 32:
			p.Report(c.Loc, "%s along an axis of %d: a TensorCore gathers within one register, which has %d %s; take it in parts", callee(c), n, limit, what).
				Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel ... Not implemented: Multiple source vregs along gather dimension")
		}
	}), "jax.numpy.take_along_axis"),
}
