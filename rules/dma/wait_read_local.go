package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// waitReadLocal models jax/_src/pallas/mosaic/lowering.py _dma_wait_lowering_rule for wait_read.
var waitReadLocal = &rule.Rule{
	Name: "dma-wait-read-local",
	Page: page("wait_read_local.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, e := range waits(k) {
			if !called(e, "wait_read") || e.Desc.Remote || e.Desc.Call.Open || high(e) {
				continue
			}
			p.Report(e.Loc, "a TensorCore can't wait for the source of a copy within its device; `wait()` waits for all of it").
				Says("NotImplementedError: `wait_read` on a local copy without device_id is not implemented on TensorCore.").
				Also(e.Desc.Loc, "the copy is described here").
				Offer(waitInstead(e))
		}
	},
}
