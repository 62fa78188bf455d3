"""A class keeps its copies in a list of handles; start and wait are methods."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



class Block:
    def __init__(self, pages_hbm, buf, sem, indices, *, count):
        self._buf = buf
        self._copies = [pltpu.make_async_copy(pages_hbm.at[indices[i]], buf.at[i], sem) for i in range(count)]

    def start(self):
        for copy in self._copies:
            copy.start()

    def wait_and_get(self):
        for copy in self._copies:
            copy.wait()
        return self._buf[...].reshape(-1, 128)


def kernel(indices, pages_hbm, o_ref, buf, sem):
    block = Block(pages_hbm, buf, sem, indices, count=2)
    block.start()
    o_ref[...] = block.wait_and_get()


def run(indices, pages):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((16, 128), pages.dtype),
                          grid_spec=pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(1,), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                                                                 out_specs=pl.BlockSpec((16, 128), lambda i, idx: (0, 0)),
                                                                 scratch_shapes=[pltpu.VMEM((2, 8, 128), pages.dtype), pltpu.SemaphoreType.DMA]))(indices, pages)


def case():
    return run, (jax.ShapeDtypeStruct((4,), jnp.int32), jax.ShapeDtypeStruct((16, 8, 128), jnp.bfloat16))
