package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// shapeMismatch: the verifier of tpu.enqueue_dma wants one shape on both sides, after all views. Nothing is broadcast, no dimension is added.
var shapeMismatch = &rule.Rule{
	Name: "dma-shape-mismatch",
	Page: page("shape.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTPU(k) {
			return
		}
		for _, e := range judged(p, k) {
			src, dst := ends(e)
			if src == nil || dst == nil || !plain(src) || !plain(dst) {
				continue
			}
			if equal, known := src.View.Equal(dst.View); equal || !known {
				continue
			}
			p.Report(e.Desc.Loc, "%s has shape %s and %s shape %s; a copy needs the same shape on both sides",
				text(e.Locs[source], name(src)), src.View, text(e.Locs[destination], name(dst)), dst.View).
				Says("VerificationError: Pallas encountered an internal verification error. ... 'tpu.enqueue_dma' op DMA source and target shape mismatch.").
				Because(&infer.Why{Loc: src.Alloc.Loc, Reason: name(src) + " has shape " + src.Shape.String()}).
				Because(&infer.Why{Loc: dst.Alloc.Loc, Reason: name(dst) + " has shape " + dst.Shape.String()}).
				Offer(front(p, e))
		}
	},
}

// plain: the memory behind the view has the view's shape: it is not indexed by an array, and no dimension of its block is squeezed, which the
// memory keeps.
func plain(r *infer.Ref) bool {
	return direct(r) && (r.Operand == nil || r.Operand.Squeezed == 0) && !r.Many && !r.High
}
