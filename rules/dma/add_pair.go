package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scAddPair models jax/_src/pallas/mosaic/sc_lowering.py _prepare_dma_refs for pairs of memories that have no adding copy.
var scAddPair = &rule.Rule{
	Name: "sc-dma-add-endpoints",
	Page: page("add_pair.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range adds(k) {
			src, dst := e.Refs[source], e.Refs[destination]
			if src == nil || dst == nil || !src.Spaces.Known() || !dst.Spaces.Known() || streams(src.Spaces, dst.Spaces) || !direct(src) || !direct(dst) {
				continue
			}
			p.Report(e.Desc.Loc, "this copy adds from %s to %s; adding goes from HBM or VMEM_SHARED to VMEM, or from VMEM to VMEM_SHARED", src.Spaces, dst.Spaces).
				Says("ValueError: DMAs with `add=True` are only supported from HBM/VMEM_SHARED to VMEM or from VMEM to VMEM_SHARED. Got (src, dst)=(%s, %s)", src.Spaces, dst.Spaces).
				Because(src.Why).Because(dst.Why)
		}
	},
}
