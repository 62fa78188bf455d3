package inspect

import (
	"path/filepath"
	"slices"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/workspace"
)

const stepsHead = `import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

def copy(x_ref, o_ref):
    o_ref[...] = x_ref[...]

class Maps:
    def rows(self, i, j):
        return j, i

def along(n, i, j):
    return i, n

`

// TestSteps: what is shown of a grid and of the windows over it holds in every run, in the code's own names.
func TestSteps(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"maps that differ": {`
def call(x, lengths=None):
    if lengths is None:
        at = lambda i, j: (i, j)
    else:
        at = lambda i, j: (i, 0)
    return pl.pallas_call(copy, grid=(4, 2), in_specs=[pl.BlockSpec((8, 128), at)],
        out_specs=pl.BlockSpec((8, 128), lambda i, j: (i, 0)), out_shape=jax.ShapeDtypeStruct((32, 128), x.dtype))(x)
`, []string{"grid (4, 2): 8 steps, the last axis runs fastest", "o_ref at (i, 0): (0, 0) (0, 0) (1, 0) (1, 0) (2, 0) (2, 0) …; all 4 blocks, stays at 4 steps"}},
		"grids that differ": {`
def call(x, lengths=None):
    if lengths is None:
        n = 4
    else:
        n = lengths.shape[0]
    return pl.pallas_call(copy, grid=(n, 2), in_specs=[pl.BlockSpec((8, 128), lambda i, j: (i, j))],
        out_specs=pl.BlockSpec((8, 128), lambda i, j: (j, i)), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
`, []string{"x_ref at (i, j)", "o_ref at (j, i)"}},
		"all the indices in one": {`
def call(x, n, m):
    return pl.pallas_call(copy, grid=(n, m), in_specs=[pl.BlockSpec((8, 128), lambda *at: (at[1], at[0]))],
        out_specs=pl.BlockSpec((8, 128), lambda i, *at: (*at, i)), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
`, []string{"grid (n, m)", "x_ref at (at[1], at[0])", "o_ref at (at[0], i)"}},
		"methods and partials": {`
def call(x, n, m):
    return pl.pallas_call(copy, grid=(n, m), in_specs=[pl.BlockSpec((8, 128), Maps().rows)],
        out_specs=pl.BlockSpec((8, 128), functools.partial(along, 0)), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
`, []string{"grid (n, m)", "x_ref at (j, i)", "o_ref at (i, 0)"}},
		"indices that are sums and quotients": {`
def call(x, n, m):
    return pl.pallas_call(copy, grid=(n, m), in_specs=[pl.BlockSpec((8, 128), lambda i, j: (i + 2 * j, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i, j: (i // 2, (j + 1) % n)), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
`, []string{"grid (n, m)", "x_ref at (i+2*j, 0)", "o_ref at (i//2, (j+1)%n)"}},
		"quotients in a grid of known size": {`
def call(x):
    return pl.pallas_call(copy, grid=(4,), in_specs=[pl.BlockSpec((8, 128), lambda i: (i % 2, i // 2))],
        out_specs=pl.BlockSpec((8, 128), lambda i: (i // 2, 0)), out_shape=jax.ShapeDtypeStruct((16, 128), x.dtype))(x)
`, []string{"grid (4,): 4 steps", "x_ref at (i%2, i//2): (0, 0) (1, 0) (0, 1) (1, 1); 4 blocks",
			"o_ref at (i//2, 0): (0, 0) (0, 0) (1, 0) (1, 0); all 2 blocks, stays at 2 steps"}},
		"a table that is prefetched": {`
def gather(table, x_ref, o_ref):
    o_ref[...] = x_ref[...]

def row(i, table):
    return table[i] + 1, 0

def call(table, x):
    return pl.pallas_call(gather, grid_spec=pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(4,),
        in_specs=[pl.BlockSpec((8, 128), lambda i, rows: (rows[i], 0))], out_specs=pl.BlockSpec((8, 128), row)),
        out_shape=jax.ShapeDtypeStruct((32, 128), x.dtype))(table, x)
`, []string{"grid (4,): 4 steps", "x_ref at (rows[i], 0)", "o_ref at (table[i] + 1, 0)"}},
		"a size that is a call": {`
def call(x, k):
    return pl.pallas_call(copy, grid=(max(k, 1), 2), in_specs=[pl.BlockSpec((8, 128), lambda i, j: (j, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i, j: (j, 0)), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
`, []string{"grid (max(k,1), 2)", "x_ref at (j, 0)", "o_ref at (j, 0)"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "steps.py")
			a := workspace.New([]string{filepath.Dir(path)}, nil).Infer(parse.Parse(path, []byte(stepsHead+c.body)))
			f := Of(a, filepath.Base)
			if len(f.Kernels) != 1 {
				t.Fatalf("%d kernels", len(f.Kernels))
			}
			if got := f.Kernels[0].Steps(); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestOneRefPerParameter: a parameter is listed once, whichever operands before it are left out.
func TestOneRefPerParameter(t *testing.T) {
	const body = `
def add(x_ref, bias_ref, scale_ref, o_ref):
    o_ref[...] = x_ref[...] if scale_ref is None else x_ref[...] * scale_ref[...]

def call(x, bias=None, scale=None, use_bias=False, use_scale=False):
    row = pl.BlockSpec((8, 128), lambda i: (i, 0))
    bias_spec = pl.BlockSpec((8, 128), lambda i: (i, 0)) if use_bias else None
    scale_spec = pl.BlockSpec((8, 128), lambda i: (i, 0)) if use_scale else None
    bias = bias.reshape(32, 128) if use_bias else None
    scale = scale.reshape(32, 128) if use_scale else None
    return pl.pallas_call(add, grid=(4,), in_specs=[row, bias_spec, scale_spec], out_specs=row,
        out_shape=jax.ShapeDtypeStruct((32, 128), x.dtype))(x, bias, scale)
`
	path := filepath.Join(t.TempDir(), "params.py")
	f := Of(workspace.New([]string{filepath.Dir(path)}, nil).Infer(parse.Parse(path, []byte(stepsHead+body))), filepath.Base)
	var got []string
	for _, r := range f.Kernels[0].Refs {
		got = append(got, r.Name)
	}
	slices.Sort(got)
	if want := []string{"bias_ref", "o_ref", "scale_ref", "x_ref"}; !slices.Equal(got, want) {
		t.Errorf("refs: %q, want %q", got, want)
	}
}

// TestReturnedFunction: a kernel that only a function which is made and returned runs is seen, also when a condition on the way is open.
func TestReturnedFunction(t *testing.T) {
	const body = `
def forward(x, m=None):
    if m is None:
        m = jnp.zeros((8, 128), jnp.float32)
    return pl.pallas_call(copy, out_shape=jax.ShapeDtypeStruct((8, 128), x.dtype))(m)

def make():
    def call(x, m=None):
        return forward(x, m=m)
    return call
`
	path := filepath.Join(t.TempDir(), "returned.py")
	f := Of(workspace.New([]string{filepath.Dir(path)}, nil).Infer(parse.Parse(path, []byte(stepsHead+body))), filepath.Base)
	if len(f.Kernels) != 1 || f.Kernels[0].Name != "copy" {
		t.Errorf("kernels: %v", f.Kernels)
	}
}

// TestListOperands: a list of operands is a list of refs, not a tuple.
func TestListOperands(t *testing.T) {
	const body = `
def first(s_refs, x_refs, o_refs):
    assert isinstance(s_refs, list) and isinstance(x_refs, list) and isinstance(o_refs, list)
    o_refs[0][...] = x_refs[0][...]

def call(s, x):
    return pl.pallas_call(first, out_shape=[[jax.ShapeDtypeStruct((8, 128), jnp.float32)]], grid_spec=pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1, grid=(1,), in_specs=[[pl.BlockSpec((8, 128), lambda i, s: (0, 0))]],
        out_specs=[[pl.BlockSpec((8, 128), lambda i, s: (0, 0))]]))([s, s], [x])
`
	path := filepath.Join(t.TempDir(), "lists.py")
	f := Of(workspace.New([]string{filepath.Dir(path)}, nil).Infer(parse.Parse(path, []byte(stepsHead+body))), filepath.Base)
	if len(f.Kernels) != 1 || len(f.Kernels[0].Events) != 2 {
		t.Errorf("kernels: %+v", f.Kernels)
	}
}

// TestListsOfPipeline: a list of specs of a pipeline is a list of refs in its body, too.
func TestListsOfPipeline(t *testing.T) {
	const body = `
def body(x_refs, o_ref):
    assert isinstance(x_refs, list)
    o_ref[...] = x_refs[0][...] + x_refs[1][...]

def outer(x_hbm, y_hbm, o_hbm):
    block = pl.BlockSpec((8, 128), lambda i: (i, 0))
    pltpu.emit_pipeline(body, grid=(4,), in_specs=[[block, block]], out_specs=[block])([x_hbm, y_hbm], o_hbm)

def call(x, y):
    hbm = pl.BlockSpec(memory_space=pltpu.HBM)
    return pl.pallas_call(outer, in_specs=[hbm, hbm], out_specs=hbm, out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32))(x, y)
`
	path := filepath.Join(t.TempDir(), "pipeline.py")
	f := Of(workspace.New([]string{filepath.Dir(path)}, nil).Infer(parse.Parse(path, []byte(stepsHead+body))), filepath.Base)
	for _, k := range f.Kernels {
		if k.Name == "body" && len(k.Events) == 3 {
			return
		}
	}
	t.Errorf("kernels: %+v", f.Kernels)
}
