package stage

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// Pretend changes which refs are taken to be out of reach, until the function that it returns is called.
func Pretend(f func(jax.Core, *infer.Ref) bool) (restore func()) {
	outOfReach = f
	return func() { outOfReach = farAway }
}
