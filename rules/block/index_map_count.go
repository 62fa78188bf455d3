package block

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexMapCount models jax/_src/pallas/core.py BlockSpec.to_block_mapping; in a pipeline the zip of block and indices fails.
var indexMapCount = &rule.Rule{
	Name: "index-map-result-count",
	Page: page("index_map_count.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		for _, o := range s.Blocks() {
			n, want, ok := resultCount(s, o)
			if !ok || n == want {
				continue
			}
			if _, _, wrong := rankMismatch(o); wrong && s.API == "pallas_call" {
				continue // refused before
			}
			p.Report(here(p, returnLoc(o.Map), o.Spec.Loc, s.Loc), "the index map of %s returns %s, its block %s has %s", o.Title(), plural(n, "value"), o.BlockOf(), plural(want, "dimension")).
				Says("ValueError: Index map function %s for %s must return %d values to match block_shape=%s. Currently returning %d values:", o.Map.Func.Name, o.Origin(), want, o.BlockOf(), n).
				Also(specArg(p, s, o, "block_shape"), "the block shape").
				Offer(matchDims(p, o, n, want)).
				At(s.Loc)
		}
	},
}

// resultCount is how many values an index map returns, and how many it should.
func resultCount(s *infer.Site, o *infer.Operand) (n, want int, ok bool) {
	if o.Map == nil || o.Map.Func == nil || len(o.Map.Faults) > 0 || s.API == "pallas_call" && len(swappedPrefetch(s)) > 0 {
		return 0, 0, false
	}
	if s.API == "emit_pipeline" && !cuts(o) {
		return 0, 0, false
	}
	vs := o.Map.Values()
	want, known := o.BlockOf().Rank()
	return len(vs), want, vs != nil && known
}

// returnLoc is where an index map returns: the one return statement, the lambda, else its name.
func returnLoc(m *infer.MapRun) parse.Loc {
	if len(m.Returns) > 0 {
		return m.Returns[0]
	}
	return m.Func.Loc()
}

// cuts: the pipeline certainly cuts the ref, so that it needs the index map (jax/_src/pallas/mosaic/pipeline.py _spec_has_trivial_windowing).
func cuts(o *infer.Operand) bool {
	if o.Spec.NoBlock {
		return false
	}
	for _, d := range o.Spec.Dims {
		if d.Kind != "blocked" && d.Kind != "unknown" {
			return true
		}
	}
	same, known := o.BlockOf().Equal(o.Array)
	return known && !same
}
