package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// storeToAny models the space check of jax/_src/pallas/mosaic/lowering.py _masked_swap_lowering_rule.
var storeToAny = &rule.Rule{
	Name: "store-to-any",
	Page: page("store_to_any.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if !ref.Spaces.Only(jax.ANY, jax.HBM, jax.HOST) && !faraway(ref) || store.Aug != "" { // JAX meets the load of += first
				continue
			}
			extra := ""
			if ref.Spaces.Only(jax.ANY) {
				extra = " ANY memory space can only be accessed using async_copy."
			}
			p.Report(store.Loc, "%s is in %s; a TensorCore can store only to VMEM and SMEM", name(ref), ref.Spaces).
				Says("ValueError: Loads and stores are only allowed on VMEM and SMEM references.%s", extra).
				Because(ref.Why).
				Offer(stage.Store(p, store)...)
		}
	},
}
