package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// semType models the type check of jax/_src/pallas/mosaic/primitives.py _dma_wait_abstract_eval, and what the verifier wants of a start.
var semType = &rule.Rule{
	Name: "dma-semaphore-type",
	Page: page("sem_type.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range waits(k) {
			ref := e.Refs[semaphore]
			if ref != nil && (ref.Type == jax.Sem || ref.Type == jax.BarrierSem) {
				report(p, e, semaphore, "%s is a %s semaphore; a wait for a copy needs a DMA semaphore", text(e.Locs[semaphore], name(ref)), semWord(ref.Type)).
					Says("ValueError: dma_wait requires a DMA semaphore, but got a regular semaphore. Use pl.semaphore_wait() instead.").
					Because(&infer.Why{Loc: ref.Alloc.Loc, Reason: "allocated here"}).
					Offer(ofType(p, k, ref, "REGULAR", "DMA"))
			}
		}
		if k.Interpreted() {
			return
		}
		for _, e := range starts(k) {
			for _, slot := range []int{semaphore, sourceSemaphore} {
				if ref := e.Refs[slot]; isData(ref) {
					report(p, e, slot, "%s holds data in %s; a copy signals its end on a DMA semaphore", text(e.Locs[slot], name(ref)), ref.Spaces).
						Says("%s", dataSays(ref)).
						Because(ref.Why)
				}
			}
		}
	},
}

func semWord(d jax.DType) string {
	if d == jax.BarrierSem {
		return "barrier"
	}
	return "regular"
}

func dataSays(r *infer.Ref) string {
	if n, known := r.View.Rank(); known && n > 0 {
		return "ValueError: Cannot signal on a non-()-shaped semaphore: " + r.View.String()
	}
	return "VerificationError: Pallas encountered an internal verification error. ... 'tpu.enqueue_dma' op operand #2 must be memref of dma semaphore"
}
