package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// maskReduce models jax/_src/pallas/mosaic/sc_primitives.py _mask_all_reduce_abstract_eval.
var maskReduce = &rule.Rule{
	Name: "sc-mask-all-reduce",
	Page: page("mask_reduce.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plsc + "all_reduce_population_count": checkMaskReduce, plsc + "all_reduce_ffs": checkMaskReduce},
}

func checkMaskReduce(p *rule.Pass, c *infer.Call) {
	x := arrayArg(c, "x")
	if x == nil {
		return
	}
	rank, ranked := x.Shape.Rank()
	reduce, given := factor(p, c)
	size, sized := x.Shape.Dim(0).Known()
	switch {
	case no(x.DType, jax.Bool):
		p.Report(c.Loc, "`%s` counts in a boolean mask; this is %s", name(c), x.DType).Says("TypeError: Mask all-reduce only supports bool arrays, got %s", x.DType).
			Offer(notZero(p, c.ArgLoc("x"), x.DType))
	case given && reduce < 1:
		p.Report(c.ArgLoc("reduce"), "`%s` folds %d lanes into one; it takes at least 1", name(c), reduce).At(c.Loc).
			Says("ValueError: reduce must be >=1, got %d", reduce)
	case ranked && rank != 1:
		p.Report(c.Loc, "`%s` takes a vector; this has shape %s", name(c), x.Shape).Says("ValueError: Mask all-reduce only supports 1D arrays")
	case ranked && given && sized && size%reduce != 0:
		p.Report(c.ArgLoc("reduce"), "`%s` folds %d lanes into one; the mask has %d, which is no multiple of that", name(c), reduce, size).At(c.Loc).
			Says("ValueError: reduce=%d must divide the dimension size %d", reduce, size)
	}
}

// factor is the lanes that share a result, when they are known and the release looks at them: before 0.12 any number but 0 was taken.
func factor(p *rule.Pass, c *infer.Call) (int64, bool) {
	n, ok := c.Arg("reduce").(*infer.Int)
	if !ok || !p.Release.AtLeast("0.12") {
		return 0, false
	}
	return n.Known()
}
