"""num_scalar_prefetch is the length of the tuple that the call then takes apart."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(lens_ref, pages_ref, step_ref, q_ref, kv_hbm, o_ref, buf, sems):
    page = pages_ref[pl.program_id(0)] + lens_ref[0] + step_ref[0]
    pltpu.make_async_copy(kv_hbm.at[page], buf.at[0], sems.at[0]).start()
    pltpu.make_async_copy(kv_hbm.at[page], buf.at[0], sems.at[0]).wait()
    o_ref[...] = q_ref[...] + buf[0]


def run(q, kv, lens, pages):
    scalar_prefetches = (lens, pages, jnp.zeros((1,), jnp.int32))
    block = pl.BlockSpec((8, 128), lambda i, *_: (i, 0))
    return pl.pallas_call(
        kernel, out_shape=jax.ShapeDtypeStruct(q.shape, q.dtype),
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=len(scalar_prefetches), grid=(q.shape[0] // 8,), in_specs=[block, pl.BlockSpec(memory_space=pl.ANY)],
            out_specs=block, scratch_shapes=[pltpu.VMEM((2, 8, 128), kv.dtype), pltpu.SemaphoreType.DMA((2,))]),
    )(*scalar_prefetches, q, kv)


def case():
    return run, (jax.ShapeDtypeStruct((32, 128), jnp.bfloat16), jax.ShapeDtypeStruct((64, 8, 128), jnp.bfloat16),
                 jax.ShapeDtypeStruct((4,), jnp.int32), jax.ShapeDtypeStruct((4,), jnp.int32))
