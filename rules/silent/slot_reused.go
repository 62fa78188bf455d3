package silent

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// slotReused: two copies into one place that are both under way, told apart by nothing.
var slotReused = &rule.Rule{
	Name: "dma-slot-in-use",
	Page: page("slot_in_use.md"),
	Kernel: seen(func(p *rule.Pass, k *infer.Kernel) {
		for _, f := range flights(p, k) {
			if f.start.Desc.Remote {
				continue
			}
			into := infer.RegionOf(f.start.Refs[1], nil)
			for _, e := range f.during {
				if e.Op != infer.OpDMAStart || e.Implicit || e.Loc == f.start.Loc && turns(e) || !follows(e, f.start) || !within(p, e.Loc) || !touches(into, writes(e)) {
					continue
				}
				p.Report(e.Loc, "this copy into %s is started while another one into the same place is under way: which of the two stays is not certain", name(e.Refs[1])).
					At(anchor(e)).Also(f.start.Loc, "the other copy is started here")
				break
			}
		}
		for _, s := range started(p, k) {
			if loop, ok := leftBehind(k, s); ok {
				p.Report(s.Loc, "each turn of the loop starts a copy into the same place of %s, and none waits for the one before", name(s.Refs[1])).
					At(anchor(s)).Also(loop.Loc, "the loop")
			}
		}
	}),
}

// turns: the event is in a loop that is not run item by item, so that it stands for several.
func turns(e *infer.Event) bool {
	return slices.ContainsFunc(e.Path, func(c infer.Cond) bool { return (c.Kind == "for" || c.Kind == "while") && !c.Each })
}

// leftBehind: the copy is started in each turn of a loop, always to the same place, and nothing in the loop waits for it.
func leftBehind(k *infer.Kernel, s *infer.Event) (loop infer.Cond, found bool) {
	into := infer.RegionOf(s.Refs[1], nil)
	path := infer.Always(s.Path)
	if s.Desc.Remote || into.Of == nil || !into.Constant() || len(path) == 0 {
		return loop, false
	}
	loop = path[len(path)-1]
	if n, ok := loop.Count.Known(); loop.Kind != "for" || loop.Count == nil || ok && n < 2 {
		return loop, false
	}
	all := semaphores(k)
	for _, r := range s.Refs[2:4] {
		if done, known := awaited(all, r); r != nil && (!done || !known) {
			return loop, false
		}
	}
	return loop, !slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool { return infer.Within(e.Path, path) && waitsFor(all, e, s) })
}
