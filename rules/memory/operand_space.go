package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// operandSpace: Mosaic gives the operands of a TensorCore kernel windows in VMEM and SMEM, or leaves them in HBM.
var operandSpace = &rule.Rule{
	Name: "operand-memory-space",
	Old:  []string{"semaphore-as-block"},
	Page: page("operand_space.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		s := k.Site
		if !onTensorCore(k) || s.API != "pallas_call" {
			return
		}
		for _, o := range append(s.Inputs[:len(s.Inputs):len(s.Inputs)], s.Outputs...) {
			if o.Spec == nil || o.Ref == nil || !noWindow(k, o) {
				continue
			}
			p.Report(o.SpecLoc, "this puts %s in %s, where an operand of a TensorCore kernel can't be", name(o.Ref), o.Ref.Spaces).At(s.Loc).
				Says("JaxRuntimeError: INVALID_ARGUMENT: Mosaic failed to compile TPU kernel: Failed to set window params: Operand windows can only be requested in VMEM, SMEM, or HOST")
		}
	},
}

// noWindow: the operand is certainly in a memory that has none. Numbers in SEMAPHORE are refused as an output, or when a part of them is
// named.
func noWindow(k *infer.Kernel, o *infer.Operand) bool {
	r := o.Ref
	if r.Spaces.Only(jax.Semaphore) {
		return data(r) && (r.Role == infer.Output || sliced(k, r.Alloc))
	}
	return r.Spaces.Only(jax.CMEM, jax.VMEMShared)
}

// sliced: the kernel uses a part of it.
func sliced(k *infer.Kernel, a *infer.Alloc) bool {
	for _, e := range k.Events {
		for _, r := range e.Refs {
			if r != nil && r.Alloc == a && len(r.Steps) > 0 {
				return true
			}
		}
	}
	return false
}
