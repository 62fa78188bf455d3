package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// storeMaskDtype models the first check of masks in jax/_src/pallas/mosaic/lowering.py _masked_swap_lowering_rule.
var storeMaskDtype = &rule.Rule{
	Name: "store-mask-dtype",
	Page: page("store_mask_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if mask(store) == nil || ref.Type == "" || ref.Type.ItemSize() == 4 {
				continue
			}
			p.Report(store.Loc, "%s holds %s; a store with a mask is for elements of 32 bits only", name(ref), ref.Type).
				Says("NotImplementedError: masked swap with non-32-bit data").Offer(whereStored(p, store))
		}
	},
}
