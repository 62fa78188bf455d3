package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scWaitRead models jax/_src/pallas/mosaic/sc_lowering.py _dma_wait_lowering_rule for wait_read.
var scWaitRead = &rule.Rule{
	Name: "sc-dma-wait-read",
	Page: page("sc_wait_read.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range waits(k) {
			src, dst := ends(e)
			if !called(e, "wait_read") || e.Desc.Remote || e.Desc.Call.Open || src == nil || dst == nil || high(e) {
				continue
			}
			says := "ValueError: `wait_read()` is only supported for scatters, not gathers; use `wait()` to await the write into the local destination."
			if !indexed(src) {
				says = "ValueError: `wait_read()` on a local copy is only supported for push streams (VMEM to HBM, VMEM_SHARED or SMEM, or VMEM_SHARED to SMEM) on SparseCore; use `wait()` to await this transfer and guarantee both read and write completion."
			}
			if streaming(k.Core, src, dst) || !direct(dst) || !direct(src) && !indexed(src) {
				continue
			}
			p.Report(e.Loc, "this copy from %s to %s has no moment at which its source is read; `wait()` waits for all of it", src.Spaces, dst.Spaces).
				Says("%s", says).
				Also(e.Desc.Loc, "the copy is described here").
				Offer(waitInstead(e))
		}
	},
}

// streaming: the copy may be a push stream, as jax/_src/pallas/mosaic/sc_lowering.py _is_push_stream has it.
func streaming(core jax.Core, src, dst *infer.Ref) bool {
	if !src.Spaces.Known() || !dst.Spaces.Known() {
		return true
	}
	for _, a := range src.Spaces.List() {
		for _, b := range dst.Spaces.List() {
			if jax.SourceSemaphoreAllowed(core, a, b) {
				return true
			}
		}
	}
	return false
}
