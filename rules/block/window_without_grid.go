package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// windowWithoutGrid models jax/_src/pallas/mosaic/lowering.py lower_jaxpr_into_pipelined_module.
var windowWithoutGrid = &rule.Rule{
	Name: "window-without-grid",
	Page: page("window_without_grid.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if !s.GridKnown || len(s.Grid) > 0 || o.Spec == nil || o.Ref.Spaces.HasAny(jax.ANY, jax.HBM) {
			return
		}
		if whole, known := o.Whole(); whole || !known {
			return
		}
		if _, _, wrong := rankMismatch(o); wrong {
			return
		}
		if _, unit := untiled(o); unit > 0 {
			return
		}
		p.Report(specArg(p, s, o, "block_shape"), "%s gets block %s of array %s, but the call has no grid; without one every block is the whole array",
			o.Title(), o.BlockOf(), o.Array).
			Says("NotImplementedError: Non-trivial windowing is not supported for grid-free pallas_call.").
			Offer(gridOfOne(p, s))
	}),
}
