package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// waitSendLocal models jax/_src/pallas/mosaic/primitives.py AsyncCopyDescriptor.wait_send.
var waitSendLocal = &rule.Rule{
	Name: "dma-wait-send-local",
	Page: page("wait_send_local.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range waits(k) {
			if !called(e, "wait_send") || e.Desc.Remote || e.Desc.Call.Open {
				continue
			}
			p.Report(e.Loc, "`wait_send` waits for a copy to another device, and this one stays on its device").
				Says("RuntimeError: Cannot `wait_send` on a local copy. Use `wait_read()` to await `src_ref` read, or `wait()` to also await the write to `dst_ref`.").
				Also(e.Desc.Loc, "the copy is described here").
				Offer(waitInstead(e))
		}
	},
}
