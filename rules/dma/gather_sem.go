package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scGatherSem models the semaphore check of jax/_src/pallas/mosaic/sc_lowering.py _dma_start_lowering_rule for indexed copies.
var scGatherSem = &rule.Rule{
	Name: "sc-dma-indirect-sem",
	Page: page("gather_sem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			if g.e.Desc.Remote || !g.sound() {
				continue
			}
			none, extra := isNone(g.e.Slots[semaphore]), g.e.Refs[sourceSemaphore] != nil
			what := "has no semaphore; a gather or scatter needs one"
			if extra {
				what = "is given src_sem; a gather or scatter has one semaphore, `sem`"
			}
			if none || extra {
				p.Report(g.e.Desc.Loc, "this copy of %s %s", g.text(), what).
					Says("NotImplementedError: Specifying `sem=None` or `src_sem` in async_copy is not yet implemented for scatters/gathers.").
					Offer(syncCopy(p, g.e), oneSemaphore(p, g.e))
			}
		}
	},
}
