package rules_test

import (
	"strings"
	"testing"
)

// TestPythonStops: nothing is lost of a kernel behind Python's own loops and objects, so that it can't be called one that does not write its output.
func TestPythonStops(t *testing.T) {
	for name, body := range map[string]string{
		"the else of a loop that ends by break": `
    at, n = 0, 0
    while True:
        step = min(24, 64 - at)
        if step <= 0:
            break
        at, n = at + step, n + 1
    else:
        raise AssertionError
    assert n == 3
`, "the else of a loop over something unknown": `
    for i in unknown():
        if i > 3:
            break
    else:
        raise AssertionError
`, "the else of a while loop that nobody can follow": `
    while unknown():
        if unknown():
            break
    else:
        raise AssertionError
`, "a loop that leaves before it raises": `
    while True:
        if unknown():
            break
        raise AssertionError
`, "handles taken off a list": `
    started = []
    for i in range(4):
        cp = pltpu.make_async_copy(x_ref.at[pl.ds(16 * i, 16)], buf.at[pl.ds(16 * i, 16)], sem)
        cp.start()
        started.append(cp)
    while started:
        started.pop().wait()
    assert not started
`, "a frozen record that changes itself": `
    assert Size(3).n == 4 and Size(3).m == 5
`, "a size by halves": `
    n = 96
    while n % 64:
        n //= 2
    else:
        n = 3
    assert n == 3
`} {
		text := `
from somewhere import unknown
import dataclasses

@dataclasses.dataclass(frozen=True)
class Size:
    n: int
    m: int = 0

    def __post_init__(self):
        object.__setattr__(self, "n", self.n + 1)
        super().__setattr__("m", 5)

def kernel(x_ref, o_ref, buf, sem):` + body + `    o_ref[...] = x_ref[...] + buf[...] if unknown() else x_ref[...]

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((64, 128), jnp.float32), in_specs=[pl.BlockSpec()],
               scratch_shapes=[pltpu.VMEM((64, 128), jnp.float32), pltpu.SemaphoreType.DMA])(jnp.zeros((64, 128), jnp.float32))
`
		if got := checkText(t, text); len(got) > 0 {
			t.Errorf("%s\n  %s", name, strings.Join(got, "\n  "))
		}
	}
}

// TestGenerated: a generator yields each of its values once, in order.
func TestGenerated(t *testing.T) {
	for name, loop := range map[string]string{
		"pairs": `
    for at, dst in tiles(o_ref, 8):
        dst[...] = x_ref[pl.ds(at, 8), :]
`, "two of them": `
    for (at, src), (_, dst) in zip(tiles(x_ref, 8), tiles(o_ref, 8)):
        dst[...] = src[...] + at
`, "one that hands on another": `
    for at, dst in all_of(o_ref):
        dst[...] = x_ref[pl.ds(at, 8), :]
`, "one that nobody can count": `
    for at, dst in some(o_ref, 8):
        dst[...] = x_ref[pl.ds(0, 8), :]
`, "one that ends early": `
    for at, dst in few(o_ref, 8):
        dst[...] = x_ref[pl.ds(0, 8), :]
`} {
		text := `
from somewhere import unknown

def tiles(ref, rows):
    for at in range(0, ref.shape[0], rows):
        yield at, ref.at[pl.ds(at, rows)]

def all_of(ref):
    yield from tiles(ref, 8)

def some(ref, rows):
    for at in range(0, ref.shape[0], rows):
        if unknown(at):
            yield at, ref.at[pl.ds(at, rows)]

def few(ref, rows):
    for at in range(0, ref.shape[0], rows):
        if unknown(at):
            return
        yield at, ref.at[pl.ds(at, rows)]

def kernel(x_ref, o_ref):` + loop + `
pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32))(jnp.zeros((32, 128), jnp.float32))
`
		if got := checkText(t, text); len(got) > 0 {
			t.Errorf("%s\n  %s", name, strings.Join(got, "\n  "))
		}
	}
}

// TestWhileTurns: a while loop whose condition is known is run turn by turn, so that what it works out is known.
func TestWhileTurns(t *testing.T) {
	got := checkText(t, `
def tile(n, most):
    t = 1 << (most.bit_length() - 1)
    while n % t:
        t >>= 1
    return t

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[0:tile(1024, 300), :]

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((128, 128), jnp.float32))(jnp.zeros((1024, 128), jnp.float32))
`)
	if len(got) != 1 || !strings.Contains(got[0], "256") {
		t.Error(got)
	}
}
