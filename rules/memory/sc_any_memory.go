package memory

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scAnyMemory: libtpu places nothing in ANY, has no CMEM beside a SparseCore, no VMEM beside its scalar subcore, and allocates HBM for
// the arguments of a kernel only.
var scAnyMemory = &rule.Rule{
	Name: "sc-any-memory",
	Page: page("sc_any_memory.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, a := range allocations(k) {
			says, why := noSuchMemory(k.Core, a.ref)
			if says != "" {
				d := p.Report(a.loc, "%s can't be allocated in %s: %s", name(a.ref), a.ref.Spaces, why).Says("JaxRuntimeError: INTERNAL: %s", says)
				if a.ref.Spaces.Only(jax.ANY) {
					d.Offer(allocated(p, a.ref, memoryFor(k, a.ref)))
				}
			}
		}
		for _, r := range k.Refs { // given from outside: an output's type, or a ref that was made there
			outside := r.Role == infer.Captured || r.Role == infer.Output || r.Role == infer.Input
			if outside && r.Spaces.Only(jax.ANY) && !r.Default && k.Site.API != "emit_pipeline" && used(k, r.Alloc) && r.Why != nil {
				p.Report(r.Why.Loc, "%s is put in ANY; a SparseCore needs a definite memory: HBM", name(r)).At(k.Site.Loc).
					Says("JaxRuntimeError: INTERNAL: Failed to convert memory space #xir.memory_space<any, sc>: ANY memory space should not appear at this stage.").
					Offer(edit.Space(p, r.Why.Loc, "HBM"))
			}
		}
	},
}

// memoryFor is a memory for what the kernel does with a ref: its own where it loads and stores, else HBM.
func memoryFor(k *infer.Kernel, r *infer.Ref) string {
	for _, e := range k.Events {
		if (e.Op == infer.OpLoad || e.Op == infer.OpStore) && e.Refs[0].On(r.Alloc) {
			if k.Core == jax.SCScalarSubcore {
				return "SMEM"
			}
			return "VMEM"
		}
	}
	return "HBM"
}

func noSuchMemory(core jax.Core, r *infer.Ref) (says, why string) {
	switch s := r.Spaces; {
	case s.Only(jax.ANY):
		return "Failed to convert memory space #xir.memory_space<any, sc>: ANY memory space should not appear at this stage.", "a SparseCore needs a definite memory"
	case s.Only(jax.CMEM):
		return "Failed to convert memory space #xir.memory_space<cmem, sc>: CMEM is not supported.", "a SparseCore has no CMEM"
	case s.Only(jax.VMEM) && core == jax.SCScalarSubcore:
		return "Failed to convert memory space #xir.memory_space<vmem, sc, scalar>: Unsupported core type.", "a scalar subcore has SMEM and no VMEM"
	case r.Role == infer.Scoped && s.Only(jax.HBM):
		return "'memref.alloca' op execute core allocation doesn't refer to a core or tile-view memory space: hbm", "scratch_types can ask for HBM, a scope within the kernel can't"
	}
	return "", ""
}
