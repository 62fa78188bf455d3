"""Index maps read metadata that is prefetched as a tuple; an operand, its spec and its alias are there only by an argument."""
import functools
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def metadata(sizes, tiles):
    ends = jnp.cumsum(sizes)
    offsets = jnp.concatenate([jnp.zeros(1, dtype=jnp.int32), ends])
    groups = jnp.repeat(jnp.arange(sizes.shape[0], dtype=jnp.int32), 2, total_repeat_length=tiles)
    return (offsets, groups), tiles


@functools.partial(jax.jit, static_argnames=["tiling", "result"])
def grouped(lhs, rhs, sizes, result=jnp.float32, tiling=(128, 128, 128), existing=None):
    first = jnp.array([0], dtype=jnp.int32)
    (m, k), n = lhs.shape, rhs.shape[2]
    tm, tk, tn = tiling
    data, tiles = metadata(sizes, m // tm)

    def kernel(data, first, lhs, rhs, existing_ref, out, acc):
        offsets, groups = data
        step = pl.program_id(2)

        @pl.when(step == 0)
        def _():
            acc[...] = jnp.zeros_like(acc)
            if existing is not None:
                acc[...] += existing_ref[...]

        def add(last):
            acc[...] += lax.dot(lhs[...], rhs[...], preferred_element_type=jnp.float32)
            if last:
                rows = lax.broadcasted_iota(jnp.int32, (tm, tn), 0)
                out[...] = jnp.where(rows < offsets[groups[pl.program_id(1)] + 1], acc[...], out[...].astype(jnp.float32)).astype(result)

        lax.cond(step == k // tk - 1, functools.partial(add, True), functools.partial(add, False))

    def of_rhs(n, g, k, data, first):
        _, groups = data
        return groups[g] - first[0], k, n

    out_spec = pl.BlockSpec((tm, tn), lambda n, g, k, data, first: (g, n))
    old_spec, aliases = (None, {}) if existing is None else (out_spec, {5: 0})
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), result),
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=2, grid=(n // tn, tiles, k // tk), out_specs=out_spec,
            in_specs=[pl.BlockSpec((tm, tk), lambda n, g, k, *_: (g, k)), pl.BlockSpec((None, tk, tn), of_rhs), old_spec],
            scratch_shapes=[pltpu.VMEM((tm, tn), jnp.float32)]),
        input_output_aliases=aliases,
    )(data, first, lhs, rhs, existing)


def case():
    s = jax.ShapeDtypeStruct

    def run(lhs, rhs, sizes, old):
        return grouped(lhs, rhs, sizes), grouped(lhs, rhs, sizes, existing=old)

    return run, (s((512, 256), jnp.bfloat16), s((4, 256, 384), jnp.bfloat16), s((4,), jnp.int32), s((512, 384), jnp.float32))
