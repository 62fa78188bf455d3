package memory

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refOutOfBounds models the checks of slices in jax/_src/state/indexing.py NDIndexer.__post_init__. Integers are not checked in a kernel.
var refOutOfBounds = &rule.Rule{
	Name: "ref-slice-out-of-bounds",
	Page: page("ref_out_of_bounds.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Events {
			if e.Implicit {
				continue
			}
			if e.Desc == nil && len(e.Refs) > 0 && e.Refs[0] != nil {
				outside(p, e.Loc, e.Refs[0].View, e.Index)
			}
			for _, r := range e.Refs {
				if r == nil {
					continue
				}
				for _, s := range r.Steps {
					outside(p, s.Loc, s.From, s.Index)
				}
			}
		}
	},
}

func outside(p *rule.Pass, anchor parse.Loc, shape infer.Shape, index []infer.IndexItem) {
	for _, x := range index {
		dim, ok1 := shape.Dim(x.Dim).Known()
		start, ok2 := x.Start.Known()
		size, ok3 := x.Size.Known()
		step, ok4 := x.Step.Known()
		if x.Kind != infer.IndexSlice || x.Dim < 0 || !ok1 || !ok2 || x.Traced {
			continue
		}
		if _, python := x.Value.(*infer.SliceVal); python {
			start = min(start, dim) // as Python's slice.indices clamps it
		}
		if start >= dim {
			p.Report(x.Loc, "this slice starts at %d, at or behind the end of a dimension of %d", start, dim).At(anchor).
				Says("ValueError: Out of bound slice: start=%d, dim=%d.", start, dim)
			continue
		}
		if ok3 && ok4 && size > 0 && start+(size-1)*step >= dim {
			p.Report(x.Loc, "this slice ends at %d, behind the end of a dimension of %d", start+(size-1)*step, dim).At(anchor).
				Says("ValueError: Out of bound slice: start=%d, size=%d, stride=%d, dim=%d.", start, size, step, dim)
		}
	}
}
