"""scratches= hands outer refs to the body of a pipeline."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, o_hbm, state, ids, sem):
    def body(x_vmem, o_vmem, state_ref, ids_ref, sem_ref):
        copy = pltpu.make_async_copy(x_hbm.at[pl.ds(0, 8)], state_ref.at[0], sem_ref)
        copy.start()
        ids_ref[0] = ids_ref[0] + 1
        copy.wait()
        o_vmem[...] = x_vmem[...] + state_ref[0]

    ids[0] = 0
    block = pl.BlockSpec((8, 128), lambda i: (i, 0))
    pltpu.emit_pipeline(body, grid=(4,), in_specs=[block], out_specs=[block])(x_hbm, o_hbm, scratches=[state, ids, sem])


def run(x):
    anywhere = pl.BlockSpec(memory_space=pltpu.HBM)
    return pl.pallas_call(kernel, out_shape=x, in_specs=[anywhere], out_specs=anywhere,
                          scratch_shapes=[pltpu.VMEM((2, 8, 128), jnp.float32), pltpu.SMEM((1,), jnp.int32), pltpu.SemaphoreType.DMA])(x)


def case():
    return run, (jax.ShapeDtypeStruct((32, 128), jnp.float32),)
