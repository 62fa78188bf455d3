package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// faults calls f for each fault of a kind that the kernel ran into.
func faults(w *infer.World, kind string, f func(x *infer.Fault, r *infer.Ref)) {
	for _, x := range w.Faults {
		if x.Kind != kind || len(x.Values) == 0 {
			continue
		}
		if r, ok := x.Values[0].(*infer.Ref); ok {
			f(x, r)
		}
	}
}

// refReshapeCount models jax/_src/state/types.py _canonicalize_reshape.
var refReshapeCount = &rule.Rule{
	Name: "ref-reshape-count",
	Page: page("ref_reshape_count.md"),
	World: func(p *rule.Pass, w *infer.World) {
		faults(w, "ref-reshape", func(x *infer.Fault, r *infer.Ref) {
			p.Report(x.Loc, "%s has shape %s; it can't be reshaped to %s, which has another number of elements", name(r), r.View, x.Detail).
				Says("ValueError: cannot reshape shape %s into shape %s", r.View, x.Detail)
		})
	},
}
