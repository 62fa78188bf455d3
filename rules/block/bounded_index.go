package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// boundedIndex models the check of indices in jax/_src/pallas/mosaic/pipeline.py _make_block_slice.
var boundedIndex = &rule.Rule{
	Name: "bounded-slice-index",
	Page: page("bounded_index.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() || !s.Called || s.OwnBuffers() {
			return
		}
		for _, o := range s.Blocks() {
			n, want, ok := resultCount(s, o)
			if !ok || n != want || o.Direct || o.Spec.Dims == nil || !cuts(o) {
				continue
			}
			for i, v := range o.Map.Values() {
				if o.Spec.Dims[i].Kind == "bounded_slice" && isNumber(v) {
					p.Report(here(p, returnLoc(o.Map), o.Spec.Loc, s.Loc), "the index map of %s returns a number for dimension %d, which is a `pl.BoundedSlice`; return `pl.ds(start, size)`, in elements", o.Title(), i).
						Says("ValueError: Must return a ds from the index_map for a BoundedSlice dimension.").
						At(s.Loc)
					break
				}
			}
		}
	},
}

func isNumber(v infer.Value) bool {
	switch v.(type) {
	case *infer.Int, *infer.Array:
		return true
	}
	return false
}
