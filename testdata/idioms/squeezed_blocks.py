"""Block shapes with None, Squeezed; operands made by jnp functions."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def kernel(x_ref, y_ref, z_ref, o_ref):
    o_ref[...] = x_ref[...] + y_ref[0] + z_ref[...].astype(jnp.float32)


def run(x):
    y = jnp.zeros((4, 8, 128), x.dtype) + 1
    z = jnp.ones_like(x).astype(jnp.bfloat16).reshape(4, 8, 128)
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((4, 8, 128), x.dtype), grid=(4,),
                          in_specs=[pl.BlockSpec((None, 8, 128), lambda i: (i, 0, 0)), pl.BlockSpec((1, 8, 128), lambda i: (i, 0, 0)),
                                    pl.BlockSpec((pl.Squeezed(), 8, 128), lambda i: (i, 0, 0))],
                          out_specs=pl.BlockSpec((None, 8, 128), lambda i: (i, 0, 0)))(x.reshape(4, 8, 128), y, z)


def case():
    return run, (jax.ShapeDtypeStruct((32, 128), jnp.float32),)
