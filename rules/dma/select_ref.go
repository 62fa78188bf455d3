package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scSelectRef models jax/_src/pallas/mosaic/sc_lowering.py _prepare_dma_refs, which takes each end for one ref between VMEM and the outside.
var scSelectRef = &rule.Rule{
	Name: "sc-select-ref",
	Page: page("select_ref.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range starts(k) {
			if !intoVMEM(e.Refs[source], e.Refs[destination]) && !intoVMEM(e.Refs[destination], e.Refs[source]) {
				continue
			}
			for _, end := range []int{source, destination} {
				if r := e.Refs[end]; r != nil && r.Selected {
					report(p, e, end, "a SparseCore can't copy between VMEM and what pl.select_ref chooses; branch on the index with pl.when, and copy one ref in each branch").
						Says("AttributeError: 'tuple' object has no attribute 'shape'")
				}
			}
		}
	},
}

// intoVMEM: one end is certainly VMEM, and the other HBM or VMEM_SHARED.
func intoVMEM(outside, inside *infer.Ref) bool {
	return outside != nil && inside != nil && outside.Spaces.Only(jax.HBM, jax.VMEMShared) && inside.Spaces.Only(jax.VMEM)
}
