package ops

import (
	"strconv"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const roll = "jax.experimental.pallas.tpu.roll"

// rollShift models the first check of jax/_src/pallas/mosaic/primitives.py roll. A shift that only the run knows is not checked.
var rollShift = &rule.Rule{
	Name: "roll-negative-shift",
	Page: page("roll_shift.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		shift, ok := number(c.Arg("shift"))
		if !ok || shift >= 0 {
			return
		}
		d := p.Report(c.ArgLoc("shift"), "a shift of %d: `pltpu.roll` wants a number that is not negative; the size of the dimension less %d does the same", shift, -shift).
			At(c.Loc).Says("ValueError: shift must be non-negative.")
		if n, ok := rolled(c); ok {
			d.Offer(replaced(c, "shift", strconv.FormatInt((shift%n+n)%n, 10), "Roll by the rest of the dimension"))
		}
	}), roll),
}

// rolled is the size of the dimension that a call rolls.
func rolled(c *infer.Call) (int64, bool) {
	x, ok := array(c.Arg("x"))
	axis, known := number(c.Arg("axis"))
	if !ok || !known || axis < 0 {
		return 0, false
	}
	n, ok := x.Shape.Dim(int(axis)).Known()
	return n, ok && n > 0
}

// rollAxis models the check of the axis, which is counted from the front only.
var rollAxis = &rule.Rule{
	Name: "roll-axis",
	Page: page("roll_axis.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		axis, known := number(c.Arg("axis"))
		if !known {
			return
		}
		x, _ := array(c.Arg("x"))
		rank, rankKnown := 0, false
		if x != nil {
			rank, rankKnown = x.Shape.Rank()
		}
		switch at := int64(rank) + axis; {
		case axis < 0:
			d := p.Report(c.ArgLoc("axis"), "axis %d: `pltpu.roll` counts axes from the front", axis).At(c.Loc).Says("ValueError: axis is out of range.")
			if rankKnown && at >= 0 {
				d.Offer(replaced(c, "axis", strconv.FormatInt(at, 10), "Count from the front"))
			}
		case rankKnown && axis >= int64(rank):
			p.Report(c.ArgLoc("axis"), "axis %d of an array of shape %s, which has %d", axis, x.Shape, rank).At(c.Loc).Says("ValueError: axis is out of range.")
		}
	}), roll),
}

// rollStride models the checks of stride and stride_axis.
var rollStride = &rule.Rule{
	Name: "roll-stride",
	Page: page("roll_stride.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		stride, axis := given(c, "stride"), given(c, "stride_axis")
		if maybe(stride) || maybe(axis) {
			return
		}
		n, known := number(stride)
		k, axisKnown := number(axis)
		over, overKnown := number(c.Arg("axis"))
		switch {
		case stride != nil && axis == nil:
			p.Report(c.ArgLoc("stride"), "`stride` without `stride_axis`: along which axis the shift grows is not said").At(c.Loc).
				Says("ValueError: stride and stride_axis must be both specified or not.")
		case stride == nil && axis != nil:
			p.Report(c.ArgLoc("stride_axis"), "`stride_axis` without `stride`: by how much the shift grows along it is not said").At(c.Loc).
				Says("ValueError: stride and stride_axis must be both specified or not.")
		case known && n < 0:
			p.Report(c.ArgLoc("stride"), "a stride of %d: `pltpu.roll` wants one that is not negative", n).At(c.Loc).Says("ValueError: stride must be non-negative.")
		case axisKnown && overKnown && k == over:
			p.Report(c.ArgLoc("stride_axis"), "`stride_axis` is the axis that is rolled; the shift grows along another one").At(c.Loc).
				Says("ValueError: expected axis and stride_axis are different.")
		}
	}), roll),
}
