"""A list of specs that grows by as much in both branches of one condition, None in one of them."""
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(table, x_ref, a_ref, b_ref, o_ref, *, masked):
    y = x_ref[...] + table[0]
    if masked:
        y = jnp.where(a_ref[...] > b_ref[...], y, 0)
    o_ref[...] = y


def run(table, x, a=None, b=None):
    block = pl.BlockSpec((8, 128), lambda i, table: (i, 0))
    specs = [block]
    operands = [x]
    if a is not None:
        specs += [pl.BlockSpec((8, 128), lambda i, table: (i, 0), memory_space=pltpu.VMEM)] * 2
        operands += [a, b]
    else:
        specs += [None, None]
        operands += [None] * 2
    grid_spec = pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(4,), in_specs=specs, out_specs=block)
    return pl.pallas_call(functools.partial(kernel, masked=a is not None), grid_spec=grid_spec, out_shape=x)(table, *operands)


def case():
    a = jax.ShapeDtypeStruct((32, 128), jnp.int32)
    return run, (jax.ShapeDtypeStruct((16,), jnp.int32), a, a, a)
