package dma

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// semShaped models the shape check of jax/_src/pallas/mosaic/primitives.py _dma_start_abstract_eval; the verifier has one for waits.
var semShaped = &rule.Rule{
	Name: "dma-sem-shaped",
	Page: page("sem_shaped.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range append(starts(k), waits(k)...) {
			for _, slot := range []int{semaphore, sourceSemaphore} {
				ref := e.Refs[slot]
				n, known := 0, false
				if isSemaphore(ref) {
					n, known = ref.View.Rank()
				}
				if !known || n == 0 {
					continue
				}
				report(p, e, slot, "%s is an array of semaphores of shape %s; a copy takes one of them", text(e.Locs[slot], name(ref)), ref.View).
					Says("ValueError: Cannot signal on a non-()-shaped semaphore: %s", ref.View).
					Because(&infer.Why{Loc: ref.Alloc.Loc, Reason: "the semaphores are allocated here"}).
					Offer(pick(e, slot, n))
			}
		}
	},
}

// pick takes the first semaphore of an array. That is what is meant when there is only one.
func pick(e *infer.Event, slot, rank int) *rule.Fix {
	end := e.Locs[slot].End
	safety := rule.Unsafe
	if size, known := e.Refs[slot].View.Size(); known && size == 1 {
		safety = rule.Safe
	}
	if e.Locs[slot] == e.Desc.Loc {
		return nil
	}
	index := ".at[0" + strings.Repeat(", 0", rank-1) + "]"
	at := parse.Loc{Chunk: e.Locs[slot].Chunk, Span: parse.Span{Start: end, End: end}}
	return &rule.Fix{Title: "Take the first semaphore: `" + index + "`", Safety: safety, Edits: []rule.Edit{{Loc: at, New: index}}}
}
