package silent

import (
	"slices"
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// noBarrier: the subcores of a SparseCore run beside each other; plsc.subcore_barrier is where they wait for one another.
var noBarrier = &rule.Rule{
	Name: "sc-shared-without-barrier",
	Page: page("no_barrier.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		if k.Core != jax.SCVectorSubcore {
			return
		}
		flow := k.Flow()
		for i, w := range flow {
			into, ok := sharedWrite(w)
			if !ok {
				continue
			}
			for _, r := range flow[i+1:] {
				if meet(k, w, r) {
					break
				}
				from, ok := sharedRead(r)
				if !ok || from.Of != into.Of || !within(p, r.Loc) || !byOthers(w, into, r, from) {
					continue
				}
				p.Report(r.Loc, "%s is read here as another subcore has written it, and nothing makes this one wait for that; `plsc.subcore_barrier()` does", name(r.Refs[0])).
					At(anchor(r)).Also(w.Loc, "written here")
				return
			}
		}
	}),
}

func sharedWrite(e *infer.Event) (infer.Region, bool) {
	if e.Op != infer.OpDMAStart || e.Implicit || e.Refs[1] == nil || !e.Refs[1].Spaces.Only(jax.VMEMShared) {
		return infer.Region{}, false
	}
	g := infer.RegionOf(e.Refs[1], nil)
	return g, g.Of != nil
}

func sharedRead(e *infer.Event) (infer.Region, bool) {
	if e.Op != infer.OpDMAStart || e.Implicit || e.Refs[0] == nil || !e.Refs[0].Spaces.Only(jax.VMEMShared) {
		return infer.Region{}, false
	}
	g := infer.RegionOf(e.Refs[0], nil)
	return g, g.Of != nil
}

// meet: between the two events the subcores may wait for each other.
func meet(k *infer.Kernel, from, to *infer.Event) bool {
	if to.Op == infer.OpSemWait || to.Op == infer.OpSemSignal {
		return true
	}
	return slices.ContainsFunc(calls(k), func(c *infer.Call) bool {
		return c.Seq >= from.Seq && c.Seq < to.Seq && strings.HasSuffix(c.API, "barrier")
	})
}

// byOthers: what is read was written by another subcore than the one that reads: one subcore writes and all read, or each writes a part of
// its own and reads more than that.
func byOthers(w *infer.Event, into infer.Region, r *infer.Event, from infer.Region) bool {
	if len(infer.Always(r.Path)) > 0 {
		return false
	}
	for _, c := range w.Path {
		if c.Kind == "when" && ofSubcore(pred(c.Value)) {
			meets, known := into.Meets(from)
			return meets && known || from.Whole
		}
	}
	return len(infer.Always(w.Path)) == 0 && from.Whole && !into.Whole && slices.ContainsFunc(into.Spans, func(s infer.Span) bool { return subcoreIn(s.Start) })
}

// ofSubcore: the condition tells one subcore from the others.
func ofSubcore(p *infer.Pred) bool {
	return p != nil && (subcoreIn(p.L) || subcoreIn(p.R) || ofSubcore(p.A) || ofSubcore(p.B))
}

func subcoreIn(n *infer.Int) bool {
	return slices.ContainsFunc(n.Atoms(), func(a string) bool { return strings.Contains(a, "axis_index(") })
}
