"""Chains of bitcast, at and reshape keep the memory and change the shape and the type."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, k_ref, o_ref, buf, sem):
    words = x_hbm.reshape(16, 8, 128)
    pltpu.async_copy(words.at[3, pl.ds(0, 8)], buf, sem).wait()
    packed = k_ref.bitcast(jnp.uint32)
    low = packed.at[0].reshape(8, 128)
    o_ref[...] = buf[...] + low[...].astype(jnp.int32)


def run(x, k):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.int32), in_specs=[pl.BlockSpec(memory_space=pltpu.HBM), pl.BlockSpec()],
                          scratch_shapes=[pltpu.VMEM((8, 128), jnp.int32), pltpu.SemaphoreType.DMA])(x, k)


def case():
    return run, (jax.ShapeDtypeStruct((128, 128), jnp.int32), jax.ShapeDtypeStruct((2, 16, 128), jnp.bfloat16))
