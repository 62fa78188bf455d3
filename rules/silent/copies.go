package silent

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// use is one thing that is done with a semaphore.
type use struct {
	*infer.Event
	sem infer.Region
}

// traffic is what a kernel does with one allocation of semaphores: the copies that signal it, and the waits that take from it.
type traffic struct {
	sem    *infer.Alloc
	starts []use
	waits  []use // for copies, and pl.semaphore_wait
	others []use // signals and reads by hand
	apart  bool  // each use names its element by a constant, so that elements can be told from each other
}

// semaphores lists the semaphores that the kernel uses, when all that it uses are known; else nil.
func semaphores(k *infer.Kernel) []*traffic { return infer.Derived(k, semaphoresKey{}, allSemaphores) }

type semaphoresKey struct{}

func allSemaphores(k *infer.Kernel) []*traffic {
	by := map[*infer.Alloc]*traffic{}
	var out []*traffic
	for _, e := range k.Flow() {
		refs, known := signalled(e)
		if !known {
			return nil
		}
		for _, r := range refs {
			for _, a := range r.Alloc.Roots() {
				if by[a] == nil {
					by[a] = &traffic{sem: a, apart: true}
					out = append(out, by[a])
				}
				by[a].add(use{e, infer.RegionOf(r, nil)})
			}
		}
	}
	return out
}

func (t *traffic) add(u use) {
	t.apart = t.apart && u.sem.Of == t.sem && u.sem.Constant()
	switch u.Op {
	case infer.OpDMAStart:
		t.starts = append(t.starts, u)
	case infer.OpDMAWait, infer.OpSemWait:
		t.waits = append(t.waits, u)
	default:
		t.others = append(t.others, u)
	}
}

// same are the uses that concern the same element as u; all of them where elements can't be told apart.
func (t *traffic) same(u use, groups ...[]use) (out []use) {
	t.any(u, func(o use) bool { out = append(out, o); return false }, groups...)
	return out
}

// any reports whether the test holds for one of those that same would return.
func (t *traffic) any(u use, test func(use) bool, groups ...[]use) bool {
	for _, us := range groups {
		for _, o := range us {
			if meets, known := !t.apart, true; !meets {
				if meets, known = u.sem.Meets(o.sem); !meets && known {
					continue
				}
			}
			if test(o) {
				return true
			}
		}
	}
	return false
}

// signalled are the semaphores that an event signals or waits for; known is false when one is given that is not known.
func signalled(e *infer.Event) (refs []*infer.Ref, known bool) {
	if e.Implicit || e.Desc != nil && e.Desc.Sync {
		return nil, true
	}
	var slots []int
	switch e.Op {
	case infer.OpDMAStart:
		slots = []int{2, 3}
	case infer.OpDMAWait:
		slots = []int{2}
	case infer.OpSemSignal, infer.OpSemWait, infer.OpSemRead:
		slots = []int{0}
	default:
		return nil, true
	}
	for _, i := range slots {
		switch {
		case i < len(e.Refs) && e.Refs[i] != nil:
			refs = append(refs, e.Refs[i])
		case i < len(e.Slots) && !isNone(e.Slots[i]):
			return nil, false
		}
	}
	return refs, true
}

func isNone(v infer.Value) bool { _, none := v.(infer.None); return none || v == nil }

// eachSemaphore calls f for every semaphore of the kernel's own.
func eachSemaphore(f func(p *rule.Pass, k *infer.Kernel, t *traffic)) func(*rule.Pass, *infer.Kernel) {
	return seen(func(p *rule.Pass, k *infer.Kernel) {
		for _, t := range semaphores(k) {
			if own(t.sem) {
				f(p, k, t)
			}
		}
	})
}

// remote reports whether a copy of the traffic goes to another device.
func (t *traffic) remote() bool {
	return slices.ContainsFunc(slices.Concat(t.starts, t.waits), func(u use) bool { return u.Desc != nil && u.Desc.Remote })
}

// awaited tells whether something waits for a semaphore, or looks at it; known is false where nothing does and others than the kernel may.
func awaited(all []*traffic, sem *infer.Ref) (yes, known bool) {
	if sem == nil || sem.Alloc.Sole() == nil {
		return false, false
	}
	for _, t := range all {
		if t.sem == sem.Alloc.Sole() {
			yes = t.any(use{sem: infer.RegionOf(sem, nil)}, func(use) bool { return true }, t.waits, t.others)
			return yes, yes || own(t.sem)
		}
	}
	return false, false
}
