package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// addupdate: jax/_src/pallas/mosaic/lowering.py has no lowering of the primitive for any core.
var addupdate = &rule.Rule{
	Name: "unsupported-ref-addupdate",
	Page: page("addupdate.md"),
	Kernel: onEach(func(p *rule.Pass, k *infer.Kernel) {
		for _, store := range stores(k) {
			if ok, known := p.Release.Lowers(k.Core, "addupdate"); store.Via == "jax.ref.addupdate" && known && !ok {
				p.Report(store.Loc, "jax.ref.addupdate has no lowering for a %s; load, add and store: `ref[...] += x`", k.Core).
					Says("NotImplementedError: Unimplemented primitive in Pallas TPU lowering for %s: addupdate.", k.Core.Name()).
					Offer(plainAdd(p, store))
			}
		}
	}),
}
