package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scIndexerShape models the shape check of jax/_src/pallas/mosaic/sc_lowering.py _extract_indirect_offsets_from_indices.
var scIndexerShape = &rule.Rule{
	Name: "sc-dma-indexer-shape",
	Page: page("indexer_shape.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			other := g.other()
			if !g.sound() || !plain(other) || g.step != len(g.ref.Steps)-1 || !g.indexShape().IsRank(1) {
				continue
			}
			if equal, known := g.ref.View.Equal(other.View); equal || !known {
				continue
			}
			g.report(p, "%s selects shape %s, but %s on the other side has shape %s", g.text(), g.ref.View, name(other), other.View).
				Says("NotImplementedError: The indexer shape in scatter/gather via `pltpu.async_copy` does not match the expected shape. Want: %s, got: %s.", other.View, g.ref.View).
				Because(&infer.Why{Loc: other.Alloc.Loc, Reason: name(other) + " has shape " + other.Shape.String()}).
				Offer(asMany(p, g))
		}
	},
}
