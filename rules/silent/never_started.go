package silent

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// neverStarted: dma_wait blocks until its semaphore has been signalled, which only a copy does.
var neverStarted = &rule.Rule{
	Name:    "dma-never-started",
	Follows: true, // of a wait that is refused
	Page:    page("never_started.md"),
	Kernel: eachSemaphore(func(p *rule.Pass, k *infer.Kernel, t *traffic) {
		for _, w := range t.waits {
			if w.Op != infer.OpDMAWait || !within(p, w.Loc) || len(t.same(w, t.starts, t.others)) > 0 {
				continue
			}
			p.Report(w.Loc, "this waits for a copy that is never started: nothing in the kernel starts one on %s, so the wait has no end", name(w.Refs[2])).
				At(anchor(w.Event)).Also(w.Desc.Loc, "made here").
				Offer(startFirst(p, w.Event))
		}
	}),
}
