"""A pallas_call of one's own, which looks at the specs and then calls the real one."""
import dataclasses
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def with_mode(spec):
    if spec.block_shape is None:
        return spec
    return dataclasses.replace(spec, pipeline_mode=pl.Buffered(2))


def my_pallas_call(kernel, *, out_shape, in_specs, out_specs, grid, **options):
    call = pl.pallas_call(kernel, out_shape=out_shape, in_specs=[with_mode(s) for s in in_specs],
                          out_specs=out_specs, grid=grid, **options)

    @functools.wraps(kernel)
    def run(*operands):
        return call(*operands)

    return run


def kernel(x_ref, y_hbm, o_ref, buf, sem):
    copy = pltpu.make_async_copy(y_hbm.at[pl.ds(pl.program_id(0) * 8, 8)], buf, sem)
    copy.start()
    copy.wait()
    o_ref[...] = x_ref[...] + buf[...]


def run(x, y):
    return my_pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), grid=(x.shape[0] // 8,),
                          in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0)), pl.BlockSpec(memory_space=pltpu.HBM)],
                          out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
                          scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA(())])(x, y)


def case():
    a = jax.ShapeDtypeStruct((32, 128), jnp.float32)
    return run, (a, a)
