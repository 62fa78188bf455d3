package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scArrayStore models the rank check of jax/_src/pallas/mosaic/sc_lowering.py _store_lowering_rule for SMEM.
var scArrayStore = &rule.Rule{
	Name: "sc-array-store-to-smem",
	Page: page("sc_array_store.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if !ref.Spaces.Only(jax.SMEM) || !vector(store) || masked(store) || store.Aug != "" || !data(ref) {
				continue
			}
			p.Report(store.Loc, "this stores an array of shape %s to %s, which is in SMEM; SMEM is written one scalar at a time", store.Result, name(ref)).
				Says("NotImplementedError: Swap only supports scalars in SMEM. Trying to swap an array of shape {out_aval.shape}.").
				Because(ref.Why)
		}
	},
}
