"""Scratch as nested tuples, of which one parameter is a tuple of refs."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, o_ref, bufs, sems):
    first, second = bufs
    for i, (buf, sem) in enumerate(zip(bufs, sems)):
        pltpu.make_async_copy(x_hbm.at[i], buf, sem).start()
    for i in range(2):
        pltpu.make_async_copy(x_hbm.at[i], bufs[i], sems[i]).wait()
    o_ref[...] = first[...] + second[...]


def run(x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                          scratch_shapes=[(pltpu.VMEM((8, 128), jnp.float32),) * 2, (pltpu.SemaphoreType.DMA,) * 2])(x)


def case():
    return run, (jax.ShapeDtypeStruct((2, 8, 128), jnp.float32),)
