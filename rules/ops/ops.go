// Package ops holds the rules about operations on values in kernels: what JAX, Mosaic or a SparseCore can not do, and what is refused of shapes and dtypes.
package ops

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
