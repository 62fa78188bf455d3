// Package ops holds the rules about operations on values in kernels: what JAX, Mosaic or a SparseCore can not do, and what is refused of shapes and dtypes.
package ops

import (
	"embed"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{
	unsupportedPrimitive, scUnsupportedPrimitive,
}
