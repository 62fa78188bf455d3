package kernel

import (
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// pipelinePartition models jax/_src/pallas/mosaic/pipeline.py _partition_grid.
var pipelinePartition = &rule.Rule{
	Name: "pipeline-core-partition",
	Page: page("pipeline_partition.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() || !s.GridKnown || !s.Split() {
			return
		}
		v := s.Call.Arg("dimension_semantics")
		says := "NotImplementedError: Cannot partition over cores without parallel grid dimensions: dimension_semantics=..."
		if v == nil && !s.Call.Open || isNone(v) {
			p.Report(s.Loc, "the pipeline is to be split over cores, but no axis of its grid is parallel; add `dimension_semantics=(pltpu.PARALLEL, ...)`").Says("%s", says)
			return
		}
		t, ok := sequence(v)
		if !ok {
			return
		}
		if n := len(all(t)); n != len(s.Grid) {
			p.Report(argLoc(p, s, "dimension_semantics"), "`dimension_semantics` has %s for a grid of %s", plural(n, "entry"), plural(len(s.Grid), "axis")).
				Says("ValueError: dimension_semantics must be the same length as grid.").At(s.Loc)
			return
		}
		for _, e := range all(t) {
			if mayBeParallel(e) {
				return
			}
		}
		p.Report(argLoc(p, s, "dimension_semantics"), "the pipeline is to be split over cores, but no axis of its grid is `pltpu.PARALLEL`").Says("%s", says).At(s.Loc)
	},
}

// mayBeParallel: everything but a string or the other members of the enumeration.
func mayBeParallel(v infer.Value) bool {
	switch v := v.(type) {
	case infer.Str:
		return false
	case *infer.API:
		return !strings.HasSuffix(v.Name, "ARBITRARY") && !strings.HasSuffix(v.Name, "CORE_PARALLEL")
	}
	return true
}
