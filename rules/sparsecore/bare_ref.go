package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// bareRef models the isinstance test of jax/_src/pallas/mosaic/sc_primitives.py: inside a kernel a ref itself is a tracer.
var bareRef = &rule.Rule{
	Name: "plsc-bare-ref",
	Page: page("bare_ref.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		plsc + "addupdate": checkBare, plsc + "load_expanded": checkBare, plsc + "store_compressed": checkBare, plsc + "addupdate_compressed": checkBare,
	},
}

func checkBare(p *rule.Pass, c *infer.Call) {
	ref, ok := c.Arg("ref").(*infer.Ref)
	if !ok || len(ref.Steps) > 0 || c.Kernel == nil || ref.Operand != nil && ref.Kernel != nil && ref.Kernel.Site.API == "emit_pipeline" || ref.Partial() {
		return
	}
	loc := c.ArgLoc("ref")
	end := loc
	end.Start = end.End
	p.Report(loc, "`%s` wants a view of a ref, such as `%s.at[...]`", name(c), ref.Name).At(c.Loc).
		Says("TypeError: ref must be an AbstractRef or TransformedRef, got JitTracer").
		Offer(&rule.Fix{Title: "Take `" + ref.Name + ".at[...]`", Safety: rule.Safe, Edits: []rule.Edit{{Loc: end, New: ".at[...]"}}})
}
