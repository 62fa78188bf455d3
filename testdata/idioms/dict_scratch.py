"""Scratch as a dict: its keys are the kernel's keyword-only parameters."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, o_ref, *, buf, table, sem):
    copy = pltpu.async_copy(x_hbm.at[0], buf, sem)
    table[0] = 1
    copy.wait()
    o_ref[...] = buf[...] * table[0].astype(jnp.float32)


def run(x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pltpu.HBM)],
                          out_specs=pl.BlockSpec((8, 128), lambda: (0, 0)),
                          scratch_shapes=dict(sem=pltpu.SemaphoreType.DMA, buf=pltpu.VMEM((8, 128), jnp.float32), table=pltpu.SMEM((1,), jnp.int32)))(x)


def case():
    return run, (jax.ShapeDtypeStruct((2, 8, 128), jnp.float32),)
