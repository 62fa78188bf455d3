package api

import (
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// deprecatedAPI: the name still works and JAX warns on access.
var deprecatedAPI = &rule.Rule{
	Name: "deprecated-pallas-api",
	Page: page("deprecated.md"),
	Tag:  rule.Deprecated,
	World: func(p *rule.Pass, w *infer.World) {
		for _, u := range w.Names {
			if u.Missing || u.Obj == nil || u.Obj.Deprecated == "" || !strings.HasPrefix(u.Name, "jax.experimental.pallas") {
				continue
			}
			p.Report(u.Loc, "`%s` is deprecated in JAX %s", short(u.Name), p.Release.Version).Says("DeprecationWarning: %s", u.Obj.Deprecated)
		}
	},
}
