"""Refs taken one by one from an iterator, some into a named tuple, the rest by starring the iterator."""
import typing
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



class Ins(typing.NamedTuple):
    x: object
    y: object


def kernel(*refs):
    it = iter(refs)
    ins = Ins(*(next(it) for _ in range(2)))
    out = next(it)
    scale, acc = (*it,)
    acc[...] = ins.x[...] + ins.y[...]
    out[...] = acc[...] * scale[0]
    scale[0] = 1.0


def run(x, y):
    block = pl.BlockSpec((8, 128), lambda i: (i, 0))
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, jnp.float32), grid=(4,), in_specs=[block, block], out_specs=block,
                          scratch_shapes=[pltpu.SMEM((1,), jnp.float32), pltpu.VMEM((8, 128), jnp.float32)])(x, y)


def case():
    a = jax.ShapeDtypeStruct((32, 128), jnp.float32)
    return run, (a, a)
