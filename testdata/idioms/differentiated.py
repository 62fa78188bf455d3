"""A kernel with a derivative of its own: the backward function gets the residuals of the forward one and a cotangent like its result."""
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def scan_kernel(q_ref, v_ref, state_ref, o_ref, last_ref, carried, *, steps):
    step = pl.program_id(1)

    @pl.when(step == 0)
    def _():
        carried[:, :] = jnp.zeros_like(carried) if state_ref is None else state_ref[0].astype(jnp.float32)

    q, v = (r[0] for r in (q_ref, v_ref))
    o_ref[0] = jnp.dot(q.astype(jnp.float32), carried[...]).astype(o_ref.dtype)
    carried[...] += jnp.dot(q.T, v, preferred_element_type=jnp.float32)

    @pl.when(step == steps - 1)
    def _():
        last_ref[0, ...] = carried[...]


@functools.partial(jax.jit, static_argnums=(3,))
def chunks(q, v, state, size):
    batch, length, wide = q.shape
    assert v.shape[:2] == (batch, length), "one value for each query"
    out = v.shape[-1]
    rows = lambda d: pl.BlockSpec((1, size, d), lambda b, t: (b, t, 0))
    whole = pl.BlockSpec((1, wide, out), lambda b, t: (b, 0, 0))
    return pl.pallas_call(
        functools.partial(scan_kernel, steps=length // size),
        grid=(batch, length // size),
        in_specs=[*map(rows, (wide, out)), None if state is None else whole],
        out_specs=(rows(out), whole),
        out_shape=(jax.ShapeDtypeStruct(v.shape, v.dtype), jax.ShapeDtypeStruct((batch, wide, out), jnp.float32)),
        scratch_shapes=(pltpu.VMEM((wide, out), jnp.float32),),
    )(q, v, state)


@functools.partial(jax.custom_vjp, nondiff_argnums=(2,))
def scan(q, v, size):
    return chunks(q, v, None, size)[0]


def forward(q, v, size):
    return scan(q, v, size), (q, v)


def scale_kernel(d_ref, o_ref):
    o_ref[...] = d_ref[...] * 2


def backward(size, residuals, d_out):
    q, v = residuals
    back, _ = chunks(q, d_out, None, size)
    doubled = pl.pallas_call(scale_kernel, grid=(q.shape[0],), out_shape=jax.ShapeDtypeStruct(q.shape, q.dtype),
                             in_specs=[pl.BlockSpec((None, *q.shape[1:]), lambda b: (b, 0, 0))],
                             out_specs=pl.BlockSpec((None, *q.shape[1:]), lambda b: (b, 0, 0)))(q)
    return doubled, back


scan.defvjp(forward, backward)


def case():
    s = jax.ShapeDtypeStruct

    def run(q, v, state):
        out, last = chunks(q, v, state, 128)
        return out, last, jax.grad(lambda v: scan(q, v, 128).sum().astype(jnp.float32))(v)

    return run, (s((2, 512, 128), jnp.bfloat16), s((2, 512, 256), jnp.bfloat16), s((2, 128, 256), jnp.float32))
