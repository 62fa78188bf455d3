package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// refBitcast1D models jax/_src/pallas/mosaic/lowering.py _bitcast_memref and jax/_src/state/types.py BitcastTransform.transform_type, which
// looks at the second last dimension even when the width stays.
var refBitcast1D = &rule.Rule{
	Name: "ref-bitcast-1d",
	Page: page("ref_bitcast_1d.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		views(k, func(_ *infer.Event, r *infer.Ref, s infer.Step) {
			if s.Kind != "bitcast" || !s.From.IsRank(1) || squeezed(r) {
				return
			}
			says := "NotImplementedError: Bitcast 1D ref with bitwidth change is not supported."
			if r.DType.Bits() == r.Type.Bits() {
				says = "IndexError: list index out of range"
			}
			p.Report(s.Loc, "%s has shape %s here; a ref of one dimension can't be bitcast", name(r), s.From).Says("%s", says)
		})
	},
}
