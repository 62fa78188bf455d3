package memory

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// semOpType models the type checks of jax/_src/pallas/primitives.py check_sem_avals.
var semOpType = &rule.Rule{
	Name: "semaphore-op-type",
	Page: page("sem_op_type.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		semaphores(k, func(e *infer.Event, verb string) {
			ref := e.Refs[0]
			switch {
			case ref == nil && valueOf(e.Slots[0]):
				p.Report(e.Locs[0], "this is a value, not a semaphore; `.at[...]` picks one from an array").At(e.Loc).
					Says("ValueError: Cannot %s on a non-semaphore Ref", verb).
					Offer(atFix(e))
			case ref == nil:
			case verb == "read" && readsArray(ref):
				p.Report(e.Locs[0], "%s holds %s in %s; pl.semaphore_read takes a semaphore", name(ref), ref.Type, ref.Spaces).At(e.Loc).
					Says("ValueError: Cannot read on a non-()-shaped semaphore: %s", ref.View).
					Because(ref.Why)
			case verb == "read":
			case ref.Type == jax.DMASem:
				p.Report(e.Locs[0], "%s is a DMA semaphore, which copies signal; pl.semaphore_%s takes a regular one", name(ref), verb).At(e.Loc).
					Says("ValueError: Must %s semaphores of the following types: ... Got dma_sem.", verb).
					Offer(ofType(p, k, ref)).
					Because(&infer.Why{Loc: ref.Alloc.Loc, Reason: "allocated here"})
			case ref.Type != "" && !ref.Type.IsSemaphore() && ref.Type != jax.Int16 && !k.Interpreted():
				p.Report(e.Locs[0], "%s holds %s in %s; pl.semaphore_%s takes a semaphore", name(ref), ref.Type, ref.Spaces, verb).At(e.Loc).
					Says("ValueError: Must %s semaphores of the following types: ... Got %s.", verb, ref.Type).
					Because(ref.Why)
			}
		})
	},
}

// readsArray: the ref is an array of numbers.
func readsArray(ref *infer.Ref) bool {
	n, known := ref.View.Rank()
	return known && n > 0 && ref.Type.Known() && !ref.Type.IsExtended()
}

func valueOf(v infer.Value) bool {
	switch v.(type) {
	case *infer.Array, *infer.Int, infer.Bool, infer.None:
		return true
	}
	return false
}

// atFix puts .at before the brackets of what is written as x[...].
func atFix(e *infer.Event) *rule.Fix {
	for _, load := range e.Kernel.Loads() {
		x, ok := load.Node.(*parse.Index)
		if !ok || load.Loc != e.Locs[0] {
			continue
		}
		end := x.X.Span().End
		at := parse.Loc{Chunk: load.Loc.Chunk, Span: parse.Span{Start: end, End: end}}
		return &rule.Fix{Title: "Write `.at` before the brackets", Safety: rule.Safe, Edits: []rule.Edit{{Loc: at, New: ".at"}}}
	}
	return nil
}
