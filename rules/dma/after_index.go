package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scAfterIndex models the last check of jax/_src/pallas/mosaic/sc_lowering.py _extract_indirect_offsets.
var scAfterIndex = &rule.Rule{
	Name: "sc-dma-transform-after-index",
	Page: page("after_index.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			if !g.sound() || g.step == len(g.ref.Steps)-1 {
				continue
			}
			g.report(p, "%s goes on after the list of indices; in a gather or scatter the list comes last", g.text()).
				Says("NotImplementedError: The indexed ref in scatter/gather via `pltpu.async_copy` cannot have any transforms following the indexer").
				Offer(inOne(p, g))
		}
	},
}
