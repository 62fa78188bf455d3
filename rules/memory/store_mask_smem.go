package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// storeMaskSMEM models the check for SMEM in jax/_src/pallas/mosaic/lowering.py _masked_swap_lowering_rule.
var storeMaskSMEM = &rule.Rule{
	Name: "store-mask-smem",
	Page: page("store_mask_smem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if mask(store) == nil || !ref.Spaces.Only(jax.SMEM) {
				continue
			}
			p.Report(store.Loc, "%s is in SMEM, where a store is of one scalar and has no mask; put it under `pl.when`", name(ref)).
				Says("ValueError: SMEM store does not support masks").
				Because(ref.Why)
		}
	},
}
