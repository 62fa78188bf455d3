package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// selectRef models jax/_src/pallas/helpers.py select_ref.
var selectRef = &rule.Rule{
	Name: "select-ref-arity",
	Page: page("select_ref.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.select_ref": func(p *rule.Pass, c *infer.Call) {
			refs := 0
			for _, a := range c.Args {
				if a.Star != 0 || a.Name != "" {
					return
				}
				refs++
			}
			if refs < 3 && !c.Open {
				p.Report(c.Loc, "pl.select_ref chooses between two refs or more; here there is nothing to choose").
					Says("ValueError: At least two refs are required for pl.select_ref.")
			}
		},
	},
}
