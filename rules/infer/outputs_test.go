package infer

import (
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

const noOutputs = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def kernel(x_ref, _):
    pass


def without():
    return pl.pallas_call(kernel, out_shape=None)(jnp.zeros((8, 128)))


def body(x_ref):
    x_ref[...] = x_ref[...] + 1


def made(x):
    mesh = pltpu.TensorCoreMesh(axis_name="core")
    ref = jax.new_ref(x, memory_space=pltpu.VMEM)
    pl.kernel(body, mesh=mesh)(ref)
`

// TestNoOutputs: a kernel without outputs is called with None for them, and a ref that is an operand stays where it was made.
func TestNoOutputs(t *testing.T) {
	f := Analyze(parse.Parse("a.py", []byte(noOutputs)), Options{})
	seen := 0
	for _, e := range f.Entries {
		for _, w := range e.Worlds {
			for _, fault := range w.Faults {
				t.Errorf("%s: %s", fault.Kind, fault.Detail)
			}
			for _, k := range w.Kernels {
				if k.Name == "body" {
					seen++
					if len(k.Refs) != 1 || !k.Refs[0].Spaces.Only(jax.VMEM) {
						t.Errorf("%v", k.Refs)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no kernel was found")
	}
}
