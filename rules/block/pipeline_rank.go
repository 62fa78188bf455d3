package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// pipelineRank models the zip of block and ref in jax/_src/pallas/mosaic/pipeline.py BufferedRef.get_dma_slice.
var pipelineRank = &rule.Rule{
	Name: "pipeline-block-rank",
	Page: page("pipeline_rank.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() || !s.Called || s.Outer == nil || s.OwnBuffers() || s.Miscounted() {
			return
		}
		for _, o := range s.Blocks() {
			n, m, wrong := rankMismatch(o)
			if !wrong {
				continue
			}
			p.Report(here(p, o.Spec.Call.ArgLoc("block_shape"), o.Spec.Loc, s.Loc), "the block of %s has %s, the ref %s that it is cut from has %d", o.Title(), plural(n, "dimension"), o.Array, m).
				Says("ValueError: safe_zip() argument 1 has length %d but argument 0 has length %d.", m, n).
				Also(s.CallLoc, "the pipeline is given its refs here").
				At(s.Loc).
				Offer(matchRank(p, o, n, m))
		}
	},
}
