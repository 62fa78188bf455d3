package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// barrierScalar is what libtpu says of the tpu.barrier op in a kernel without subcores.
var barrierScalar = &rule.Rule{
	Name: "sc-barrier-scalar",
	Page: page("barrier.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plsc + "subcore_barrier": func(p *rule.Pass, c *infer.Call) {
		k := c.Kernel
		if k == nil || k.Core != jax.SCScalarSubcore || k.Interpreted() || infer.Typed(c.Path) || len(c.Path) > 0 {
			return
		}
		p.Report(c.Loc, "a scalar subcore has no others to wait for; `plsc.subcore_barrier` is for a VectorSubcoreMesh").
			Says("INVALID_ARGUMENT: In kernel, function has a tpu.barrier op, but no dimension is annotated as subcore_parallel")
	}},
}
