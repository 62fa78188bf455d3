package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scratchSpace: Mosaic allocates VMEM, SMEM and semaphores for a TensorCore kernel, and nothing else. JAX lowers the others.
var scratchSpace = &rule.Rule{
	Name: "scratch-memory-space",
	Page: page("scratch_space.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, a := range allocations(k) {
			if !a.ref.Spaces.Only(jax.ANY, jax.HBM, jax.CMEM, jax.VMEMShared) {
				continue
			}
			p.Report(a.loc, "%s can't be allocated in %s: a TensorCore kernel can allocate only VMEM, SMEM and semaphores", name(a.ref), a.ref.Spaces).
				Says("JaxRuntimeError: %s", scratchSays(a.ref)).
				Offer(allocated(p, a.ref, "VMEM"))
		}
	},
}

func scratchSays(r *infer.Ref) string {
	switch {
	case r.Role == infer.Scoped:
		return "INTERNAL: Mosaic failed to compile TPU kernel: Cannot allocate ref in non-VMEM/SMEM memory space using memref.alloca"
	case r.Spaces.Only(jax.ANY):
		return "INVALID_ARGUMENT: Mosaic failed to compile TPU kernel: Cannot infer the memory space of main's argument"
	}
	return "UNIMPLEMENTED: Mosaic failed to compile TPU kernel: Scratch memref allocation only supported for vmem, smem and semaphore_mem."
}
