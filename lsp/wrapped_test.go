package lsp

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A kernel from one file, called through a wrapper from another, and all of it from a third.
const (
	wrappedKernels = `from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

def fetch(src, buf, sem):
    return pltpu.make_async_copy(src.at[pl.ds(pl.program_id(0) * 8, 8)], buf, sem)

def add_kernel(x_ref, y_hbm, o_ref, buf, sem):
    fetch(y_hbm, buf, sem).start()
    fetch(y_hbm, buf, sem).wait()
    o_ref[...] = x_ref[...] + buf[...]
`
	wrappedCall = `import functools
from jax.experimental import pallas as pl

def my_call(kernel, *, out_shape, in_specs, out_specs, **options):
    call = pl.pallas_call(kernel, out_shape=out_shape, in_specs=in_specs, out_specs=out_specs, **options)

    @functools.wraps(kernel)
    def run(*operands):
        return call(*operands)

    return run
`
	wrappedUse = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
import kernels
from wrap import my_call

def run(x, y):
    return my_call(kernels.add_kernel, grid=(4,), out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32),
                   in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0)), pl.BlockSpec(memory_space=pltpu.HBM)],
                   out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
                   scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA])(x, y)

run(jnp.zeros((32, 128)), jnp.zeros((32, 128)))
`
)

// TestThroughWrapper: the specs, scratch and operands of a call lead to the parameters of a kernel in another file, and hovers say where they
// are, although a wrapper in a third file makes the call.
func TestThroughWrapper(t *testing.T) {
	root := folder(t, "kernels.py", wrappedKernels, "wrap.py", wrappedCall, "use.py", wrappedUse)
	c := open(t, everything("utf-16"), root)
	uri := "file://" + root + "/use.py"
	c.didOpen(uri, wrappedUse)
	for _, h := range []struct {
		at   string
		off  int
		want string
	}{
		{"BlockSpec((8, 128), lambda i: (i, 0)), pl", 2, "of `x_ref`"},
		{"BlockSpec(memory_space", 2, "**BlockSpec** of `y_hbm`: the kernel sees `float32[32, 128]` in HBM"},
		{"HBM)", 1, "HBM"},
		{"VMEM((8", 1, "**buf**: Ref in VMEM, `float32[8, 128]`"},
		{"DMA])", 1, "**DMA semaphore**"},
	} {
		if got := c.hover(uri, find(wrappedUse, h.at).plus(h.off)); !strings.Contains(got, h.want) {
			t.Errorf("hover on %s: %q is not in\n%s", h.at, h.want, got)
		}
	}
	for _, r := range []struct {
		at   string
		off  int
		want string // a place in kernels.py
	}{
		{"pl.BlockSpec((8, 128), lambda i: (i, 0)), pl", 4, "x_ref, y_hbm"},
		{"pl.BlockSpec(memory_space", 4, "y_hbm, o_ref"},
		{"pltpu.VMEM((8", 8, "buf, sem):\n    fetch"},
	} {
		var places []struct {
			URI   string
			Range span
		}
		c.must("textDocument/references", object{"textDocument": object{"uri": uri}, "position": find(wrappedUse, r.at).plus(r.off).json(),
			"context": object{"includeDeclaration": true}}, &places)
		found := slices.ContainsFunc(places, func(p struct {
			URI   string
			Range span
		}) bool {
			return filepath.Base(p.URI) == "kernels.py" && p.Range.Start == find(wrappedKernels, r.want)
		})
		if !found {
			t.Errorf("references of %s: %v", r.at, places)
		}
	}
}
