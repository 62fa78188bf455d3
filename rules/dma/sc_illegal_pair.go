package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scIllegalPair: the pairs of memories between which a SparseCore subcore has no copy (rules/jax CopyAllowed). JAX lowers all of them.
var scIllegalPair = &rule.Rule{
	Name: "sc-dma-illegal-pair",
	Page: page("sc_illegal_pair.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range append(starts(k), waits(k)...) {
			src, dst := ends(e)
			if src == nil || dst == nil || e.Desc.Remote || !direct(src) || !direct(dst) {
				continue
			}
			switch why := refused(k.Core, src, dst, true); why {
			case jax.CopyRelaxed, jax.CopyLinearStream: // a memory that the core lacks is sc-any-memory
				p.Report(e.Desc.Loc, "%s is in %s and %s in %s; a %s can't copy between them", name(src), src.Spaces, name(dst), dst.Spaces, k.Core).
					Says("JaxRuntimeError: INTERNAL: %s", why.Template(k.Core)).
					Because(src.Why).Because(dst.Why)
			}
		}
	},
}
