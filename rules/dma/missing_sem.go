package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// missingSem models the first check of jax/_src/pallas/mosaic/lowering.py _dma_start_lowering_rule and _dma_wait_lowering_rule.
var missingSem = &rule.Rule{
	Name: "dma-missing-semaphore",
	Page: page("missing_sem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) || !p.Release.AtLeast("0.12") { // before, a semaphore had to be given
			return
		}
		for _, e := range append(starts(k), waits(k)...) {
			if !isNone(e.Slots[semaphore]) || e.Desc.Remote || e.Which == "wait_read" || e.Which == "wait_send" {
				continue
			}
			p.Report(e.Desc.Loc, "this copy has no semaphore; on a TensorCore every copy needs a DMA semaphore, on which its end is signalled").
				Says("NotImplementedError: Local DMA semaphore cannot be None on TensorCore.").
				Offer(syncCopy(p, e))
		}
	},
}
