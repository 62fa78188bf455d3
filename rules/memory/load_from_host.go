package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// loadFromHost models the space check of jax/_src/pallas/mosaic/lowering.py _load_lowering_rule for HOST.
var loadFromHost = &rule.Rule{
	Name: "load-from-host",
	Page: page("load_from_host.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if !ref.Spaces.Has(jax.HOST) || !ref.Spaces.Only(jax.HOST, jax.HBM) || dropped(load) || endpoint(load) {
				continue
			}
			p.Report(load.Loc, "%s is in the host's memory; a TensorCore can load only from VMEM and SMEM", name(ref)).
				Says("ValueError: Loads are only allowed on VMEM and SMEM references.").
				Because(ref.Why)
		}
	},
}
