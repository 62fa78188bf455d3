"""Memory spaces that a flag or a name decides."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


SHIM = getattr(pltpu.MemorySpace, "ANYWHERE", pltpu.MemorySpace.HBM)


def kernel(n_ref, x_hbm, y_hbm, o_ref, sem):
    pltpu.async_copy(x_hbm, o_ref, sem).wait()
    pltpu.async_copy(y_hbm, o_ref, sem).wait()
    o_ref[...] = o_ref[...] * n_ref[0]


def run(n, x, y, interpret=False, kind="device"):
    scalars = pl.ANY if interpret else pltpu.SMEM
    far = pl.HOST if kind == "pinned_host" else pltpu.HBM
    return pl.pallas_call(kernel, out_shape=x, in_specs=[pl.BlockSpec(memory_space=scalars), pl.BlockSpec(memory_space=far), pl.BlockSpec(memory_space=SHIM)],
                          out_specs=pl.BlockSpec(memory_space=pltpu.VMEM), scratch_shapes=[pltpu.SemaphoreType.DMA],
                          interpret=interpret)(n, x, y)


def case():
    a = jax.ShapeDtypeStruct((8, 128), jnp.float32)
    return run, (jax.ShapeDtypeStruct((4,), jnp.float32), a, a)
