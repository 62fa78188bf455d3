package inspect

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/workspace"
)

// mosaicGPU has scratch by name, one parameter a tuple of barriers, and a pipeline; triton refs that are there by a default. Both call their
// module plgpu.
const (
	mosaicGPU = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu

def kernel(a_gmem, o_gmem, *, acc, a_smem, o_smem, barriers):
    full, free = barriers
    plgpu.copy_gmem_to_smem(a_gmem.at[pl.ds(0, 64)], a_smem.at[0], full.at[0])
    plgpu.barrier_wait(full.at[0])
    o_smem[...] = a_smem[0] + 1
    plgpu.commit_smem()
    plgpu.copy_smem_to_gmem(o_smem, o_gmem)
    plgpu.wait_smem_to_gmem(0)

def run(a):
    return plgpu.kernel(
        kernel, out_type=jax.ShapeDtypeStruct((64, 64), jnp.float16), grid=(2,), grid_names=("x",),
        scratch_types=dict(acc=plgpu.TMEM((128, 128), jnp.float32), a_smem=plgpu.SMEM((2, 64, 64), jnp.float16), o_smem=plgpu.SMEM((64, 64), jnp.float16),
                           barriers=(plgpu.Barrier(num_barriers=2), plgpu.Barrier(num_arrivals=1))))(a)

def pipelined(a):
    def body(idx, a_smem, o_smem):
        o_smem[...] = a_smem[...] * 2

    def outer(a_gmem, o_gmem):
        plgpu.emit_pipeline(body, grid=(4,), in_specs=[plgpu.BlockSpec((64, 64), lambda i: (i, 0))],
                            out_specs=[plgpu.BlockSpec((64, 64), lambda i: (i, 0))], max_concurrent_steps=2)(a_gmem, o_gmem)

    return plgpu.kernel(outer, out_type=jax.ShapeDtypeStruct((256, 64), jnp.float16))(a)
`
	triton = `import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plgpu

def kernel(x_ref, weight_ref, o_ref, mean_ref=None, *, block):
    def body(i, acc):
        at = i * block + jnp.arange(block)
        return acc + plgpu.load(x_ref.at[at], mask=at < x_ref.shape[0], other=0.0).astype(jnp.float32)

    mean = jnp.sum(jax.lax.fori_loop(0, pl.cdiv(x_ref.shape[0], block), body, jnp.zeros((block,), jnp.float32)))
    if mean_ref is not None:
        mean_ref[...] = mean
    o_ref[...] = x_ref[...] * weight_ref[...]

def run(x, weight):
    n = x.shape[-1]
    out = [jax.ShapeDtypeStruct((n,), x.dtype), jax.ShapeDtypeStruct((), jnp.float32)]
    return jax.vmap(pl.pallas_call(functools.partial(kernel, block=128), compiler_params=plgpu.CompilerParams(num_warps=4), out_shape=out, grid=()),
                    in_axes=(0, None))(x, weight)
`
)

// TestGPU: kernels for GPUs are told apart by what they import, their refs are in no memory of a TPU, and nothing is found wrong with them.
func TestGPU(t *testing.T) {
	tpuOnly := []jax.Space{jax.VMEM, jax.HBM, jax.VMEMShared, jax.Semaphore}
	for _, c := range []struct {
		text string
		core jax.Core
		want []string // the refs with known memory of the kernel `kernel`
	}{
		{mosaicGPU, jax.MosaicGPU, []string{"a_gmem GMEM", "o_gmem GMEM", "acc TMEM", "a_smem SMEM", "o_smem SMEM"}},
		{triton, jax.Triton, nil},
	} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		a := workspace.New([]string{root}, nil).Check(parse.Parse(filepath.Join(root, "k.py"), []byte(c.text)))
		for _, d := range a.Findings {
			t.Errorf("%v: found %s: %s", c.core, d.Rule.Name, d.Message)
		}
		f := Of(a, filepath.Base)
		if len(f.Kernels) == 0 {
			t.Fatalf("%v: no kernel", c.core)
		}
		for _, k := range f.Kernels {
			if k.Core != c.core {
				t.Errorf("%v: %s is on %v", c.core, k.Name, k.Core)
			}
			var got []string
			for _, r := range k.Refs {
				if slices.ContainsFunc(tpuOnly, r.Set.Has) {
					t.Errorf("%v: %s of %s is said to be in %v", c.core, r.Name, k.Name, r.Set)
				}
				if r.Space != nil {
					got = append(got, r.Name+" "+r.Space.String())
				}
			}
			if k.Name == "kernel" && strings.Join(got, ", ") != strings.Join(c.want, ", ") {
				t.Errorf("%v: %q, want %q", c.core, got, c.want)
			}
		}
	}
}
