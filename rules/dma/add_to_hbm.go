package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scAddToHBM models jax/_src/pallas/mosaic/sc_lowering.py _prepare_dma_refs for scatters that add.
var scAddToHBM = &rule.Rule{
	Name: "sc-dma-add-to-hbm",
	Page: page("add_to_hbm.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) || !p.Release.AtLeast("0.12") {
			return
		}
		for _, e := range adds(k) {
			src, dst := e.Refs[source], e.Refs[destination]
			if src == nil || dst == nil || !src.Spaces.Only(jax.VMEM) || !dst.Spaces.Only(jax.HBM) {
				continue
			}
			report(p, e, destination, "%s is in HBM; a copy that adds can add to VMEM_SHARED from VMEM, not to HBM", name(dst)).
				Says("ValueError: Scatter from VMEM with `add=True` via `pltpu.async_copy` is only supported when the destination is in VMEM_SHARED, got HBM").
				Because(dst.Why)
		}
	},
}
