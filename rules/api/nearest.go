package api

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// nearest is the parameter that got no argument yet and that a misspelled keyword was probably meant for.
func nearest(word string, c *infer.Call, params []jax.Param) string {
	var free []string
	for _, q := range params {
		if c.Bound[q.Name] == nil {
			free = append(free, q.Name)
		}
	}
	return edit.Nearest(word, free)
}
