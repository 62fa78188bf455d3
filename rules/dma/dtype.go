package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// dtypeMismatch: the verifier of tpu.enqueue_dma wants one element type on both sides.
var dtypeMismatch = &rule.Rule{
	Name: "dma-dtype-mismatch",
	Page: page("dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTPU(k) {
			return
		}
		for _, e := range judged(p, k) {
			src, dst := ends(e)
			if src == nil || dst == nil || src.High || dst.High || src.Type == "" || dst.Type == "" || same(src, dst) {
				continue
			}
			p.Report(e.Desc.Loc, "%s holds %s and %s holds %s; a copy moves bytes and converts nothing",
				text(e.Locs[source], name(src)), src.Type, text(e.Locs[destination], name(dst)), dst.Type).
				Says("VerificationError: Pallas encountered an internal verification error. ... 'tpu.enqueue_dma' op DMA source and target element type mismatch").
				Because(&infer.Why{Loc: src.Alloc.Loc, Reason: name(src) + " holds " + src.DType.String()}).
				Because(&infer.Why{Loc: dst.Alloc.Loc, Reason: name(dst) + " holds " + dst.DType.String()}).
				Offer(likeOther(p, k, src, dst))
		}
	},
}

// same: the two are one type to the compiler, which knows no sign and keeps a bool in a word.
func same(a, b *infer.Ref) bool {
	x, y := a.Type.Canonical(), b.Type.Canonical()
	return x == y || word(x) && word(y) || x.IsInteger() && y.IsInteger() && x.Bits() == y.Bits()
}

func word(d jax.DType) bool { return d == jax.Bool || d == jax.Int32 || d == jax.Uint32 }
