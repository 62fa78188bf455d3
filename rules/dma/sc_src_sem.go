package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scSrcSem models jax/_src/pallas/mosaic/sc_lowering.py _dma_start_lowering_rule, and what libtpu refuses of what passes there.
var scSrcSem = &rule.Rule{
	Name: "sc-dma-src-sem",
	Page: page("sc_src_sem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range starts(k) {
			src, dst := e.Refs[source], e.Refs[destination]
			if e.Desc.Remote || e.Refs[sourceSemaphore] == nil || src == nil || dst == nil || !direct(src) || !direct(dst) || pushes(k.Core, src, dst) {
				continue
			}
			says := "ValueError: Source semaphore (`src_sem`) on a local copy is only supported for push streams (VMEM to HBM, VMEM_SHARED or SMEM, or VMEM_SHARED to SMEM) on SparseCore; pass `src_sem=None` and use `wait()`, which already guarantees completion of this transfer."
			if src.Spaces.Only(jax.VMEMShared) && dst.Spaces.Only(jax.SMEM) {
				says = "JaxRuntimeError: INTERNAL: 'sc_tpu.enqueue_transfer' op Source sflag is unsupported for pull stream transfers."
			}
			report(p, e, sourceSemaphore, "this copy from %s to %s can't signal a source semaphore; only one from VMEM to HBM or VMEM_SHARED can", src.Spaces, dst.Spaces).
				Says("%s", says).Because(src.Why).Because(dst.Why).
				Offer(oneSemaphore(p, e))
		}
	},
}

// pushes: the copy may be one of those whose source semaphore works, as far as is known.
func pushes(core jax.Core, src, dst *infer.Ref) bool {
	if !src.Spaces.Known() || !dst.Spaces.Known() {
		return true
	}
	return core == jax.SCVectorSubcore && src.Spaces.Has(jax.VMEM) && dst.Spaces.HasAny(jax.HBM, jax.VMEMShared)
}
