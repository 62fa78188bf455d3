package silent

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// flight is a copy that was started, and what the kernel does until it first waits on one of the copy's semaphores.
type flight struct {
	start  *infer.Event
	during []*infer.Event
}

// flights are the copies that are waited for, and started in the file at hand.
func flights(p *rule.Pass, k *infer.Kernel) []*flight {
	all := infer.Derived(k, flightsKey{}, allFlights)
	if !slices.ContainsFunc(all, func(f *flight) bool { return !startedHere(p, f.start) }) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(f *flight) bool { return !startedHere(p, f.start) })
}

type flightsKey struct{}

func allFlights(k *infer.Kernel) []*flight {
	var out []*flight
	all, flow := semaphores(k), k.Flow()
	for i, s := range flow {
		if !starts(s) || s.Refs[0] == nil || s.Refs[1] == nil {
			continue
		}
		f := &flight{start: s}
		for _, e := range flow[i+1:] {
			if waitsFor(all, e, s) {
				out = append(out, f)
				break
			}
			f.during = append(f.during, e)
		}
	}
	return out
}

// waitsFor: the event may tell that the copy is done: it waits on one of its semaphores, or others may signal these.
func waitsFor(all []*traffic, e, s *infer.Event) bool {
	switch e.Op {
	case infer.OpDMAWait, infer.OpSemWait, infer.OpSemRead:
	default:
		return false
	}
	if e.Desc != nil && e.Desc.Sync || e.Implicit {
		return false
	}
	judged := false
	for _, t := range all {
		for _, u := range t.starts {
			if u.Event != s {
				continue
			}
			judged = true
			if !own(t.sem) || t.any(u, func(w use) bool { return w.Event == e }, t.waits, t.others) {
				return true
			}
		}
	}
	return !judged
}

// reads are the parts of memory that an event reads.
func reads(e *infer.Event) []infer.Region {
	switch e.Op {
	case infer.OpLoad:
		return []infer.Region{e.Accessed()}
	case infer.OpDMAStart:
		if e.Refs[0] != nil {
			return []infer.Region{infer.RegionOf(e.Refs[0], nil)}
		}
	}
	return nil
}

// writes are the parts of memory that an event writes for certain.
func writes(e *infer.Event) []infer.Region {
	switch e.Op {
	case infer.OpStore:
		return []infer.Region{e.Accessed()}
	case infer.OpDMAStart:
		if e.Refs[1] != nil && (e.Desc == nil || !e.Desc.Remote) {
			return []infer.Region{infer.RegionOf(e.Refs[1], nil)}
		}
	}
	return nil
}

func touches(part infer.Region, others []infer.Region) bool {
	return slices.ContainsFunc(others, func(o infer.Region) bool {
		meets, known := part.Meets(o)
		return meets && known
	})
}

// follows: whenever the event is done, the copy has been started before, in the same run of whatever is around both.
func follows(e, s *infer.Event) bool {
	return infer.Within(e.Path, s.Path) && e.Kernel.Root() == s.Kernel.Root()
}

// readInFlight: until it has been waited for, a copy may not have written anything.
var readInFlight = &rule.Rule{
	Name: "dma-read-before-wait",
	Page: page("read_before_wait.md"),
	Kernel: seen(func(p *rule.Pass, k *infer.Kernel) {
		for _, f := range flights(p, k) {
			if f.start.Desc.Remote {
				continue
			}
			into := infer.RegionOf(f.start.Refs[1], nil)
			for _, e := range f.during {
				if e.Unused || e.Op == infer.OpLoad && shapeOnly(k, e) || !follows(e, f.start) || !within(p, e.Loc) || !touches(into, reads(e)) {
					continue
				}
				p.Report(e.Loc, "%s is read while the copy into it is under way: it may hold what was there before", name(f.start.Refs[1])).
					At(e.Loc).Also(f.start.Loc, "the copy is started here")
				break
			}
		}
	}),
}

// writtenInFlight: a copy reads its source, and writes its destination, at any time between its start and the wait for it.
var writtenInFlight = &rule.Rule{
	Name: "dma-overwritten-before-wait",
	Page: page("overwritten.md"),
	Kernel: seen(func(p *rule.Pass, k *infer.Kernel) {
		for _, f := range flights(p, k) {
			from, into := infer.RegionOf(f.start.Refs[0], nil), infer.RegionOf(f.start.Refs[1], nil)
			for _, e := range f.during {
				if !follows(e, f.start) || !within(p, e.Loc) {
					continue
				}
				end, what := f.start.Refs[0], "read"
				hit := touches(from, writes(e))
				if !hit && e.Op == infer.OpStore && !f.start.Desc.Remote {
					end, what, hit = f.start.Refs[1], "write", touches(into, writes(e))
				}
				if !hit {
					continue
				}
				p.Report(e.Loc, "%s is overwritten while a copy that %ss it is under way: which of the two comes first is not certain", name(end), what).
					At(e.Loc).Also(f.start.Loc, "the copy is started here")
				break
			}
		}
	}),
}
