"""Refs reached through four levels of functions, with a name that a parameter shadows on the way."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, y_hbm, o_ref, buf, sem):
    def outer(step):
        def fetch(x_hbm):
            def go(rows):
                @pl.when(step >= 0)
                def _():
                    def copy():
                        return pltpu.make_async_copy(x_hbm.at[rows], buf, sem)

                    copy().start()
                    copy().wait()

            return go

        fetch(y_hbm)(pl.ds(step * 16, 16))
        o_ref[...] = buf[...]
        pltpu.sync_copy(x_hbm.at[pl.ds(0, 8)], buf.at[pl.ds(0, 8)])

    outer(pl.program_id(0))


def run(x, y):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32), grid=(2,), in_specs=[pl.BlockSpec(memory_space=pl.ANY)] * 2,
                          out_specs=pl.BlockSpec((16, 128), lambda i: (i, 0)),
                          scratch_shapes=[pltpu.VMEM((16, 128), jnp.float32), pltpu.SemaphoreType.DMA])(x, y)


def case():
    return run, (jax.ShapeDtypeStruct((8, 128), jnp.float32), jax.ShapeDtypeStruct((64, 128), jnp.float32))
