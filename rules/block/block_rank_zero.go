package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// blockRankZero models jax/_src/pallas/mosaic/lowering.py _check_block_mappings.
var blockRankZero = &rule.Rule{
	Name: "block-rank-zero",
	Page: page("block_rank_zero.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if !o.Array.IsRank(0) || o.DType.Bits() == 0 || !o.Ref.Spaces.Never(jax.SMEM, jax.Semaphore, jax.KEY, jax.INDEX, jax.ERROR) {
			return
		}
		if o.Spec != nil && !o.Spec.NoBlock && (o.Spec.Dims == nil || len(o.Spec.Dims) > 0) {
			return // another rank: refused before
		}
		p.Report(here(p, o.SpecLoc, argLoc(p, s, specsOf(o)), s.Loc), "%s is a scalar in %s; a block needs a dimension, a scalar belongs in SMEM", o.Title(), o.Ref.Spaces).
			Says("ValueError: The Pallas TPU lowering currently supports only blocks of rank >= 1.").
			Because(o.Ref.Why).
			Offer(scalarSpace(p, s, o))
	}),
}

// specsOf names the argument that holds the specs of an operand.
func specsOf(o *infer.Operand) string {
	if o.Ref != nil && o.Ref.Role == infer.Output {
		return "out_specs"
	}
	return "in_specs"
}
