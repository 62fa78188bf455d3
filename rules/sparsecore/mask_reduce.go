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
	switch {
	case no(x.DType, jax.Bool):
		p.Report(c.Loc, "`%s` counts in a boolean mask; this is %s", name(c), x.DType).Says("TypeError: Mask all-reduce only supports bool arrays, got %s", x.DType)
	case ranked && rank != 1:
		p.Report(c.Loc, "`%s` takes a vector; this has shape %s", name(c), x.Shape).Says("ValueError: Mask all-reduce only supports 1D arrays")
	}
}
