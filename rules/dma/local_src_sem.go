package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// localSrcSem models jax/_src/pallas/mosaic/lowering.py _dma_start_lowering_rule for local copies with a source semaphore.
var localSrcSem = &rule.Rule{
	Name: "local-copy-src-sem",
	Page: page("local_src_sem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, e := range starts(k) {
			if e.Desc.Remote || e.Refs[sourceSemaphore] == nil || e.Refs[semaphore] == nil || e.Refs[semaphore].Mem != nil && e.Refs[semaphore].Mem.Mesh != nil {
				continue
			}
			report(p, e, sourceSemaphore, "a copy within a device takes one semaphore on a TensorCore; src_sem is for copies to another device").
				Says("NotImplementedError: Source semaphore (`src_sem`) on a local copy without device_id is not implemented on TensorCore.").
				Offer(oneSemaphore(p, e))
		}
	},
}
