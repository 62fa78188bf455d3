"""A registered dataclass as the scratch, its fields spaces and semaphores."""
import dataclasses
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Scratch:
    buf: object
    sem: object
    count: object


def kernel(x_hbm, o_ref, scratch):
    copy = pltpu.make_async_copy(x_hbm.at[pl.ds(0, 8)], scratch.buf, scratch.sem)
    copy.start()
    scratch.count[0] = 2
    copy.wait()
    o_ref[...] = scratch.buf[...] * scratch.count[0].astype(jnp.float32)


def run(x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                          scratch_shapes=[Scratch(buf=pltpu.VMEM((8, 128), jnp.float32), sem=pltpu.SemaphoreType.DMA, count=pltpu.SMEM((1,), jnp.int32))])(x)


def case():
    return run, (jax.ShapeDtypeStruct((32, 128), jnp.float32),)
