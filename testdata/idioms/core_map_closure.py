"""core_map: the refs are those that the body closes over."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



@jax.jit
def run(x):
    mesh = pltpu.create_tensorcore_mesh("core")

    def inner(refs):
        x_ref, o_ref = refs

        @pl.core_map(mesh)
        def _():
            def body(buf, sem):
                pltpu.async_copy(x_ref, buf, sem).wait()
                buf[...] = buf[...] + 1.0
                pltpu.async_copy(buf, o_ref, sem).wait()

            pl.run_scoped(body, pltpu.VMEM(x_ref.shape, x_ref.dtype), pltpu.SemaphoreType.DMA)

    _, out = pl.run_state(inner)((x, jnp.zeros_like(x)))
    return out


def case():
    return run, (jax.ShapeDtypeStruct((8, 128), jnp.float32),)
