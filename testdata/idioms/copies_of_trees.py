"""Copies whose ends are trees of refs; a tree.map over a parameter that is a tree; a comment before the arguments of a decorator's call."""
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import tpu_sc as plsc


def kernel(x_hbm, pair_hbm, o_ref, bufs, far, sem):
    a, b = bufs
    pltpu.sync_copy((x_hbm.at[0], pair_hbm["even"].at[1]), (a, b.at[pl.ds(0, 8)]))
    rows = jax.tree.map(lambda r: r.at[pl.ds(0, 1)], pair_hbm)
    copy = pltpu.make_async_copy(rows["odd"], far, sem)
    copy.start()
    copy.wait()
    o_ref[...] = a[...] + b[...] + far[0]


def run(x, pair):
    return pl.pallas_call(
        kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
        in_specs=[pl.BlockSpec(memory_space=pltpu.HBM), jax.tree.map(lambda _: pl.BlockSpec(memory_space=pltpu.HBM), pair)],
        scratch_shapes=[(pltpu.VMEM((8, 128), jnp.float32),) * 2, pltpu.VMEM((1, 8, 128), jnp.float32), pltpu.SemaphoreType.DMA])(x, pair)


def looked_up(table, ids):
    mesh = plsc.VectorSubcoreMesh(core_axis_name="c", subcore_axis_name="s")

    @functools.partial(  # the kernel below
        pl.kernel,  # which runs on every subcore
        # a comment on a line of its own
        out_type=jax.ShapeDtypeStruct((16, 128), jnp.float32),
        mesh=mesh,
        scratch_types=[
            # the ids first
            pltpu.VMEM((16,), jnp.int32),
            pltpu.VMEM((16, 128), jnp.float32),
        ],
    )
    # and one before the function
    def gather(table_hbm, ids_hbm, o_hbm, ids, rows):
        pltpu.sync_copy(ids_hbm, ids)
        pltpu.sync_copy(table_hbm.at[ids], rows)
        pltpu.sync_copy(rows, o_hbm)

    return gather(table, ids)


def case():
    a = jax.ShapeDtypeStruct((4, 8, 128), jnp.float32)

    def both(x, pair, table, ids):
        return run(x, pair), looked_up(table, ids)

    return both, (a, {"even": a, "odd": a}, jax.ShapeDtypeStruct((64, 128), jnp.float32), jax.ShapeDtypeStruct((16,), jnp.int32))
