package memory

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refNegativeStep models jax/_src/state/indexing.py Slice.from_slice and Slice.__post_init__.
var refNegativeStep = &rule.Rule{
	Name: "ref-negative-step",
	Page: page("ref_negative_step.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		subscripts(k, func(anchor parse.Loc, x infer.IndexItem) {
			step, known := x.Step.Known()
			if x.Kind != infer.IndexSlice || !known || step > 0 {
				return
			}
			says := "ValueError: slice must have a step >= 1 (found: %d)"
			if _, ds := x.Value.(*infer.Dynamic); ds {
				if step == 0 {
					return
				}
				says = "ValueError: `stride` must be >= 0."
			} else if step == 0 {
				says = "ValueError: slice step cannot be zero"
			}
			d := p.Report(x.Loc, "a slice of a ref steps forward: its step is at least 1, not %d", step).At(anchor)
			d.Raises = says
			if step < 0 && says != "ValueError: `stride` must be >= 0." {
				d.Says(says, step)
			}
		})
	},
}

// subscripts calls f for each subscript of each load, store and view that the kernel uses, with the indexing that it is part of.
func subscripts(k *infer.Kernel, f func(anchor parse.Loc, x infer.IndexItem)) {
	for _, e := range k.Events {
		for _, x := range e.Index {
			f(e.Loc, x)
		}
		for _, r := range e.Refs {
			if r == nil || e.Implicit {
				continue
			}
			for _, s := range r.Steps {
				for _, x := range s.Index {
					f(s.Loc, x)
				}
			}
		}
	}
}
