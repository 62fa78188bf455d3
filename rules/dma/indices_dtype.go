package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scIndicesDtype: jax/_src/pallas/mosaic/sc_lowering.py _extract_indirect_offsets_from_indices wants int32 of a part of a ref, the verifier
// of tpu.enqueue_indirect_dma 32-bit integers of all others.
var scIndicesDtype = &rule.Rule{
	Name: "sc-dma-indices-dtype",
	Page: page("indices_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			var d jax.DType
			part := false
			switch v := g.item.Value.(type) {
			case *infer.Ref:
				d, part = v.Type, len(v.Steps) > 0
			case *infer.Array:
				d = v.DType.Canonical()
			}
			if d == "" || d == jax.Int32 || d == jax.Uint32 && !part {
				continue
			}
			says := "VerificationError: Pallas encountered an internal verification error. ... 'tpu.enqueue_indirect_dma' op operand #2 must be memref of 32-bit signless integer values"
			if part {
				says = "NotImplementedError: Only int32 indices are supported by scatter/gather via `pltpu.async_copy` with a dynamically-shaped indexer"
			}
			g.report(p, "%s holds %s; the indices of a gather or scatter are int32", g.indexesText(), d).Says("%s", says)
		}
	},
}
