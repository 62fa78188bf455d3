package rules_test

import (
	"slices"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

const unboundHeader = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

`

// TestUnbound: where a kernel's parameters are not what its site gives it, what they seem to be used for wrongly is not said too; another
// site's mistakes are.
func TestUnbound(t *testing.T) {
	for _, c := range []struct {
		code string
		want []string
	}{
		{`
def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1
    return o_ref[...]

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.zeros((8, 128)), jnp.zeros((8, 128)))
`, []string{"kernel-arity"}},
		{`
def kernel(x_hbm, o_ref):
    o_ref[...] = x_hbm[...]

def call(*args):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)])(*args)

call(jnp.zeros((8, 128)), jnp.zeros((8, 128)))
call(jnp.zeros((8, 128)))
`, []string{"in-specs-count", "load-from-any"}},
		{`
def kernel(x_hbm, o_ref):
    o_ref[...] = x_hbm[...]

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)])(jnp.zeros((8, 128)), jnp.zeros((8, 128)))
`, []string{"in-specs-count"}},
	} {
		f := parse.Parse("kernel.py", []byte(unboundHeader+c.code))
		chip, _ := jax.ParseChip("7x")
		var got []string
		for _, d := range rules.Check(infer.Analyze(f, infer.Options{Chip: chip}), &rules.Config{Chip: chip}) {
			got = append(got, d.Rule.Name)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\nfound %v, not %v", c.code, got, c.want)
		}
	}
}
