// Package rewrite holds the rules about kernels that are right and slower than they need to be. They are off unless they are selected; their
// fixes are offered as refactorings all the same.
package rewrite

import (
	"embed"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{notOverlapped, repeated, byHand, wastesGranule, idleLanes}

const (
	pallas = "jax.experimental.pallas"
	tpu    = "jax.experimental.pallas.tpu"
)
