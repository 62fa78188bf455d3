// Package api holds the rules about names and parameters of JAX's API that a release lacks, renamed or deprecates.
package api

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
