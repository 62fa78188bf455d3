package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scAtomicScalar models the check for added scalars in jax/_src/pallas/mosaic/sc_lowering.py _store_lowering_rule.
var scAtomicScalar = &rule.Rule{
	Name: "sc-atomic-scalar-add",
	Page: page("sc_atomic_scalar.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if store.Via != "plsc.addupdate" || !ref.Spaces.Only(jax.SMEM) || !scalar(store) {
				continue
			}
			p.Report(store.Loc, "this adds to one element of %s, which is in SMEM; plsc.addupdate is for vectors in VMEM", name(ref)).
				Says("NotImplementedError: Swap does not support atomic scalar adds").
				Because(ref.Why).
				Offer(plainAdd(p, store))
		}
	},
}
