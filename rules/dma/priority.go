package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// priorities calls f for each copy that is started with a known priority.
func priorities(k *infer.Kernel, f func(e *infer.Event, priority int64)) {
	for _, e := range starts(k) {
		if n, ok := e.Call.Arg("priority").(*infer.Int); ok {
			if v, known := n.Known(); known {
				f(e, v)
			}
		}
	}
}

// priority models jax/_src/pallas/mosaic/primitives.py _dma_start_abstract_eval, and the verifier of tpu.enqueue_dma.
var priority = &rule.Rule{
	Name: "dma-priority",
	Page: page("priority.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		priorities(k, func(e *infer.Event, n int64) {
			says := ""
			switch {
			case n < 0:
				says = "ValueError: DMA start priority must be non-negative: %d"
			case n > 1 && onTPU(k):
				says = "VerificationError: Pallas encountered an internal verification error. ... 'tpu.enqueue_dma' op Not implemented: only support priority 0 or 1, but got %d"
			default:
				return
			}
			p.Report(e.Call.ArgLoc("priority"), "the priority of a copy is 0 or 1, not %d", n).At(e.Desc.Loc).Says(says, n)
		})
	},
}
