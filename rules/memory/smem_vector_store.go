package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// smemVectorStore models the rank check of jax/_src/pallas/mosaic/lowering.py _masked_swap_lowering_rule for SMEM.
var smemVectorStore = &rule.Rule{
	Name: "smem-vector-store",
	Page: page("smem_vector_store.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if !ref.Spaces.Only(jax.SMEM) || !vector(store) || store.Aug != "" || !data(ref) {
				continue
			}
			p.Report(store.Loc, "this stores an array of shape %s to %s, which is in SMEM; SMEM is written one scalar at a time", store.Result, name(ref)).
				Says("ValueError: Can only store scalars to SMEM").
				Because(ref.Why).
				Offer(stage.Store(p, store)...)
		}
	},
}
