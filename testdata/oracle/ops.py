"""Traces the TPU kernels that JAX ships, and records every access in them. Runs in an environment of setup's.

These are the largest kernels that every user has on disk, so `inspect` on them is held against what JAX knows:
record_truth writes the facts to ops.jsonl.gz (facts only, no code), and score.py reads the files from the installed wheel.

usage: ops.py > facts.jsonl      a fact's file is named from site-packages on
"""
import functools
import importlib
import os
import sys
import traceback

import worker

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import source_info_util

import facts

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(jax.__file__)))
OPS = os.path.join(PACKAGES, "jax", "experimental", "pallas", "ops", "tpu") + os.sep
CHIP = "v5p"


def s(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


bf16 = functools.partial(s, dtype=jnp.bfloat16)
i32 = functools.partial(s, dtype=jnp.int32)


def gradient(f):
    """f and its gradient by the first three arguments: the backward kernels."""
    def run(*args):
        return jax.value_and_grad(lambda *xs: jnp.sum(f(*xs)).astype(jnp.float32), argnums=(0, 1, 2))(*args)
    return run


def small():
    from jax.experimental.pallas.ops.tpu import example_kernel
    from jax.experimental.pallas.ops.tpu.random import philox, threefry
    yield example_kernel.double, (s(8, 128),)
    key = s(2, dtype=jnp.uint32)
    yield lambda k: threefry.plthreefry_random_bits(k, 32, (512, 512)), (key,)
    yield lambda k: threefry.plthreefry_random_bits(k, 32, (2, 300, 300)), (key,)
    yield lambda k: philox.philox_random_bits(k, 32, (512, 512)), (key,)
    yield lambda k: philox.philox_4x32_count(k, (512, 512), fuse_output=False), (key,)
    yield lambda k: philox.philox_split(k, (4,)), (key,)


def products():
    from jax.experimental.pallas.ops.tpu import matmul
    gmm = importlib.import_module("jax.experimental.pallas.ops.tpu.megablox.gmm")  # the package has a function of that name
    yield lambda x, y: matmul.matmul(x, y, block_shape=(256, 256)), (s(512, 512), s(512, 512))
    yield lambda x, y: matmul.matmul(x, y, block_shape=(256, 256), block_k=512), (s(512, 512, dtype=jnp.int8), s(512, 512, dtype=jnp.int8))
    grouped = bf16(512, 256), bf16(4, 256, 128), i32(4)
    yield gmm.gmm, grouped
    yield lambda x, y, n: gmm.gmm(x, y, n, transpose_rhs=True), (bf16(512, 256), bf16(4, 128, 256), i32(4))
    yield lambda x, y, n, o: gmm.gmm(x, y, n, existing_out=o), (*grouped, s(512, 128))
    yield gmm.gmm, (bf16(512, 320), bf16(4, 320, 128), i32(4))  # a last tile that is not full
    yield lambda x, y, n: gmm.tgmm(x, y, n), (bf16(256, 512), bf16(512, 128), i32(4))
    yield lambda x, y, n, o: gmm.tgmm(x, y, n, existing_out=o), (bf16(256, 512), bf16(512, 128), i32(4), s(4, 256, 128))


def flash():
    from jax.experimental.pallas.ops.tpu import flash_attention as fa
    qkv = (bf16(1, 2, 1024, 128),) * 3
    yield gradient(fa.flash_attention), qkv
    yield gradient(functools.partial(fa.flash_attention, causal=True)), qkv
    whole = fa.BlockSizes(block_q=512, block_k_major=1024, block_k=1024, block_b=1)  # all of k at once: no scratch
    ids = fa.SegmentIds(i32(1, 1024), i32(1, 1024))
    yield functools.partial(fa.flash_attention, block_sizes=whole), qkv
    yield functools.partial(fa.flash_attention, block_sizes=whole), (*qkv, bf16(1, 2, 1024, 1024), ids)

    def segmented(q, k, v, i):
        return gradient(lambda *x: fa.flash_attention(*x, segment_ids=i, causal=True))(q, k, v)
    yield segmented, (*qkv, ids)

    def biased(q, k, v, ab):
        return jax.grad(lambda ab: jnp.sum(fa.flash_attention(q, k, v, ab=ab, causal=True)).astype(jnp.float32))(ab)
    yield biased, (*qkv, bf16(1, 2, 1024, 1024))


def splash():
    from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel as sa
    from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks
    heads, length = 2, 1024
    qkv = (bf16(heads, length, 128),) * 3
    mqa = bf16(heads, length, 128), bf16(length, 128), bf16(length, 128)
    separate = sa.BlockSizes(block_q=512, block_kv=512, block_kv_compute=256, block_q_dkv=512, block_kv_dkv=512, block_kv_dkv_compute=256,
                             block_q_dq=512, block_kv_dq=512)
    fused = sa.BlockSizes(block_q=512, block_kv=512, block_q_dkv=512, block_kv_dkv=512, block_kv_dkv_compute=256, use_fused_bwd_kernel=True)
    minor = sa.BlockSizes(block_q=512, block_kv=512, block_q_dkv=512, block_kv_dkv=512, block_q_dq=512, block_kv_dq=512,
                          q_layout=sa.QKVLayout.SEQ_MINOR, k_layout=sa.QKVLayout.SEQ_MINOR, v_layout=sa.QKVLayout.SEQ_MINOR)
    causal = masks.MultiHeadMask([masks.CausalMask((length, length))] * heads)
    local = masks.MultiHeadMask([masks.LocalMask((length, length), (128, 128), 0)] * heads)
    dense = masks.MultiHeadMask([masks.NumpyMask(np.tri(length, dtype=bool) | (np.eye(length) > 0)[::-1])] * heads)
    ids = sa.SegmentIds(i32(length), i32(length))
    for mask in (causal, local, dense):
        for sizes in (separate, fused, minor):
            yield gradient(sa.make_splash_mha_single_device(mask, block_sizes=sizes)), qkv
    plain = sa.BlockSizes(block_q=512, block_kv=512, block_q_dkv=512, block_kv_dkv=512, use_fused_bwd_kernel=True)
    yield gradient(sa.make_splash_mha_single_device(causal, block_sizes=plain)), qkv
    yield lambda q, k, v, x: sa.make_splash_mha_single_device(causal, block_sizes=separate)(q, k, v, None, x), (*qkv, s(heads))
    yield sa.make_splash_mha_single_device(causal, save_residuals=True), qkv
    yield sa.make_splash_mha_single_device(causal, attn_logits_soft_cap=30.0), qkv
    for sizes in (separate, fused):
        kernel = sa.make_splash_mha_single_device(dense, block_sizes=sizes, attn_logits_soft_cap=30.0)
        yield lambda q, k, v, i, kernel=kernel: gradient(lambda *x: kernel(*x, i))(q, k, v), (*qkv, ids)
        yield gradient(sa.make_splash_mqa_single_device(causal, block_sizes=sizes)), mqa


def paged():
    from jax.experimental.pallas.ops.tpu.paged_attention import paged_attention_kernel as pa
    from jax.experimental.pallas.ops.tpu.paged_attention import quantization_utils as quantized
    from jax.experimental.pallas.ops.tpu.ragged_paged_attention import kernel as ragged
    rest = i32(4), i32(4, 16)
    for inline in (True, False):
        for mode in (None, "batch", "kv_head"):
            run = functools.partial(pa.paged_attention, pages_per_compute_block=4, inline_seq_dim=inline, megacore_mode=mode)
            yield run, (bf16(4, 8, 128), bf16(2, 64, 16, 128), bf16(2, 64, 16, 128), *rest)
            yield run, (bf16(4, 16, 128), bf16(2, 64, 16, 128), bf16(2, 64, 16, 128), *rest)
            pages = quantized.QuantizedTensor(s(2, 64, 16, 128, dtype=jnp.int8), s(2, 64, 16, 1))
            yield run, (bf16(4, 8, 128), pages, pages, *rest)
    tokens = bf16(64, 8, 128), bf16(64, 16, 4, 128), i32(8), i32(8, 8), i32(9), i32(1)
    for more in ({}, {"soft_cap": 30.0, "sliding_window": 32}, {"k_scale": 0.5, "v_scale": 0.5}):
        yield functools.partial(ragged.ragged_paged_attention, num_kv_pages_per_block=4, num_queries_per_block=16, **more), tokens


def gathered():
    from jax.experimental.pallas.ops.tpu import all_gather
    with worker.described_devices(worker.topology(CHIP)):
        mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    yield functools.partial(all_gather.all_gather, mesh=mesh, axis_name="x"), (s(512, 128),)


def name_of(path):
    return os.path.relpath(path, PACKAGES).replace(os.sep, "/") if path.startswith(OPS) else None


def trace(n, group, fn, args):
    """Traces one call; that it fails is said, as then facts are missing."""
    code = "jax.make_mesh(" if group is gathered else ""
    try:
        with worker.target(code, CHIP):
            jax.jit(fn).trace(*args).lower(lowering_platforms=("tpu",))
    except Exception as e:
        line = traceback.extract_tb(e.__traceback__)[-1]
        print(f"ops.py: {group.__name__} {n}: {type(e).__name__}: {str(e)[:200]} ({os.path.basename(line.filename)}:{line.lineno})", file=sys.stderr)
        return False
    return True


def main():
    source_info_util.register_inclusion(OPS)
    recorder = facts.Recorder(name_of)
    failed = 0
    for group in (small, products, flash, splash, paged, gathered):
        for n, (fn, args) in enumerate(group()):
            failed += not trace(n, group, fn, args)
    recorder.write(sys.stdout)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
