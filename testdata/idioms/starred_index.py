"""Subscripts with a star in them."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


N = 2


def kernel(x_hbm, acc_ref, o_ref, buf, sem):
    batch = (1,) * (x_hbm.ndim - 2)
    copy = pltpu.make_async_copy(x_hbm.at[*batch, pl.ds(0, 8)], buf.at[*(0,) * (N - 1)], sem)
    copy.start()
    copy.wait()
    slices = [pl.ds(i * 0, n) for i, n in enumerate((8, 128))]
    acc = acc_ref.at[*slices]
    o_ref[...] = acc[...] + buf[0]


def run(x, acc):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
                          in_specs=[pl.BlockSpec(memory_space=pl.ANY), pl.BlockSpec(memory_space=pltpu.VMEM)],
                          scratch_shapes=[pltpu.VMEM((N, 8, 128), jnp.float32), pltpu.SemaphoreType.DMA])(x, acc)


def case():
    return run, (jax.ShapeDtypeStruct((3, 2, 32, 128), jnp.float32), jax.ShapeDtypeStruct((16, 256), jnp.float32))
