package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// loadFromHBM models the space check of jax/_src/pallas/mosaic/lowering.py _load_lowering_rule for all spaces but ANY and HOST.
var loadFromHBM = &rule.Rule{
	Name: "load-from-hbm",
	Page: page("load_from_hbm.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if !faraway(ref) || dropped(load) || endpoint(load) {
				continue
			}
			p.Report(load.Loc, "%s is in %s; a TensorCore can load only from VMEM and SMEM", name(ref), ref.Spaces).
				Says("ValueError: Loads are only allowed on VMEM and SMEM references.").
				Because(ref.Why).
				Offer(stage.Load(p, load)...)
		}
	},
}
