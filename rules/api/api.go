// Package api holds the rules about names and parameters of JAX's API that a release lacks, renamed or deprecates.
package api

import (
	"embed"
	"strings"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{deprecatedAPI, removedAPI, unknownKeyword, wrongArguments, shapeType}

// short is a dotted name as kernels write it: pl., pltpu. and plsc. for Pallas's modules.
func short(dotted string) string {
	for _, m := range [][2]string{
		{"jax.experimental.pallas.tpu_sc.", "plsc."}, {"jax.experimental.pallas.tpu.", "pltpu."},
		{"jax.experimental.pallas.mosaic_gpu.", "plgpu."}, {"jax.experimental.pallas.", "pl."}, {"jax.numpy.", "jnp."},
	} {
		if rest, ok := strings.CutPrefix(dotted, m[0]); ok {
			return m[1] + rest
		}
	}
	return dotted
}
