// Package silent holds the rules about code that JAX accepts and that then hangs, reads garbage or gives a wrong result.
package silent

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
