package dma

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scPriority: libtpu has no priorities on a SparseCore.
var scPriority = &rule.Rule{
	Name: "sc-dma-priority",
	Page: page("sc_priority.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		priorities(k, func(e *infer.Event, n int64) {
			if n == 1 {
				p.Report(e.Call.ArgLoc("priority"), "a SparseCore copies without priorities; leave priority=1 out").At(e.Desc.Loc).
					Says("JaxRuntimeError: INTERNAL: Priority not supported on SparseCore.").
					Offer(edit.WithoutArg(p, e.Call, "priority", rule.Safe))
			}
		})
	},
}
