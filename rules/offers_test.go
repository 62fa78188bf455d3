package rules_test

import (
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/workspace"
)

const offersHead = `import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu, tpu_sc as plsc
`

const offersVector = offersHead + `
@functools.partial(
    pl.kernel,
    out_type=jax.ShapeDtypeStruct((32,), jnp.float32),
    mesh=plsc.VectorSubcoreMesh(core_axis_name="core", subcore_axis_name="subcore"),
    scratch_types=[pltpu.VMEM((64,), jnp.float32), pltpu.VMEM((32,), jnp.float32)],
    compiler_params=pltpu.CompilerParams(PARAMS),
)
def kernel(x_hbm, o_hbm, buf, out):
    pltpu.sync_copy(x_hbm, buf)
    BODY
    pltpu.sync_copy(out, o_hbm)

kernel(jnp.zeros((64,), jnp.float32))
`

const offersCopy = offersHead + `
def kernel(x_ref, y_ref, o_ref, buf, big):
    def fetch(src, dst):
        pltpu.sync_copy(src, dst)
    BODY
    o_ref[...] = buf[...]

pl.pallas_call(
    kernel,
    out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
    in_specs=[pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pl.ANY)],
    scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.VMEM((64, 128), jnp.float32)],
)(jnp.zeros((32, 128), jnp.float32), jnp.zeros((16, 256), jnp.float32))
`

const offersReduce = offersHead + `
def kernel(x_ref, o_ref):
    BODY

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((1, 128), jnp.uint32))(jnp.zeros((8, 128), jnp.uint32))
`

// TestOffers: what fixes are offered where a kernel is almost, but not quite, one that a page shows; an empty title is none.
func TestOffers(t *testing.T) {
	for _, c := range []struct{ text, params, body, rule, title string }{
		{offersCopy, "", "pltpu.sync_copy(x_ref, buf)", "dma-shape-mismatch", "Copy with `x_ref.at[pl.ds(0, 8)]`"},
		{offersCopy, "", "fetch(x_ref, buf)\n    fetch(x_ref, big)", "dma-shape-mismatch", ""}, // one text for two shapes
		{offersCopy, "", "pltpu.sync_copy(y_ref, big)", "dma-shape-mismatch", ""},              // neither side is the larger one
		{offersVector, "", "out[pl.ds(0, 16)] = buf[pl.ds(0, 16)] ** 2", "sc-unsupported-primitive", "Multiply: `buf[pl.ds(0, 16)] * buf[pl.ds(0, 16)]`"},
		{offersVector, "", "out[pl.ds(0, 16)] = jnp.exp(buf[pl.ds(0, 16)]) ** 2", "sc-unsupported-primitive", ""}, // would compute twice
		{offersVector, "", "out[pl.ds(0, 16)] = buf[pl.ds(0, 16, stride=2)]", "sc-strided-load", "Gather with `plsc.load_gather`"},
		{offersVector, "", "out[...] = buf[pl.ds(0, 32, stride=2)]", "sc-strided-load", ""}, // more than a register
		{offersVector, "needs_layout_passes=False", "out[...] = buf[pl.ds(0, 32)]", "sc-vector-shape", "Leave `needs_layout_passes` at its default"},
		{offersVector, "needs_layout_passes=False", "out[...] = buf[pl.ds(0, 32)]\n    out[pl.ds(0, 16)] = plsc.cumsum(buf[pl.ds(0, 16)])", "sc-vector-shape", ""},
		{offersReduce, "", "o_ref[...] = jnp.min(x_ref[...], axis=0, keepdims=True)", "reduce-integer", "Compare as `int32`, with the highest bit flipped"},
		{offersReduce, "", "o_ref[...] = jnp.sum(x_ref[...], axis=0, keepdims=True)", "reduce-integer", "Convert to `jnp.int32` first"},
	} {
		text := strings.Replace(strings.Replace(c.text, "PARAMS", c.params, 1), "BODY", c.body, 1)
		a := workspace.New(nil, nil).Check(parse.Parse("a.py", []byte(text)))
		found := false
		for _, d := range a.Findings {
			if d.Rule.Name != c.rule {
				continue
			}
			found = true
			title := ""
			if len(d.Fixes) > 0 {
				title = d.Fixes[0].Title
			}
			if title != c.title {
				t.Errorf("%s: %s offers %q, want %q", c.body, c.rule, title, c.title)
			}
		}
		if !found {
			t.Errorf("%s: no %s", c.body, c.rule)
		}
	}
}
