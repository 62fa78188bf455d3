package rewrite

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// lanes of a register, which the last dimension of an array is laid along.
const lanes = 128

// idleLanes: a block whose last dimension is short fills the registers in part.
var idleLanes = &rule.Rule{
	Name: "block-leaves-lanes-idle",
	Off:  true,
	Page: page("idle_lanes.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.Core != jax.TensorCore || s.API != "pallas_call" {
			return
		}
		for _, o := range s.Blocks() {
			if o.Ref == nil || o.Spec == nil || !o.Ref.Spaces.Only(jax.VMEM) {
				continue
			}
			dims, known := o.Ref.View.Known()
			if n := len(dims); !known || n < 2 || dims[n-1] == 0 || dims[n-1] > lanes/2 || dims[n-2] < lanes {
				continue
			}
			last := dims[len(dims)-1]
			p.Report(o.SpecLoc, "the blocks of %s are %d wide: of the %d lanes that a register has, %d are idle, in memory as in computing",
				named(o.Ref), last, lanes, lanes-last)
		}
	},
}
