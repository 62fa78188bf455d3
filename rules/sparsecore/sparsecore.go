// Package sparsecore holds the rules about what only SparseCore kernels use: plsc functions, subcore shapes, indexed copies.
package sparsecore

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
