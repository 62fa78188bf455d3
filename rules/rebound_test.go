package rules_test

import (
	"strings"
	"testing"
)

// TestReboundNames: a function that is put off, as code that is not known calls it, ran when the names of the module still meant what they
// meant there. Notebooks give the same names to one kernel after another.
func TestReboundNames(t *testing.T) {
	const first = `
import timeit
from somewhere import measured

def benchmark(f):
    def run(*args):
        return timeit.timeit(lambda: f(*args), number=3)
    return run

def double(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2.0

def copies(x, rows=8):
    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((rows, 128), jnp.float32))(x)

call = pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))
x = jnp.zeros((8, 128))
`
	const second = `
def double(x_ref, y_ref, o_ref, *, scale):
    o_ref[...] = (x_ref[...] + y_ref[...]) * scale

def copies(x, y):
    return pl.pallas_call(functools.partial(double, scale=2), out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x, y)

call = pl.pallas_call(functools.partial(double, scale=2), out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))
copies(x, x)
call(x, x)
`
	for _, use := range []string{
		"benchmark(copies)(x)", "benchmark(lambda x: call(x))(x)", "timeit.timeit(lambda: call(x), number=10)", "measured(copies)",
		"measured(lambda x: copies(x, rows=8))", "wrapped = measured(copies)", "with measured(lambda: call(x)):\n    pass",
	} {
		if got := checkText(t, first+use+"\n"+second); len(got) > 0 {
			t.Errorf("%s\n  %s", use, strings.Join(got, "\n  "))
		}
	}
}

// TestReboundDecorated: a function behind a decorator that is not known, and whose name another has taken since, is no function of the file's
// callers.
func TestReboundDecorated(t *testing.T) {
	got := checkText(t, `
from somewhere import measured

def double(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2.0

@measured
def run(x):
    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x)

run(jnp.zeros((8, 128)))

def double(x_ref, y_ref, o_ref):
    o_ref[...] = x_ref[...] + y_ref[...]

@measured
def run(x, y):
    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x, y)
`)
	if len(got) > 0 {
		t.Error(strings.Join(got, "\n"))
	}
}
