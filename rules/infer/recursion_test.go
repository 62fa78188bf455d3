package infer_test

import (
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
)

// A kernel that makes a site of itself is not met without end.
func TestRecursiveKernel(t *testing.T) {
	const text = `
import jax
from jax.experimental import pallas as pl

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]
    f = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jax.numpy.float32))
    return f
`
	facts := infer.Analyze(parse.Parse("k.py", []byte(text)), infer.Options{})
	n := 0
	for _, e := range facts.Entries {
		for _, w := range e.Worlds {
			n += len(w.Kernels)
		}
	}
	if n == 0 || n > 20 {
		t.Errorf("%d kernels, want a few", n)
	}
}
