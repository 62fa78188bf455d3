package memory

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refNewaxis models jax/_src/state/indexing.py NDIndexer.from_indices_shape, which knows no None. (A lone None of a load means all.)
var refNewaxis = &rule.Rule{
	Name: "ref-newaxis",
	Page: page("ref_newaxis.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		check := func(anchor parse.Loc, index []infer.IndexItem, fix *rule.Fix) {
			for _, x := range index {
				if x.Kind == infer.IndexNew && x.Loc.Valid() {
					p.Report(x.Loc, "None adds a dimension to a value, not to a ref: index the value that is loaded").At(anchor).
						Says("ValueError: `indices` must not be longer than `shape`").
						Offer(fix)
				}
			}
		}
		for _, e := range k.Events {
			if alone := written(e) == 1; !alone {
				check(e.Loc, e.Index, loadFirst(p, e))
			}
		}
		views(k, func(_ *infer.Event, _ *infer.Ref, s infer.Step) { check(s.Loc, s.Index, nil) })
	},
}

// written is the number of subscripts of an access, without those that stand for what is left out.
func written(e *infer.Event) int {
	n := 0
	for _, x := range e.Index {
		if x.Kind != infer.IndexFull || x.Node != nil {
			n++
		}
	}
	return n
}
