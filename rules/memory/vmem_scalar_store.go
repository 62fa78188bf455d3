package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// vmemScalarStore models the rank check of jax/_src/pallas/mosaic/lowering.py _masked_swap_lowering_rule for VMEM.
var vmemScalarStore = &rule.Rule{
	Name: "vmem-scalar-store",
	Page: page("vmem_scalar_store.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if !ref.Spaces.Only(jax.VMEM) || !scalar(store) || rankless(ref) {
				continue
			}
			p.Report(store.Loc, "this stores one element of %s, which is in VMEM; a TensorCore writes VMEM by vectors, and scalars to SMEM only", name(ref)).
				Says("ValueError: Cannot store scalars to VMEM").
				Because(ref.Why).
				Offer(stage.Element(p, store)...)
		}
	},
}
