// Package block holds the rules about BlockSpecs, grids and index maps.
package block

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
