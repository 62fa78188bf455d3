"""A helper object keeps refs in fields set by __init__; it makes descriptors that others wait for."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu



class Fetcher:
    def __init__(self, hbm, buf, sems):
        self.hbm = hbm
        self.buf, self.sems = buf, sems
        self.pending = []

    def copy_in(self, step, slot):
        return pltpu.make_async_copy(self.hbm.at[pl.ds(step * 8, 8)], self.buf.at[slot], self.sems.at[slot])

    def start(self, step, slot):
        copy = self.copy_in(step, slot)
        copy.start()
        self.pending.append(copy)

    def finish(self):
        for copy in self.pending:
            copy.wait()
        return self.buf[0] + self.buf[1]


def kernel(x_hbm, o_ref, buf, sems):
    fetcher = Fetcher(x_hbm, buf, sems)
    fetcher.start(0, 0)
    fetcher.start(1, 1)
    o_ref[...] = fetcher.finish()


def run(x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
                          scratch_shapes=[pltpu.VMEM((2, 8, 128), jnp.float32), pltpu.SemaphoreType.DMA((2,))])(x)


def case():
    return run, (jax.ShapeDtypeStruct((32, 128), jnp.float32),)
