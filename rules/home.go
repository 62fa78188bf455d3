package rules

import "pallas-lsp/rules/rule"

// Home is where the project's pages are read on the web.
const Home = "https://github.com/pallas-lsp/pallas-lsp"

// URL is where a rule's page is read on the web.
func URL(r *rule.Rule) string { return Home + "/blob/main/docs/rules.md#" + r.Name }
