"""Specs from a generator, twice over; the kernel takes them apart from both ends."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


N = 3


def spec(i):
    return pl.BlockSpec((8, 128), lambda j: (j, i))


def kernel(*refs):
    scale_ref, *xs = refs[: N + 1]
    outs = refs[-N - 1:-1]
    acc_ref = refs[-1]
    for x_ref, o_ref in zip(xs, outs):
        acc_ref[...] = x_ref[...] * scale_ref[0]
        o_ref[...] = acc_ref[...]


def run(scale, x):
    specs = tuple(spec(i) for i in range(N))
    out = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return pl.pallas_call(kernel, out_shape=(out,) * N, grid=(x.shape[0] // 8,), in_specs=(pl.BlockSpec(memory_space=pltpu.SMEM), *specs), out_specs=specs,
                          scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)])(scale, *[x] * N)


def case():
    return run, (jax.ShapeDtypeStruct((1,), jnp.float32), jax.ShapeDtypeStruct((32, 384), jnp.float32))
