package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// scScalarLoad models the rank check of jax/_src/pallas/mosaic/sc_lowering.py _load_lowering_rule for VMEM.
var scScalarLoad = &rule.Rule{
	Name: "sc-scalar-load-from-vmem",
	Page: page("sc_scalar_load.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if !ref.Spaces.Only(jax.VMEM) || !scalar(load) || masked(load) || !data(ref) || endpoint(load) {
				continue
			}
			p.Report(load.Loc, "this reads one element of %s, which is in VMEM; on a SparseCore scalars are read from SMEM, and VMEM is read by vectors", name(ref)).
				Says("NotImplementedError: Get only supports loading scalars from SMEM. To load a scalar from VMEM, load an array first and then extract a particular element, e.g. ``v = ref[pl.ds(idx, ...)]; v[0]``.").
				Because(ref.Why).
				Offer(stage.Element(p, load)...)
		}
	},
}
