package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// smemVectorLoad models the rank check of jax/_src/pallas/mosaic/lowering.py _load_lowering_rule for SMEM.
var smemVectorLoad = &rule.Rule{
	Name: "smem-vector-load",
	Page: page("smem_vector_load.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if !ref.Spaces.Only(jax.SMEM) || !vector(load) || !data(ref) || dropped(load) || endpoint(load) {
				continue
			}
			p.Report(load.Loc, "this reads an array of shape %s from %s, which is in SMEM; SMEM is read one scalar at a time", load.Result, name(ref)).
				Says("ValueError: Can only load scalars from SMEM").
				Because(ref.Why).
				Offer(stage.Load(p, load)...)
		}
	},
}
