package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// loadFromAny models the space check of jax/_src/pallas/mosaic/lowering.py _load_lowering_rule for ANY.
var loadFromAny = &rule.Rule{
	Name: "load-from-any",
	Page: page("load_from_any.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if !ref.Spaces.Has(jax.ANY) || !ref.Spaces.Only(jax.ANY, jax.HBM, jax.HOST) || dropped(load) || endpoint(load) {
				continue
			}
			p.Report(load.Loc, "%s is in %s; a TensorCore can load only from VMEM and SMEM", name(ref), ref.Spaces).
				Says("ValueError: Loads are only allowed on VMEM and SMEM references. ANY memory space can only be accessed using async_copy.").
				Because(ref.Why).
				Offer(stage.Load(p, load)...)
		}
	},
}
