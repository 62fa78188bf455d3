package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refStrided models the stride check of jax/_src/pallas/mosaic/lowering.py _slice_memref.
var refStrided = &rule.Rule{
	Name: "strided-ref-slice",
	Page: page("ref_strided.md"),
	Kernel: onEach(func(p *rule.Pass, k *infer.Kernel) {
		views(k, func(_ *infer.Event, r *infer.Ref, s infer.Step) {
			for _, x := range s.Index {
				step, known := x.Step.Known()
				if s.Kind != "at" || x.Kind != infer.IndexSlice || !known || step <= 1 {
					continue
				}
				p.Report(s.Loc, "this names every %s of %s; a part that `.at[...]` names has no gaps", nth(step), name(r)).
					Says("NotImplementedError: Strided slices of references are unsupported.")
			}
		})
	}),
}

func nth(n int64) string {
	switch n {
	case 2:
		return "second element"
	case 3:
		return "third element"
	}
	return "n-th element"
}
