package silent

import (
	"fmt"
	"maps"
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexOutside: an index that is an integer is not checked while a kernel is traced, whichever it is (jax/_src/state/indexing.py).
var indexOutside = &rule.Rule{
	Name:   "ref-index-out-of-bounds",
	Page:   page("index_out_of_bounds.md"),
	Kernel: subscripts(func(p *rule.Pass, s subscript) { s.above(p) }),
}

// negativeIndex: a ref's negative index is not counted from the end.
var negativeIndex = &rule.Rule{
	Name:   "ref-negative-index",
	Page:   page("negative_index.md"),
	Kernel: subscripts(func(p *rule.Pass, s subscript) { s.below(p) }),
}

// subscript is one index of an access, with the size of the dimension that it selects from.
type subscript struct {
	infer.IndexItem
	event  *infer.Event
	ref    *infer.Ref
	size   int64
	at     infer.Range // of the start
	number bool        // the start is one number
	loc    parse.Loc
}

// subscripts calls f for every index of every access of which it is known where it begins.
func subscripts(f func(*rule.Pass, subscript)) func(*rule.Pass, *infer.Kernel) {
	return func(p *rule.Pass, k *infer.Kernel) {
		if k.Map != nil || !forTPU(k.Core) || emulated(k) {
			return
		}
		for _, e := range k.Events {
			if e.Implicit || infer.Typed(e.Path) || undecided(e.Path) {
				continue
			}
			if len(e.Refs) > 0 && e.Refs[0] != nil && e.Index != nil {
				each(p, k, e, e.Refs[0], e.Index, e.Refs[0].View, e.Loc, f)
			}
			for _, r := range e.Refs {
				if r == nil {
					continue
				}
				for _, s := range r.Steps {
					each(p, k, e, r, s.Index, s.From, s.Loc, f)
				}
			}
		}
	}
}

// emulated: the kernel runs as an ordinary program of JAX's, whose indices are those of arrays.
func emulated(k *infer.Kernel) bool {
	for ; k != nil; k = k.Outer {
		if b, ok := k.Site.Interpret.(infer.Bool); ok && bool(b) {
			return true
		}
	}
	return false
}

func each(p *rule.Pass, k *infer.Kernel, e *infer.Event, r *infer.Ref, index []infer.IndexItem, of infer.Shape, loc parse.Loc, f func(*rule.Pass, subscript)) {
	if !within(p, loc) {
		return
	}
	for _, x := range index {
		if x.Dim < 0 || x.Dim >= len(of.Dims) || x.Start == nil || x.Kind != infer.IndexInt && x.Kind != infer.IndexSlice {
			continue
		}
		size, ok := of.Dims[x.Dim].Known()
		at, known := x.Start.Range(ranges(k, e))
		_, number := x.Start.Known()
		if ok && known && (number || always(e)) {
			f(p, subscript{x, e, r, size, at, number, loc})
		}
	}
}

// ranges are those of the loops around an event, and of the grid.
func ranges(k *infer.Kernel, e *infer.Event) infer.Ranges {
	if k.Outer != nil || k.Site.API != "pallas_call" || !k.Site.GridKnown {
		return func(string) (infer.Range, bool) { return infer.Range{}, false }
	}
	return gridRange(k.Site, func(axis int) string { return fmt.Sprintf("program_id(%d)", axis) })
}

// always: the event is done in each turn of each loop around it.
func always(e *infer.Event) bool {
	return !slices.ContainsFunc(e.Path, func(c infer.Cond) bool { return c.Kind != "for" && c.Kind != "static" })
}

// undecided: a condition of Python's that is not known is around the event.
func undecided(path []infer.Cond) bool {
	return slices.ContainsFunc(path, func(c infer.Cond) bool { return c.Kind == "if" || c.Kind == "else" })
}

func (s subscript) place() parse.Loc {
	if s.Loc.Valid() {
		return s.Loc
	}
	return s.loc
}

func (s subscript) above(p *rule.Pass) {
	if s.Kind == infer.IndexInt && s.at.Hi >= s.size {
		verb := "is"
		if !s.number {
			verb = "reaches"
		}
		p.Report(s.place(), "%s %s %d, and dimension %d of %s has size %d: what is there belongs to something else", say(s.Loc, "this index"), verb, s.at.Hi, s.Dim, name(s.ref), s.size).At(s.loc)
		return
	}
	n, ok := s.Size.Known()
	if s.Kind != infer.IndexSlice || s.number || !ok || !s.Step.Is(1) || s.at.Hi+n <= s.size {
		return
	}
	p.Report(s.place(), "%s reaches from %d to %d, and dimension %d of %s has size %d: what is behind it belongs to something else", say(s.Loc, "this slice"), s.at.Hi, s.at.Hi+n, s.Dim,
		name(s.ref), s.size).At(s.loc)
}

func (s subscript) below(p *rule.Pass) {
	if s.at.Lo >= 0 || s.Kind == infer.IndexSlice && s.number {
		return
	}
	verb := "is"
	if !s.number {
		verb = "begins at"
	}
	p.Report(s.place(), "%s %s %d: a ref does not count from the end, and what is before %s belongs to something else", say(s.Loc, "this index"), verb, s.at.Lo, name(s.ref)).At(s.loc).Offer(s.fromEnd(p))
}

func sorted(m map[int64]bool) []int64 { return slices.Sorted(maps.Keys(m)) }
