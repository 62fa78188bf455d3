package dma

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// The slots of a copy.
const (
	source = iota
	destination
	semaphore
	sourceSemaphore
)

// starts are the copies that the author starts; those that a pipeline makes by itself are left out.
func starts(k *infer.Kernel) []*infer.Event { return written(k.Starts()) }

// waits are the waits that the author writes.
func waits(k *infer.Kernel) []*infer.Event { return written(k.Waits()) }

// judged are the copies whose two ends the verifier compares: all that are started, and since 0.12 all that are waited for.
func judged(p *rule.Pass, k *infer.Kernel) []*infer.Event {
	if !p.Release.AtLeast("0.12") {
		return starts(k)
	}
	return append(starts(k), waits(k)...)
}

func written(events []*infer.Event) []*infer.Event {
	var out []*infer.Event
	for _, e := range events {
		if !e.Implicit && e.Desc != nil {
			out = append(out, e)
		}
	}
	return out
}

// onTensorCore: the kernel is compiled for a TensorCore, as opposed to interpreted.
func onTensorCore(k *infer.Kernel) bool { return k.Core == jax.TensorCore && !k.Interpreted() }

// onSparseCore: the kernel is compiled for a SparseCore subcore.
func onSparseCore(k *infer.Kernel) bool { return k.Core.IsSparseCore() && !k.Interpreted() }

// onTPU: the kernel is compiled for a TPU.
func onTPU(k *infer.Kernel) bool { return k.Core.IsTPU() && !k.Interpreted() }

// report makes a finding about an operand of a copy, at the place where it is written. The finding rests on the descriptor being made.
func report(p *rule.Pass, e *infer.Event, slot int, format string, args ...any) *rule.Diagnostic {
	loc := e.Locs[slot]
	if !loc.Valid() {
		loc = e.Desc.Loc
	}
	return p.Report(loc, format, args...).At(e.Desc.Loc)
}

// isNone: nothing was given for the slot.
func isNone(v infer.Value) bool { _, none := v.(infer.None); return none }

// isValue: what was given is certainly no ref, and not None.
func isValue(v infer.Value) bool {
	switch v := v.(type) {
	case *infer.Array, *infer.Int, infer.Float, infer.Bool, infer.Str, *infer.ShapeStruct, *infer.MemSpec, *infer.Tuple, *infer.List, *infer.Dict:
		return true
	case *infer.Union:
		for _, a := range v.Alts {
			if !isValue(a) {
				return false
			}
		}
		return true
	}
	return false
}

// name is what the author calls the ref.
func name(r *infer.Ref) string {
	if r == nil || r.Name == "" {
		return "it"
	}
	return "`" + r.Name + "`"
}

// text is the source at loc in backticks when it is short and on one line; else what.
func text(loc parse.Loc, what string) string {
	s := loc.Text()
	if s == "" || len(s) > 60 || strings.ContainsAny(s, "\n`") {
		return what
	}
	return "`" + s + "`"
}

// isSemaphore: the ref is known to hold semaphores.
func isSemaphore(r *infer.Ref) bool {
	return r != nil && (r.Type.IsSemaphore() || r.Type == "" && r.Spaces.Only(jax.Semaphore))
}

// isData: the ref is known to hold numbers.
func isData(r *infer.Ref) bool {
	return r != nil && (r.Type != "" && !r.Type.IsExtended() || r.Type == "" && r.Spaces.Known() && r.Spaces.Never(jax.Semaphore) && r.Mem != nil)
}

// atFix puts .at before the brackets of the operand, when it is written there as x[...].
func atFix(e *infer.Event, slot int) *rule.Fix {
	for _, load := range e.Kernel.Loads() {
		x, ok := load.Node.(*parse.Index)
		if !ok || load.Loc != e.Locs[slot] {
			continue
		}
		end := x.X.Span().End
		at := parse.Loc{Chunk: load.Loc.Chunk, Span: parse.Span{Start: end, End: end}}
		return &rule.Fix{Title: "Write `.at` before the brackets", Safety: rule.Safe, Edits: []rule.Edit{{Loc: at, New: ".at"}}}
	}
	return nil
}

// indexed: an array or ref of indices selects the elements of the view, which makes the copy a gather or scatter.
func indexed(r *infer.Ref) bool {
	for _, s := range r.Steps {
		for _, x := range s.Index {
			if x.Kind == infer.IndexArray {
				return true
			}
		}
	}
	return false
}

// direct: no step of the view may select by indices.
func direct(r *infer.Ref) bool {
	for _, s := range r.Steps {
		for _, x := range s.Index {
			if x.Kind == infer.IndexArray || x.Kind == infer.IndexUnknown {
				return false
			}
		}
	}
	return true
}

// ends are the source and the destination of the copy itself; JAX swaps them to wait for the source.
func ends(e *infer.Event) (src, dst *infer.Ref) {
	if e.Which == "wait_read" || e.Which == "wait_send" {
		return e.Refs[destination], e.Refs[source]
	}
	return e.Refs[source], e.Refs[destination]
}
