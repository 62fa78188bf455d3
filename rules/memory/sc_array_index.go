package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scArrayIndex: jax/_src/pallas/mosaic/sc_lowering.py _load_lowering_rule takes an array of indices for one index.
var scArrayIndex = &rule.Rule{
	Name: "sc-array-index",
	Page: page("sc_array_index.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		listed(k, func(e *infer.Event, x infer.IndexItem) {
			if e.Refs[0].Spaces.Only(jax.VMEM) {
				p.Report(x.Loc, "%s is indexed by %s; on a SparseCore, elements by index are read with plsc.load_gather", name(e.Refs[0]), list(x)).At(e.Loc).
					Says("VerificationError: Pallas encountered an internal verification error. ... 'arith.index_cast' op requires the same shape for all operands and results")
			}
		})
	},
}
