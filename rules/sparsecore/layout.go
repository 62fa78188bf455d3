package sparsecore

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// needsNoLayoutPasses models what libtpu's infer-vector-layout pass does not know.
var needsNoLayoutPasses = &rule.Rule{
	Name: "sc-needs-no-layout-passes",
	Page: page("layout.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !compiled(k) || k.Core != jax.SCVectorSubcore || !layoutPasses(k) {
			return
		}
		for _, c := range k.Calls {
			if reducesVector(c) {
				p.Report(c.Loc, "`%s` on a vector needs `needs_layout_passes=False` in this kernel's compiler parameters", written(c)).
					Also(k.Site.Call.ArgLoc("compiler_params"), "the kernel's call").
					Says("Operation not supported in the Mosaic-SC infer-vector-layout pass. Set needs_layout_passes=False in the TPU custom call.").
					Offer(edit.Param(p, k.Site, "needs_layout_passes", "False", "Pass `needs_layout_passes=False`"))
			}
		}
	},
}

var layoutCalls = map[string]bool{
	"jax.numpy.sum": true, "jax.numpy.max": true, "jax.numpy.min": true, "jax.numpy.any": true, "jax.numpy.all": true,
	"jax.numpy.cumsum": true, "jax.lax.cumsum": true,
	plsc + "cumsum": true, plsc + "cummax": true, plsc + "all_reduce_population_count": true, plsc + "all_reduce_ffs": true,
}

// reducesVector: the call works across the lanes of a 32-bit vector that only the run knows.
func reducesVector(c *infer.Call) bool {
	if !layoutCalls[c.API] || len(c.Args) == 0 {
		return false
	}
	x, ok := c.Args[0].Value.(*infer.Array)
	if !ok || !x.Traced {
		return false
	}
	rank, known := x.Shape.Rank()
	return known && rank == 1 && (x.DType.Bits() == 32 && x.DType.Known() || x.DType == jax.Bool)
}

func written(c *infer.Call) string {
	switch {
	case len(c.API) > len(plsc) && c.API[:len(plsc)] == plsc:
		return name(c)
	case len(c.API) > 10 && c.API[:10] == "jax.numpy.":
		return "jnp." + c.API[10:]
	}
	return c.API
}
