package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scGatherDst models jax/_src/pallas/mosaic/sc_lowering.py _prepare_dma_refs for copies into VMEM.
var scGatherDst = &rule.Rule{
	Name: "sc-dma-gather-dst-indexed",
	Page: page("gather_dst.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			src, dst, ok := g.spaces()
			if !ok || g.slot != destination || !src.Only(jax.HBM, jax.VMEMShared) || !dst.Only(jax.VMEM) {
				continue
			}
			g.report(p, "%s is the destination of a copy from %s to VMEM; on the way in, only the source can be indexed by a list", g.text(), src).
				Says("ValueError: Only the source ref can be indexed when doing a gather via `pltpu.async_copy`")
		}
	},
}
