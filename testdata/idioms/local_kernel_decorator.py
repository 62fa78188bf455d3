"""A stand-in for pl.kernel with the same keywords, with and without its function."""
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from jax.experimental.pallas import tpu_sc as plsc


def sparse_kernel(body=None, *, out_type, mesh=None, scratch_types=()):
    if body is None:
        return functools.partial(sparse_kernel, out_type=out_type, mesh=mesh, scratch_types=scratch_types)
    mesh = mesh or plsc.VectorSubcoreMesh(core_axis_name="c", subcore_axis_name="s")

    def call(*args):
        return pl.kernel(body, out_type=out_type, mesh=mesh, scratch_types=scratch_types)(*args)

    return call


def run(x):
    @sparse_kernel(out_type=jax.ShapeDtypeStruct((64,), jnp.int32), scratch_types=[pltpu.VMEM((16,), jnp.int32)])
    def twice(x_hbm, o_hbm, buf):
        pltpu.sync_copy(x_hbm.at[pl.ds(16, 16)], buf)
        buf[...] = buf[...] * 2
        pltpu.sync_copy(buf, o_hbm.at[pl.ds(0, 16)])

    return twice(x)


def case():
    return run, (jax.ShapeDtypeStruct((64,), jnp.int32),)
