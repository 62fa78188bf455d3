package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scIndicesRank models the rank check of jax/_src/pallas/mosaic/sc_lowering.py _extract_indirect_offsets_from_indices. A part of a ref
// (indices.at[...]) passes it, to fail in the verifier.
var scIndicesRank = &rule.Rule{
	Name: "sc-dma-indices-rank",
	Page: page("indices_rank.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			shape := g.indexShape()
			if n, known := shape.Rank(); !known || n < 2 {
				continue
			}
			g.report(p, "%s has shape %s; a gather or scatter takes a list of indices, of rank 1", g.indexesText(), shape).
				Says("NotImplementedError: Only 1D indices are supported by scatter/gather via `pltpu.async_copy` on SparseCore, got rank %d", len(shape.Dims)).
				Offer(firstRow(p, g))
		}
	},
}

// indexShape is the shape of the indices.
func (g gather) indexShape() infer.Shape {
	switch v := g.item.Value.(type) {
	case *infer.Ref:
		return v.View
	case *infer.Array:
		return v.Shape
	}
	return infer.Shape{}
}
