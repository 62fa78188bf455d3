package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refReshape1D models the rank check of jax/_src/pallas/mosaic/lowering.py _reshape_memref.
var refReshape1D = &rule.Rule{
	Name: "ref-reshape-1d",
	Page: page("ref_reshape_1d.md"),
	Kernel: onEach(func(p *rule.Pass, k *infer.Kernel) {
		views(k, func(_ *infer.Event, r *infer.Ref, s infer.Step) {
			if s.Kind == "reshape" && s.From.IsRank(1) && !squeezed(r) {
				p.Report(s.Loc, "%s has shape %s here; a ref of one dimension can't be reshaped", name(r), s.From).
					Says("NotImplementedError: Reshape 1D ref is not supported.")
			}
		})
	}),
}
