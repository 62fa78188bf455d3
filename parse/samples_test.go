package parse

// samples are texts for the tests that need some Python to work on.
var samples = []string{kernelSample, oddSample}

const kernelSample = `# Copyright nobody.
"""A module."""

from __future__ import annotations

import functools
import jax, numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu  # the TPU part
from .. import util

BLOCK = 128
SHAPES = {
    "small": (8, 128),
# a comment in column 0
    "large": (512, 1024),
}


def add_kernel(x_ref, y_ref, o_ref, *, scale: float = 1.0):
  """Adds.

  def not_a_function(): the docstring only talks about one.
  """
  x = x_ref[...]  # load
  o_ref[:, pl.ds(0, BLOCK)] = (x + y_ref[...]) * scale

  @pl.when(pl.program_id(0) == 0)
  def _():
    nonlocal_sum = sum(i for i in range(3) if i)
    for i in range(nonlocal_sum):
      if i > 2:
        o_ref[i, 0] = 0.0
      elif (n := i) == 1:
        continue
      else:
        break
# a comment in column 0 inside the function
    return None

# Two functions below.


@functools.partial(jax.jit, static_argnames=["scale"])
@other
def add(x: jax.Array, y: jax.Array, *, scale: float = 1.0) -> jax.Array:
  grid = (x.shape[0] // BLOCK,)
  def body(i, carry):
    return carry + f"{i:>{scale}} {x["a"]!r}" + 'b'
  return pl.pallas_call(
      functools.partial(add_kernel, scale=scale),
      grid=grid,
      in_specs=[
          pl.BlockSpec((BLOCK, 128), lambda i: (i, 0), memory_space=pltpu.VMEM),
          pl.BlockSpec((BLOCK, 128), lambda i: (i, 0)),  # the default
      ],
      out_specs=pl.BlockSpec((BLOCK, 128), lambda i: (i, 0)),
      out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
      scratch_shapes=[pltpu.VMEM((8, 128), np.float32), pltpu.SemaphoreType.DMA((2,))],
  )(x, y)


class Helper(Base, metaclass=Meta):
  x: int = 3

  @property
  def area(self):
    with util.open("a") as f, g():
      try:
        return f.read(*self.args, **self.kw)
      except (ValueError, TypeError) as e:
        raise RuntimeError("no") from e
      finally:
        del self.x, f[0]

  async def later(self):
    await self.x
    return [i async for i in self.y]


match BLOCK:
  case 128 | 256:
    SMALL = True
  case [a, *rest] if a:
    SMALL = False
  case _:
    pass

if __name__ == "__main__":
  main()
else:
  x = 1; y = 2
`

const oddSample = "\ufeffx = '''\ndef f():\n'''\n\r\ny = 1 \\\n  + 2\r\n" + `
text = """
import x
def g(
"""
z = (1,
2,
# c
3)
if a: b
else: c
for i in j:
    pass
# between
else:
    pass
def f(): return [
  1]
é = "é" 'ü'  # ä
a = r"\""; b = rb'\''
lambda: (yield)
`
