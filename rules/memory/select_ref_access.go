package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// selectRefAccess models jax/_src/state/primitives.py ref_get and ref_swap, which take one ref.
var selectRefAccess = &rule.Rule{
	Name: "select-ref-access",
	Page: page("select_ref_access.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, a := range accesses(k) {
			if !a.Refs[0].Selected {
				continue
			}
			verb, primitive := "loaded", "get"
			if a.Op == infer.OpStore {
				verb, primitive = "stored to", "swap"
			}
			p.Report(a.Loc, "what pl.select_ref chose can only be copied, not %s; copy it to VMEM, or choose among loaded values with jnp.where", verb).
				Says("NotImplementedError: ref_%s with multi-ref TransformedRef is not supported.", primitive)
		}
	},
}
