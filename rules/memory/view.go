package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// views calls f for each step of each view that the kernel loads from, stores to or copies. The last indexing of a load or store is no
// step: it is part of the instruction. JAX looks at views only where they are used so.
func views(k *infer.Kernel, f func(e *infer.Event, r *infer.Ref, s infer.Step)) {
	for _, e := range k.Events {
		if e.Op == infer.OpAlloc || e.Implicit || dropped(e) {
			continue
		}
		for _, r := range e.Refs {
			if r == nil {
				continue
			}
			steps := r.Steps
			if e.Desc == nil && folded(e) {
				steps = steps[:len(steps)-1]
			}
			for _, s := range steps {
				f(e, r, s)
			}
		}
	}
}

// folded: the access indexes nothing itself, so that the .at before it becomes its indexing.
func folded(e *infer.Event) bool {
	steps := e.Refs[0].Steps
	if len(steps) == 0 || steps[len(steps)-1].Kind != "at" {
		return false
	}
	for _, x := range e.Index {
		if x.Kind != infer.IndexFull {
			return false
		}
	}
	return true
}

// squeezed: dimensions of its block that the kernel does not see are still there in memory.
func squeezed(r *infer.Ref) bool { return r.Operand != nil && r.Operand.Squeezed > 0 }

// compiled: the kernel is compiled for a TPU, as opposed to interpreted.
func compiled(k *infer.Kernel) bool { return k.Core.IsTPU() && !k.Interpreted() }

// onEach runs a check on each kernel that is compiled for a TPU.
func onEach(check func(p *rule.Pass, k *infer.Kernel)) func(*rule.Pass, *infer.Kernel) {
	return func(p *rule.Pass, k *infer.Kernel) {
		if compiled(k) {
			check(p, k)
		}
	}
}
