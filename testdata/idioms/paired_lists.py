"""The condition that grows the lists of specs and outputs also takes the refs apart."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def run(x, cos, split=False):
    block = pl.BlockSpec((8, 128), lambda i: (i, 0))
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    if split:
        in_specs, out_specs, outs = [block, pl.BlockSpec((1, 128), lambda i: (0, 0))], [block, block], [shape, shape]
        allocs = [pltpu.VMEM((8, 128), jnp.float32)]
    else:
        in_specs, out_specs, outs = [block, pl.BlockSpec((1, 128), lambda i: (0, 0))], [block], [shape]
        allocs = []

    def kernel(x_ref, cos_ref, *rest):
        if split:
            a_ref, b_ref, acc = rest
            acc[...] = x_ref[...] * cos_ref[...]
            a_ref[...] = acc[...]
            b_ref[...] = x_ref[...]
        else:
            (o_ref,) = rest
            o_ref[...] = x_ref[...] * cos_ref[...]

    return pl.pallas_call(kernel, out_shape=outs, grid=(4,), in_specs=in_specs, out_specs=out_specs, scratch_shapes=allocs)(x, cos)


def both(x, cos):
    return run(x, cos), run(x, cos, split=True)


def case():
    return both, (jax.ShapeDtypeStruct((32, 128), jnp.float32), jax.ShapeDtypeStruct((1, 128), jnp.float32))
