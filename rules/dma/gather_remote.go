package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scGatherRemote models the device check of jax/_src/pallas/mosaic/sc_lowering.py _dma_start_lowering_rule for indexed copies.
var scGatherRemote = &rule.Rule{
	Name: "sc-dma-indirect-remote",
	Page: page("gather_remote.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			if !g.e.Desc.Remote || isNone(g.e.Desc.Device) || !g.sound() {
				continue
			}
			g.report(p, "%s is indexed by a list in a copy to another device; gathers and scatters stay on one device", g.text()).
				Says("NotImplementedError: Scatter/gather to or from a remote device via `pltpu.async_copy` is not supported")
		}
	},
}
