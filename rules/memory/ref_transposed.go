package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refTransposed models the last case of jax/_src/pallas/mosaic/lowering.py _transform_ref.
var refTransposed = &rule.Rule{
	Name: "ref-transposed",
	Page: page("ref_transposed.md"),
	Kernel: onEach(func(p *rule.Pass, k *infer.Kernel) {
		views(k, func(e *infer.Event, r *infer.Ref, s infer.Step) {
			if s.Kind == "transpose" {
				loc := e.Loc
				if e.Desc != nil {
					loc = e.Desc.Loc
				}
				p.Report(loc, "%s is transposed as a ref; a TPU can transpose values, not the memory that they are in", name(r)).
					Says("NotImplementedError: Unsupported transform: TransposeTransform")
			}
		})
	}),
}
