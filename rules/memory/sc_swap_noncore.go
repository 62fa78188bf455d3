package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// scSwapNoncore models the space check of jax/_src/pallas/mosaic/sc_lowering.py _store_lowering_rule.
var scSwapNoncore = &rule.Rule{
	Name: "sc-swap-noncore-memory",
	Page: page("sc_swap_noncore.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, store := range stores(k) {
			ref := store.Refs[0]
			if !ref.Spaces.Only(jax.HBM, jax.VMEMShared) || masked(store) || store.Aug != "" { // JAX meets the load of += first
				continue
			}
			p.Report(store.Loc, "%s is in %s; a %s can store only to its own VMEM or SMEM", name(ref), ref.Spaces, k.Core).
				Says("NotImplementedError: Swap does not support storing to %s. Copy the data to a core-local memory space, e.g. VMEM, via `pltpu.async_copy`.", ref.Spaces).
				Because(ref.Why).
				Offer(stage.Store(p, store)...)
		}
	},
}
