"""A SparseCore kernel that reads its argument as a TensorCore kernel would."""

import functools

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc


@functools.partial(
    pl.kernel,
    out_type=jax.ShapeDtypeStruct((16,), jnp.float32),
    mesh=plsc.VectorSubcoreMesh(core_axis_name="core", subcore_axis_name="subcore"),
    scratch_types=[pltpu.VMEM((16,), jnp.float32)],
)
def double(x_hbm, o_hbm, buf):
    buf[...] = x_hbm[...] * 2.0
    pltpu.sync_copy(buf, o_hbm)


print(double(jnp.ones((16,), jnp.float32)))
