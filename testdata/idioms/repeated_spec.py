"""One spec repeated as often as there are operands, the last parameter of the body with a default."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def run(x, weights=None):
    spec = pl.BlockSpec((8, 128), lambda i: (i, 0))

    def body(x_ref, weights_ref=None, *, o_ref):
        y = x_ref[...]
        if weights_ref is not None:
            y = y * weights_ref[...]
        o_ref[...] = y

    def kernel(*refs):
        *ins, o_ref = refs
        body(*ins, o_ref=o_ref)

    operands = (x,) if weights is None else (x, weights)
    return pl.pallas_call(kernel, out_shape=x, grid=(4,), in_specs=(spec,) * (1 + (weights is not None)), out_specs=spec)(*operands)


def case():
    a = jax.ShapeDtypeStruct((32, 128), jnp.float32)
    return run, (a, a)
