package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// blockRank models jax/_src/pallas/core.py BlockSpec.to_block_mapping, and for pipelines the zip of block and ref in
// jax/_src/pallas/mosaic/pipeline.py BufferedRef.
var blockRank = &rule.Rule{
	Name: "block-rank-mismatch",
	Page: page("block_rank.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" || len(swappedPrefetch(s)) > 0 {
			return
		}
		for _, o := range s.Blocks() {
			if n, m, ok := rankMismatch(o); ok {
				p.Report(specArg(p, s, o, "block_shape"), "the block of %s has %s, its array %s has %d", o.Title(), plural(n, "dimension"), o.Array, m).
					Says("ValueError: Block shape for %s (= ...) must have the same number of dimensions as the array shape %s.", o.Origin(), o.Array).
					Also(s.Loc, "the call that gives it this array").
					Offer(matchRank(p, o, n, m))
			}
		}
	},
}

// rankMismatch: the block has n dimensions, the array m.
func rankMismatch(o *infer.Operand) (n, m int, ok bool) {
	m, known := o.Array.Rank()
	if o.Spec == nil || o.Spec.Dims == nil || o.Spec.NoBlock || !known {
		return 0, 0, false
	}
	return len(o.Spec.Dims), m, len(o.Spec.Dims) != m
}
