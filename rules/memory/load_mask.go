package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// mask is the mask that a pltpu.load or pltpu.store is given, nil when it is given none, or perhaps none.
func mask(e *infer.Event) *infer.Array {
	if !masked(e) || e.Call == nil {
		return nil
	}
	m, _ := e.Call.Arg("mask").(*infer.Array)
	return m
}

// loadMask models jax/_src/pallas/mosaic/lowering.py _load_lowering_rule, which has no masks.
var loadMask = &rule.Rule{
	Name: "load-with-mask",
	Page: page("load_mask.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, load := range loads(k) {
			if mask(load) != nil && !dropped(load) {
				p.Report(load.Call.ArgLoc("mask"), "a TensorCore loads whole vectors, without a mask").At(load.Loc).
					Says("NotImplementedError").Offer(whereLoaded(p, load))
			}
		}
	},
}
