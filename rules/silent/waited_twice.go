package silent

import (
	"slices"
	"strconv"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// waitedTwice: each wait takes from the semaphore what one copy of that size has added.
var waitedTwice = &rule.Rule{
	Name: "dma-waited-twice",
	Page: page("waited_twice.md"),
	Kernel: eachSemaphore(func(p *rule.Pass, k *infer.Kernel, t *traffic) {
		if len(t.others) > 0 || t.remote() || !straight(slices.Concat(t.starts, t.waits)) {
			return
		}
		for _, w := range t.waits {
			waits, starts := t.same(w, t.waits), t.same(w, t.starts)
			n := len(waits)
			if len(starts) == 0 || n <= len(starts) || w.Event != waits[n-1].Event || !alike(slices.Concat(waits, starts)) || !within(p, w.Loc) {
				continue
			}
			p.Report(w.Loc, "the kernel waits %s on %s and starts %s: this wait has no end", times(n), name(w.Refs[2]), copies(len(starts))).At(anchor(w.Event)).
				Also(starts[len(starts)-1].Loc, "started here").Also(waits[n-2].Loc, "waited for here already").
				Offer(waitOnce(p, w.Event))
		}
	}),
}

// straight: the events are all done as often as each other: whatever condition or loop one is under, all are.
func straight(es []use) bool {
	for _, e := range es {
		if e.Kernel != es[0].Kernel || !infer.Within(e.Path, es[0].Path) || !infer.Within(es[0].Path, e.Path) {
			return false
		}
	}
	return len(es) > 0
}

// alike: what the events move has one size, so that one wait takes what one copy gives.
func alike(es []use) bool {
	first := es[0]
	for _, e := range es {
		if e.Op != infer.OpDMAStart && e.Op != infer.OpDMAWait || e.Refs[1] == nil || first.Refs[1] == nil {
			return false
		}
		if e.Desc == first.Desc {
			continue
		}
		eq, known := e.Refs[1].View.Equal(first.Refs[1].View)
		if !known || !eq || e.Refs[1].Type != first.Refs[1].Type || e.Refs[1].Type == "" {
			return false
		}
	}
	return true
}

func times(n int) string {
	if n == 2 {
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

func copies(n int) string {
	if n == 1 {
		return "one copy"
	}
	return strconv.Itoa(n) + " copies"
}
