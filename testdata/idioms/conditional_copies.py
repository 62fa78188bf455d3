"""Descriptors made up front, started under one condition and waited for under another, below two decorators."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, y_hbm, o_ref, xb, yb, sems):
    step = pl.program_id(0)
    first = pltpu.make_async_copy(x_hbm, xb, sems.at[0])
    second = pltpu.make_async_copy(y_hbm, yb, sems.at[1])

    @pl.when(step == 0)
    @jax.named_scope("prologue")
    def _():
        first.start()
        second.start()

    @pl.when(step < 1)
    @jax.named_scope("epilogue")
    def _():
        first.wait()
        second.wait()

    o_ref[...] = xb[...] + yb[...]


def run(x, y):
    anywhere = pl.BlockSpec(memory_space=pl.ANY)
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32), grid=(4,), in_specs=[anywhere, anywhere],
                          out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
                          scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA((2,))])(x, y)


def case():
    a = jax.ShapeDtypeStruct((8, 128), jnp.float32)
    return run, (a, a)
