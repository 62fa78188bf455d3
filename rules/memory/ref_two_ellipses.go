package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refTwoEllipses models the first check of jax/_src/state/indexing.py NDIndexer.from_indices_shape.
var refTwoEllipses = &rule.Rule{
	Name: "ref-two-ellipses",
	Page: page("ref_two_ellipses.md"),
	World: func(p *rule.Pass, w *infer.World) {
		faults(w, "two-ellipses", func(x *infer.Fault, r *infer.Ref) {
			p.Report(x.Loc, "%s is indexed with two ellipses; only one can stand for all dimensions that are not named", name(r)).
				Says("ValueError: Only one ellipsis is supported.")
		})
	},
}
