"""Loops and tree.map over refs from both sides of a copy."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(refs, table_hbm, o_ref, bufs, small, sems):
    copies = [pltpu.make_async_copy(src.at[pl.ds(0, 8)], dst, sems.at[i]) for i, (src, dst) in enumerate(zip(refs, bufs))]
    jax.tree.map(lambda c: c.start(), copies)
    for src, dst in zip(jax.tree.leaves(table_hbm), jax.tree.leaves(small)):
        pltpu.sync_copy(src, dst)
    jax.tree.map(lambda c: c.wait(), copies)
    halves = jax.tree.map(lambda b: b.at[pl.ds(0, 4)], bufs)
    o_ref[pl.ds(0, 4)] = halves[0][...] + halves[1][...]
    o_ref[pl.ds(4, 4)] = halves[0][...] * small["a"][0].astype(jnp.float32)


def run(xs, table):
    anywhere = pl.BlockSpec(memory_space=pl.ANY)
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[[anywhere] * 2, {"a": anywhere, "b": anywhere}],
                          scratch_shapes=[[pltpu.VMEM((8, 128), jnp.float32)] * 2, {"a": pltpu.SMEM((8,), jnp.int32), "b": pltpu.SMEM((8,), jnp.int32)},
                                          pltpu.SemaphoreType.DMA((2,))])(xs, table)


def case():
    a, t = jax.ShapeDtypeStruct((32, 128), jnp.float32), jax.ShapeDtypeStruct((8,), jnp.int32)
    return run, ([a, a], {"a": t, "b": t})
