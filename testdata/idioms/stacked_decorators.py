"""partial(emit_pipeline, ...) as a decorator of the body, twice nested: the decorated name is the pipeline."""
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_hbm, o_hbm, total):
    @functools.partial(pltpu.emit_pipeline, grid=(2,), in_specs=[pl.BlockSpec((16, 256), lambda i: (i, 0))],
                       out_specs=[pl.BlockSpec((16, 256), lambda i: (i, 0))])
    def outer(x_vmem, o_vmem):
        @functools.partial(pltpu.emit_pipeline, grid=(2,), in_specs=[pl.BlockSpec((8, 256), lambda j: (j, 0))],
                           out_specs=[pl.BlockSpec((8, 256), lambda j: (j, 0))])
        def inner(x_part, o_part):
            o_part[...] = x_part[...] + total[0]

        inner(x_vmem, o_vmem)

    total[0] = 3.0
    outer(x_hbm, o_hbm)


def run(x):
    return pl.pallas_call(kernel, out_shape=x, in_specs=[pl.BlockSpec(memory_space=pl.ANY)], out_specs=pl.BlockSpec(memory_space=pl.ANY),
                          scratch_shapes=[pltpu.SMEM((1,), jnp.float32)])(x)


def case():
    return run, (jax.ShapeDtypeStruct((32, 256), jnp.float32),)
