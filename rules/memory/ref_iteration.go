package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refIteration: a ref in a kernel is a tracer that jax/_src/core.py can't iterate over. The blocks of a pipeline are views, which can.
var refIteration = &rule.Rule{
	Name: "ref-iteration",
	Page: page("ref_iteration.md"),
	World: func(p *rule.Pass, w *infer.World) {
		faults(w, "ref-iterated", func(x *infer.Fault, r *infer.Ref) {
			if x.Kernel == nil || x.Kernel.Site.API == "emit_pipeline" {
				return
			}
			p.Report(x.Loc, "%s is a ref, which is no sequence: loop over indices, and load `%s[i]`", name(r), r.Name).
				Says("TypeError: Value of type <class 'jax._src.interpreters.partial_eval.DynamicJaxprTracer'> is not iterable.")
		})
	},
}
