package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scGatherPair models jax/_src/pallas/mosaic/sc_lowering.py _prepare_dma_refs for pairs of memories that have no indexed copy.
var scGatherPair = &rule.Rule{
	Name: "sc-dma-indirect-endpoints",
	Page: page("gather_pair.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			src, dst, ok := g.spaces()
			if !ok || streams(src, dst) {
				continue
			}
			g.report(p, "%s is indexed by a list in a copy from %s to %s; indexed copies go between VMEM and HBM or VMEM_SHARED only", g.text(), src, dst).
				Says("NotImplementedError: Scatter/gather via `pltpu.async_copy` from %s to %s is not supported", src, dst).
				Because(g.e.Refs[source].Why).Because(g.e.Refs[destination].Why)
		}
	},
}
