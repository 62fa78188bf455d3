package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// addOnTC models the first check of jax/_src/pallas/mosaic/lowering.py _dma_start_lowering_rule.
var addOnTC = &rule.Rule{
	Name: "dma-add-on-tensorcore",
	Page: page("add_tc.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, e := range adds(k) {
			p.Report(e.Call.ArgLoc("add"), "this copy adds to its destination; on a TensorCore copies only overwrite").At(e.Desc.Loc).
				Says("NotImplementedError: DMA with add=True is not supported.")
		}
	},
}
