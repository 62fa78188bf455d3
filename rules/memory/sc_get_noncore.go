package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// scGetNoncore models the space check of jax/_src/pallas/mosaic/sc_lowering.py _load_lowering_rule.
var scGetNoncore = &rule.Rule{
	Name: "sc-get-noncore-memory",
	Page: page("sc_get_noncore.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if !ref.Spaces.Only(jax.HBM, jax.VMEMShared) || masked(load) || endpoint(load) {
				continue
			}
			p.Report(load.Loc, "%s is in %s; a %s can load only from its own VMEM or SMEM", name(ref), ref.Spaces, k.Core).
				Says("NotImplementedError: Get does not support loading from %s. Copy the data to a core-local memory space, e.g. VMEM, via `pltpu.async_copy`.", ref.Spaces).
				Because(ref.Why).
				Offer(stage.Load(p, load)...)
		}
	},
}
