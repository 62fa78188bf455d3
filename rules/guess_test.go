package rules_test

import (
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/testdata/oracle"
)

// checkText are the findings in a program that starts with the usual imports.
func checkText(t *testing.T, text string) []string {
	t.Helper()
	f := parse.Parse("a.py", []byte(oracle.Header+text))
	var out []string
	for _, d := range rules.Check(infer.Analyze(f, infer.Options{}), &rules.Config{}) {
		out = append(out, d.Rule.Name+" at "+d.Loc.Text()+": "+d.Message)
	}
	return out
}

// TestHalfTypedHeader: a kernel whose header does not parse is read for hover, and nothing is reported of it, of what it would be, or of how it
// is called.
func TestHalfTypedHeader(t *testing.T) {
	const body = `
  i = pl.program_id(0)
  slot = lax.rem(i, 2)
  @pl.when(i == 0)
  def _():
    pltpu.async_copy(x_ref, buf, sem).wait()
  o_ref[0, 0] = buf[slot] * x_ref[...]
  acc = pl.num_programs(0)

y = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), grid=(2,))(jnp.zeros((8, 128)))
`
	for _, header := range []string{
		"def kernel(...):", "def kernel(x_ref, , o_ref):", "def kernel(x_ref, o_ref)", "def kernel(x_ref, o_ref", "def (x_ref, o_ref):",
		"def kernel(x_ref, k=):", "@functools.partial(pl.kernel,\ndef kernel(x_ref, o_ref):", "def kernel(x_ref, class, o_ref):",
		"def kernel(x_ref: , o_ref):", "def kernel(x_ref, 3, o_ref):", "def kernel(x_ref, \"o):", "de kernel(x_ref, o_ref):", "class K(:", "if x ==:",
		"for i in :", "with jax.named_scope(:", "f = lambda x_ref, :", "@pl.when(\ndef kernel(x_ref, o_ref):", "try",
	} {
		if got := checkText(t, header+body); len(got) > 0 {
			t.Errorf("%s\n  %s", header, strings.Join(got, "\n  "))
		}
	}
}

// TestHalfTypedValue: what a half-typed statement gives to a name is a guess, also where the name is used, and so is a kernel that it calls.
func TestHalfTypedValue(t *testing.T) {
	for _, text := range []string{`
def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]

spec = pl.BlockSpec((8,
pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[spec])(jnp.zeros((8, 128)))
`, `
def tile(n, rows=
    return n * 3

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32), in_specs=[pl.BlockSpec((tile(1, 2, 3), 128), lambda: (0, 0))])(jnp.zeros((8, 128)))
`, `
def kernel(x_ref, y_ref, o_ref):
    o_ref[...] = x_ref[...] + y_ref[...]

def f(x, y):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x
`, `
def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]

f = pl.pallas_call(kernel, in_specs=[pl.BlockSpec((8, 128), lambda: (0, 0))], out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))
f(@jnp.zeros((8, 128)), jnp.float32)
`, `
def kernel(x_ref, o_ref):
    sizes = [1, 2
    o_ref[0:sizes[1], :] = x_ref[0:4, :]

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.zeros((8, 128)))
`} {
		if got := checkText(t, text); len(got) > 0 {
			t.Errorf("%s\n  %s", text, strings.Join(got, "\n  "))
		}
	}
}

// TestBesideHalfTyped: the statements around a half-typed one keep their findings.
func TestBesideHalfTyped(t *testing.T) {
	got := checkText(t, `
def kernel(x_ref, o_ref):
    n = x_ref.
    o_ref[0, 0] = 1.0

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.zeros((8, 128)))
y = (
`)
	if len(got) != 1 || !strings.HasPrefix(got[0], "vmem-scalar-store at o_ref[0, 0]") {
		t.Error(got)
	}
}
