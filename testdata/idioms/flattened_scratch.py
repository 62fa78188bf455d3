"""Scratch that is a tree, flattened at the site and made a tree again in the kernel."""
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


scratch = {"acc": pltpu.VMEM((16,), jnp.float32), "sem": pltpu.SemaphoreType.DMA}
leaves, tree = jax.tree.flatten(scratch)


def run(x):
    from jax.experimental.pallas import tpu_sc as plsc
    mesh = plsc.VectorSubcoreMesh(core_axis_name="c", subcore_axis_name="s")

    @pl.kernel(out_type=jax.ShapeDtypeStruct(x.shape, x.dtype), mesh=mesh, scratch_types=leaves)
    def kernel(x_hbm, o_hbm, *refs):
        mine = jax.tree.unflatten(tree, refs)
        copy = pltpu.make_async_copy(x_hbm.at[pl.ds(0, 16)], mine["acc"], mine["sem"])
        copy.start()
        copy.wait()
        mine["acc"][...] = mine["acc"][...] + 1.0
        pltpu.sync_copy(mine["acc"], o_hbm.at[pl.ds(0, 16)])

    return kernel(x)


def case():
    return run, (jax.ShapeDtypeStruct((64,), jnp.float32),)
