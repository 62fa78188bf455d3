"""A function makes the scratch, with more of it by a flag; the kernel asks whether there is more."""
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



def create_scratch(carry):
    base = (pltpu.VMEM((8, 128), jnp.float32), pltpu.VMEM((8, 256), jnp.float32))
    if carry:
        return base + (pltpu.SMEM((4,), jnp.int32), pltpu.VMEM((16, 128), jnp.bfloat16))
    return base


def kernel(x_ref, o_ref, *scratches):
    m, acc, *carry = scratches
    m[...] = x_ref[...]
    acc[...] = jnp.zeros_like(acc)
    if carry:
        count, kept = carry
        count[0] = count[1] + 1
        kept[...] = jnp.zeros(kept.shape, kept.dtype)
    o_ref[...] = m[...] + acc[:, :128]


def run(x, carry):
    block = pl.BlockSpec((8, 128), lambda i: (i, 0))
    return pl.pallas_call(kernel, out_shape=x, grid=(4,), in_specs=[block], out_specs=block, scratch_shapes=create_scratch(carry))(x)


def case():
    return functools.partial(run, carry=True), (jax.ShapeDtypeStruct((32, 128), jnp.float32),)
