package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// granule: libtpu's verifier of sc_tpu.enqueue_transfer. Streams, which need no semaphore, move words; DMAs move granules.
var granule = &rule.Rule{
	Name: "sc-dma-granule",
	Page: page("granule.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range starts(k) {
			src, dst := e.Refs[source], e.Refs[destination]
			if src == nil || dst == nil || e.Desc.Remote || !plain(src) || !plain(dst) || !src.Spaces.Known() || !dst.Spaces.Known() {
				continue
			}
			if refused(k.Core, src, dst, true) != jax.CopyOK || refused(k.Core, src, dst, false) != jax.CopyNeedsSemaphore {
				continue
			}
			size, known := src.View.Size()
			if !known {
				size, known = dst.View.Size()
			}
			bytes := src.Type.Bytes(size)
			if !known || bytes == 0 || bytes%32 == 0 || !cut(src) && !cut(dst) {
				continue
			}
			p.Report(e.Desc.Loc, "this copies %d bytes; from %s to %s a %s copies multiples of 32 bytes", bytes, src.Spaces, dst.Spaces, k.Core).
				Says("JaxRuntimeError: INTERNAL: 'sc_tpu.enqueue_transfer' op DMA transfer sizes must be multiples of granule size (32), but got transfer_size_bytes=%d", bytes)
		}
	},
}

// cut: the view takes a part of the last dimension. What takes all of it moves the padding of its tile too, which is whole granules.
func cut(r *infer.Ref) bool {
	for _, s := range r.Steps {
		if s.Kind != "at" {
			return false
		}
	}
	n, known := r.View.Rank()
	m, all := r.Shape.Rank()
	if !known || !all || n == 0 || m == 0 {
		return false
	}
	part, ok1 := r.View.Dims[n-1].Known()
	whole, ok2 := r.Shape.Dims[m-1].Known()
	return ok1 && ok2 && part < whole
}
