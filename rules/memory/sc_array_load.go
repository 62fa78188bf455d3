package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scArrayLoad models the rank check of jax/_src/pallas/mosaic/sc_lowering.py _load_lowering_rule for SMEM.
var scArrayLoad = &rule.Rule{
	Name: "sc-array-load-from-smem",
	Page: page("sc_array_load.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if !ref.Spaces.Only(jax.SMEM) || !vector(load) || masked(load) || !data(ref) || endpoint(load) {
				continue
			}
			p.Report(load.Loc, "this reads an array of shape %s from %s, which is in SMEM; SMEM is read one scalar at a time", load.Result, name(ref)).
				Says("NotImplementedError: Get only supports loading scalars from SMEM. Trying to load an array of shape {out_aval.shape}.").
				Because(ref.Why)
		}
	},
}
