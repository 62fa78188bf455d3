package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scNeedsSem: libtpu moves some pairs by streams that need no semaphore, and all others by DMAs that do.
var scNeedsSem = &rule.Rule{
	Name: "sc-dma-needs-semaphore",
	Page: page("sc_needs_sem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range starts(k) {
			if !isNone(e.Slots[semaphore]) || e.Desc.Remote || !isNone(e.Slots[sourceSemaphore]) {
				continue
			}
			src, dst := e.Refs[source], e.Refs[destination]
			if src == nil || dst == nil || !direct(src) || !direct(dst) || refused(k.Core, src, dst, false) != jax.CopyNeedsSemaphore {
				continue
			}
			p.Report(e.Desc.Loc, "this copy from %s to %s has no semaphore; on a %s it needs one", src.Spaces, dst.Spaces, k.Core).
				Says("JaxRuntimeError: INTERNAL: 'sc_tpu.enqueue_transfer' op DMA transfers require target sflag to be specified.").
				Because(src.Why).Because(dst.Why).
				Offer(syncCopy(p, e))
		}
	},
}

// refused is why the core can't copy from one ref to the other, when that is so wherever the two may be.
func refused(core jax.Core, src, dst *infer.Ref, sem bool) jax.CopyRefusal {
	why := jax.CopyOK
	for _, a := range src.Spaces.List() {
		for _, b := range dst.Spaces.List() {
			ok, because := jax.CopyAllowed(core, a, b, sem)
			if ok {
				return jax.CopyOK
			}
			why = because
		}
	}
	return why
}
