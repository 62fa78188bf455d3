"""A body that gets one or two refs more by a condition, from run_scoped."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_ref, o_ref, *, twice):
    def body(*refs):
        if twice:
            a, b, sem = refs
            b[...] = x_ref[...]
        else:
            a, sem = refs
        pltpu.async_copy(x_ref, a, sem).wait()
        o_ref[...] = a[...]

    buf = pltpu.VMEM(x_ref.shape, x_ref.dtype)
    pl.run_scoped(body, *([buf, buf] if twice else [buf]), pltpu.SemaphoreType.DMA)


def run(x):
    def both(twice):
        return pl.pallas_call(lambda *refs: kernel(*refs, twice=twice), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

    return both(True), both(False)


def case():
    return run, (jax.ShapeDtypeStruct((8, 128), jnp.float32),)
