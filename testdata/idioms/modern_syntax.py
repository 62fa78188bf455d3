"""Walrus, match, generics of PEP 695, nested f-strings and nonlocal in and around kernels."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


type Shape = tuple[int, ...]


def first[T](xs: list[T]) -> T:
    return xs[0]


def dtype_of(kind: str):
    match kind:
        case "half" | "bf16":
            return jnp.bfloat16
        case "full":
            return jnp.float32
        case _:
            raise ValueError(f"no dtype for {kind!r:>{len(kind)}}")


def kernel(x_ref, o_ref, acc):
    count = 0

    def add(ref):
        nonlocal count
        count += 1
        acc[...] = acc[...] + ref[...].astype(acc.dtype)

    if (n := len(x_ref.shape)) == 2:
        acc[...] = jnp.zeros((n * 4, 128), acc.dtype)
    add(first([x_ref]))
    o_ref[...] = (acc[...] * count).astype(o_ref.dtype)


def run(x, kind="bf16"):
    block: Shape = (8, 128)
    spec = pl.BlockSpec(block, lambda i: (i, 0))
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, dtype_of(kind)), grid=(pl.cdiv(x.shape[0], block[0]),), in_specs=[spec],
                          out_specs=spec, scratch_shapes=[pltpu.VMEM(block, dtype_of("full"))], name=f"scaled_{'x' if kind else f"{kind}"}")(x)


def case():
    return run, (jax.ShapeDtypeStruct((32, 128), jnp.bfloat16),)
