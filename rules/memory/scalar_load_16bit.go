package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scalarLoad16: a scalar load from VMEM is a vector.extract (jax/_src/pallas/mosaic/lowering.py _load_lowering_rule), which Mosaic has for
// 32-bit elements.
var scalarLoad16 = &rule.Rule{
	Name: "scalar-load-16bit",
	Page: page("scalar_load_16bit.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			bits := ref.Type.Bits()
			if !ref.Spaces.Only(jax.VMEM) || !scalar(load) || ref.Type == jax.Bool || bits == 0 || bits >= 32 || rankless(ref) || load.Unused {
				continue
			}
			p.Report(load.Loc, "this reads one %s from VMEM; a TensorCore takes single elements of 32 bits out of a vector, no narrower ones", ref.Type).
				Says("MosaicError: INTERNAL: Mosaic failed to compile TPU kernel: Only 32-bit scalar vector.extracts supported. Cast your input to a 32-bit type first.").Offer(vectorFirst(p, load))
		}
	},
}
