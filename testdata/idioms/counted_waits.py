"""Regular semaphores: signalled, read and waited for by count, one of them through a view."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, o_ref, buf, sem, flags):
    pltpu.make_async_copy(x_hbm, buf, sem).start()
    pl.semaphore_signal(flags.at[1], 2)
    pl.semaphore_wait(flags.at[1], 2)
    pltpu.make_async_copy(buf, buf, sem).wait()
    o_ref[...] = buf[...]


def run(x):
    return pl.pallas_call(kernel, out_shape=x, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec(memory_space=pltpu.VMEM),
                          scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.REGULAR((2,))])(x)


def case():
    return run, (jax.ShapeDtypeStruct((8, 128), jnp.float32),)
