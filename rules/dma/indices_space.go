package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// scIndicesSpace models the space check of jax/_src/pallas/mosaic/sc_lowering.py _extract_indirect_offsets_from_indices.
var scIndicesSpace = &rule.Rule{
	Name: "sc-dma-indices-space",
	Page: page("indices_space.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			r := g.indices()
			if r == nil || !r.Spaces.Never(jax.VMEM) {
				continue
			}
			g.report(p, "%s is in %s; the indices of a gather or scatter are read from VMEM", name(r), r.Spaces).
				Says("NotImplementedError: Indices for scatter/gather via `pltpu.async_copy` must be in VMEM, got %s", r.Spaces).
				Because(r.Why).
				Offer(inVMEM(p, k, r)).
				Offer(stage.Indices(p, g.e, r, g.item.Loc)...)
		}
	},
}
