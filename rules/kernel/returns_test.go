package kernel_test

import (
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
)

// TestCarriedByPipeline: a pipeline on a GPU hands what its body returns to the next step.
func TestCarriedByPipeline(t *testing.T) {
	const text = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

def kernel(a_gmem, o_gmem):
    def body(idx, a_smem, total):
        return total + a_smem[...].astype(jnp.float32)

    total = plgpu.emit_pipeline(body, grid=(4,), in_specs=[plgpu.BlockSpec((64, 64), lambda i: (i, 0))], max_concurrent_steps=2,
                                init_carry=jnp.zeros((64, 64), jnp.float32))(a_gmem)
    o_gmem[...] = total

def run(a):
    return plgpu.kernel(kernel, out_type=jax.ShapeDtypeStruct((64, 64), jnp.float32))(a)
`
	facts := infer.Analyze(parse.Parse("k.py", []byte(text)), infer.Options{})
	for _, d := range rules.Check(facts, &rules.Config{}) {
		t.Errorf("%s: %s", d.Rule.Name, d.Message)
	}
}
