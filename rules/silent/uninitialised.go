package silent

import (
	"strconv"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// step gives the grid's indices the values that they have in one step.
type step []int64

// at are the values of the grid's indices in the kernel itself; index maps and pipelines have their own.
func (s step) at(atom string) (int64, bool) {
	for i, v := range s {
		if atom == "program_id("+strconv.Itoa(i)+")" {
			return v, true
		}
	}
	return 0, false
}

// done tells whether the event is done in the step: for certain, perhaps or never.
func (s step) done(e *infer.Event) (sure, maybe bool) {
	sure = true
	for _, c := range e.Path {
		holds, known := true, true
		switch c.Kind {
		case "when", "cond":
			holds, known = pred(c.Value).Holds(s.at)
			if c.Kind == "cond" && c.Arm == 1 {
				holds = !holds
			}
			if c.Kind == "cond" && c.Value == nil {
				known = false
			}
		case "for":
			known = c.Each || runs(c.Count)
		case "static":
		default:
			known = false
		}
		if known && !holds {
			return false, false
		}
		sure = sure && known
	}
	return sure, true
}

// runs: the loop runs at all, as far as its bounds are known before the kernel runs.
func runs(count *infer.Int) bool {
	n, ok := count.Known()
	return ok && n > 0 || !ok && count.String() != "?"
}

func pred(v infer.Value) *infer.Pred {
	if a, ok := v.(*infer.Array); ok {
		return a.Pred
	}
	return nil
}

// unwritten is the first event that for certain reads the memory in the step, before anything in it may have written it.
func unwritten(k *infer.Kernel, a *infer.Alloc, s step) *infer.Event {
	for _, e := range k.Flow() {
		sure, maybe := s.done(e)
		if !maybe {
			continue
		}
		if mayWrite(e, a) {
			return nil
		}
		if mayRead(e, a) {
			if e.Implicit || e.Refs[0].Alloc.Sole() != a || !sure || harmless(k, e) {
				return nil
			}
			return e
		}
	}
	return nil
}

// harmless: what is read is left out by a selection, or serves as an index only.
func harmless(k *infer.Kernel, e *infer.Event) bool {
	if k.Core.IsSparseCore() && (e.Op != infer.OpLoad || e.Refs[0].Spaces.Has(jax.SMEM)) { // interpret mode can't show it
		return true
	}
	if e.Op != infer.OpLoad {
		return false
	}
	return chosen(k, e.Value) || selecting(k, e.Value) || !stored(k, e)
}

// scratchUnwritten: scratch holds whatever was in its memory (jax/_src/pallas/mosaic/interpret fills it with NaN).
var scratchUnwritten = &rule.Rule{
	Name: "scratch-read-before-write",
	Page: page("scratch_read.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		for _, a := range allocated(k) {
			e := neverFilled(k, a)
			if e == nil || !within(p, e.Loc) {
				continue
			}
			when := "before anything is stored there"
			if written(k, a) && len(k.Site.Grid) > 0 {
				when = "in the first step, before anything is stored there"
			}
			p.Report(e.Loc, "%s is read %s: scratch memory holds whatever was in it", name(e.Refs[0]), when).Because(e.Refs[0].Why)
		}
	}),
}

// neverFilled is what reads scratch in the first step before it is written; in any step, where none writes it.
func neverFilled(k *infer.Kernel, a *infer.Alloc) *infer.Event {
	e := unwritten(k, a, first(k))
	if e != nil || written(k, a) {
		return e
	}
	for axis, n := range k.Site.Grid {
		s := first(k)
		if s[axis] = 1; e == nil && several(n) {
			e = unwritten(k, a, s)
		}
	}
	return e
}

// first is the first step of a kernel's grid: all indices are zero.
func first(k *infer.Kernel) step { return make(step, max(len(k.Site.Grid), 8)) }

// allocated are the pieces of memory for numbers that belong to the kernel.
func allocated(k *infer.Kernel) (out []*infer.Alloc) {
	seen := map[*infer.Alloc]bool{}
	for _, e := range k.Flow() {
		for _, r := range e.Refs {
			if r == nil {
				continue
			}
			a := r.Alloc.Sole()
			if own(a) && !seen[a] && a.Mem != nil && !a.Mem.Sem && a.Spaces.Known() && !shared(a) {
				seen[a] = true
				out = append(out, a)
			}
		}
	}
	return out
}

// accumulates: an output's block is not read in before the kernel runs; it holds whatever was in its memory.
var accumulates = &rule.Rule{
	Name: "accumulate-without-init",
	Page: page("accumulate_without_init.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		for _, o := range outputs(k) {
			if alias, known := aliased(k.Site, o.Index); alias || !known || inPlace(o) {
				continue
			}
			for _, s := range visits(k, o) {
				e := unwritten(k, o.Ref.Alloc, s)
				if e == nil || !within(p, e.Loc) {
					continue
				}
				p.Report(e.Loc, "%s is read before anything is stored there%s: an output holds whatever was in its memory", name(o.Ref), s.where()).Because(o.Ref.Why).Offer(startFromZero(p, k, o, e))
				break
			}
		}
	}),
}

func (s step) where() string {
	for i, v := range s {
		if v > 0 {
			return ", when index " + strconv.Itoa(i) + " of the grid reaches a new block"
		}
	}
	return ""
}

// visits are steps in which a block of the output is met for the first time.
func visits(k *infer.Kernel, o *infer.Operand) []step {
	out := []step{first(k)}
	for axis := range k.Site.Grid {
		if k.Site.API != "pallas_call" || !moves(o, axis) || !several(k.Site.Grid[axis]) {
			continue
		}
		s := first(k)
		s[axis] = 1
		out = append(out, s)
	}
	return out
}
