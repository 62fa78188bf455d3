package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// semIndexed models the semaphore checks of jax/_src/pallas/mosaic/primitives.py _dma_start_abstract_eval and _dma_wait_abstract_eval.
var semIndexed = &rule.Rule{
	Name: "dma-sem-indexed-value",
	Page: page("sem_indexed.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		check := func(events []*infer.Event, says string, slots ...int) {
			for _, e := range events {
				for _, slot := range slots {
					if !isValue(e.Slots[slot]) {
						continue
					}
					report(p, e, slot, "%s is a value, not a ref; a copy needs the semaphore itself, which `.at[...]` picks from an array", text(e.Locs[slot], "this")).
						Says("ValueError: %s", says).
						Offer(atFix(e, slot))
				}
			}
		}
		check(starts(k), "DMA destination semaphore must be a Ref.", semaphore, sourceSemaphore)
		check(waits(k), "Expected the destination semaphore to be a reference", semaphore)
	},
}
