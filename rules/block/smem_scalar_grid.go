package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// smemScalarGrid: a grid makes windows of all operands, and libtpu's pipeline emitter has none for scalars.
var smemScalarGrid = &rule.Rule{
	Name: "smem-scalar-with-grid",
	Page: page("smem_scalar_grid.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if !s.GridKnown || len(s.Grid) == 0 || !o.Array.IsRank(0) || !o.Ref.Spaces.Only(jax.SMEM) || o.DType.Bits() == 0 {
			return
		}
		p.Report(here(p, o.SpecLoc, s.Loc), "%s is a scalar in SMEM and the call has grid %s; with a grid, pass an array of shape (1,) or prefetch it", o.Title(), gridText(s.Grid)).
			Says("JaxRuntimeError: UNIMPLEMENTED: Mosaic failed to compile TPU kernel: Failed to set window params for %s %d: Scalar windows not implemented.", roleWord(o), o.Index).
			Also(argLoc(p, s, "grid"), "the grid")
	}),
}

func roleWord(o *infer.Operand) string {
	if o.Ref.Role == infer.Output {
		return "output"
	}
	return "input"
}
