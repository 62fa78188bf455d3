package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scScatterSrc models jax/_src/pallas/mosaic/sc_lowering.py _prepare_dma_refs for copies out of VMEM.
var scScatterSrc = &rule.Rule{
	Name: "sc-dma-scatter-src-indexed",
	Page: page("scatter_src.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			src, dst, ok := g.spaces()
			if !ok || g.slot != source || !src.Only(jax.VMEM) || !dst.Only(jax.HBM, jax.VMEMShared) {
				continue
			}
			g.report(p, "%s is the source of a copy from VMEM to %s; on the way out, only the destination can be indexed by a list", g.text(), dst).
				Says("ValueError: Only the destination ref can be indexed when doing a scatter via `pltpu.async_copy`")
		}
	},
}
