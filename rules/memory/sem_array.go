package memory

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// semaphores are the signals, waits and reads of semaphores that the author writes, with what JAX calls them.
func semaphores(k *infer.Kernel, f func(e *infer.Event, verb string)) {
	verbs := map[infer.Op]string{infer.OpSemSignal: "signal", infer.OpSemWait: "wait", infer.OpSemRead: "read"}
	for _, e := range k.Events {
		if verb := verbs[e.Op]; verb != "" && e.Call != nil {
			f(e, verb)
		}
	}
}

// holdsSemaphores: the ref is known to hold semaphores.
func holdsSemaphores(r *infer.Ref) bool {
	return r != nil && (r.Type.IsSemaphore() || r.Type == "" && r.Spaces.Only(jax.Semaphore))
}

// semArray models the shape check of jax/_src/pallas/primitives.py check_sem_avals.
var semArray = &rule.Rule{
	Name: "semaphore-array-not-indexed",
	Page: page("sem_array.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		semaphores(k, func(e *infer.Event, verb string) {
			ref := e.Refs[0]
			if !holdsSemaphores(ref) || verb == "read" && k.Interpreted() {
				return
			}
			n, known := ref.View.Rank()
			if !known || n == 0 {
				return
			}
			p.Report(e.Locs[0], "%s is an array of semaphores of shape %s; this takes one of them", name(ref), ref.View).At(e.Loc).
				Says("ValueError: Cannot %s on a non-()-shaped semaphore: %s", verb, ref.View).
				Offer(first(e, ref, n))
		})
	},
}

// first takes the first semaphore of an array. That is what is meant when there is only one.
func first(e *infer.Event, ref *infer.Ref, rank int) *rule.Fix {
	loc := e.Locs[0]
	if loc == e.Loc || !loc.Valid() {
		return nil
	}
	safety := rule.Unsafe
	if size, known := ref.View.Size(); known && size == 1 {
		safety = rule.Safe
	}
	index := ".at[0" + strings.Repeat(", 0", rank-1) + "]"
	at := parse.Loc{Chunk: loc.Chunk, Span: parse.Span{Start: loc.End, End: loc.End}}
	return &rule.Fix{Title: "Take the first semaphore: `" + index + "`", Safety: safety, Edits: []rule.Edit{{Loc: at, New: index}}}
}
