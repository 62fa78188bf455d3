package silent

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// neverWaited: a DMA signals its semaphore when it is done (jax/_src/pallas/mosaic/primitives.py dma_start); nothing else tells.
var neverWaited = &rule.Rule{
	Name:    "dma-never-waited",
	Follows: true, // of a wait that is refused
	Page:    page("never_waited.md"),
	Kernel: seen(func(p *rule.Pass, k *infer.Kernel) {
		all := semaphores(k)
		for _, s := range started(p, k) {
			done, known := awaited(all, s.Refs[2])
			if s.Desc.Remote {
				sent, ok := awaited(all, s.Refs[3])
				done, known = done || sent, known && ok
			}
			if done || !known {
				continue
			}
			p.Report(s.Desc.Loc, "the copy into %s is started and never waited for: nothing in the kernel waits on %s, so its data may come at any time",
				name(s.Refs[1]), name(s.Refs[2])).At(anchor(s)).Also(s.Loc, "started here").Offer(addWait(p, k, s))
		}
	}),
}

// started are the copies that the kernel starts, written in the file at hand.
func started(p *rule.Pass, k *infer.Kernel) (out []*infer.Event) {
	for _, e := range k.Flow() {
		if starts(e) && startedHere(p, e) {
			out = append(out, e)
		}
	}
	return out
}

// starts: the event starts a copy that something must wait for.
func starts(e *infer.Event) bool {
	return e.Op == infer.OpDMAStart && !e.Implicit && e.Desc != nil && !e.Desc.Sync
}

func startedHere(p *rule.Pass, s *infer.Event) bool { return within(p, s.Desc.Loc) && within(p, s.Loc) }
