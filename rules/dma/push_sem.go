package dma

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// pushSem models the warning of jax/_src/pallas/mosaic/sc_lowering.py _dma_start_lowering_rule. Of sync_copy, which always gives a semaphore,
// nobody can do anything about it.
var pushSem = &rule.Rule{
	Name: "sc-dma-push-sem-ignored",
	Page: page("push_sem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) || !p.Release.AtLeast("0.12") {
			return
		}
		for _, e := range starts(k) {
			src, dst := e.Refs[source], e.Refs[destination]
			if e.Desc.Sync || e.Desc.Remote || e.Refs[semaphore] == nil || src == nil || dst == nil || !direct(src) || !direct(dst) || !certainlyPushes(k.Core, src, dst) {
				continue
			}
			report(p, e, semaphore, "the semaphore of this copy from %s to %s is not used: its end is known without", src.Spaces, dst.Spaces).
				Says("SparseCorePushStreamWarning: Destination semaphore is ignored for push streams").
				Offer(edit.WithoutArg(p, e.Desc.Call, "sem", rule.Unsafe))
		}
	},
}

func certainlyPushes(core jax.Core, src, dst *infer.Ref) bool {
	a, b := src.Spaces.One(), dst.Spaces.One()
	return a != 0 && b != 0 && jax.SourceSemaphoreAllowed(core, a, b)
}
