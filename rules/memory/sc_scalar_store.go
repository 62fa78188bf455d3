package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// scScalarStore models the rank check of jax/_src/pallas/mosaic/sc_lowering.py _store_lowering_rule for VMEM.
var scScalarStore = &rule.Rule{
	Name: "sc-scalar-store-to-vmem",
	Page: page("sc_scalar_store.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if !ref.Spaces.Only(jax.VMEM) || !scalar(store) || masked(store) || store.Aug != "" || !data(ref) {
				continue
			}
			p.Report(store.Loc, "this stores one element of %s, which is in VMEM; on a SparseCore scalars are stored to SMEM, and VMEM is written by vectors", name(ref)).
				Says("NotImplementedError: Swap only supports scalars in SMEM. Trying to swap a scalar in VMEM.").
				Because(ref.Why).
				Offer(stage.Element(p, store)...)
		}
	},
}
