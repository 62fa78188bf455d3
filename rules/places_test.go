package rules_test

import (
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/testdata/oracle"
)

// Kernels that go through code of the author's own before JAX sees them. A line that ends with `# EXPECT: name` gets that error, no other does.
var places = map[string]string{
	"a new axis of an array from outside": `
table = jnp.arange(8, dtype=jnp.float32)

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] * table[:, None]  # EXPECT: kernel-captures-array

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.zeros((8, 128)))
`,
	"a cast that changes nothing of an array from outside": `
table = jnp.ones((8, 128), jnp.float32)

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] * table.astype(jnp.float32)  # EXPECT: kernel-captures-array

pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.zeros((8, 128)))
`,
	"what JAX says first beside what it would say later": `
def kernel(x_ref, y_ref, o_ref, acc_ref):
    acc_ref[...] = jnp.zeros_like(acc_ref)
    acc_ref[...] += jnp.dot(x_ref[...], y_ref[...])  # EXPECT: dot-accumulator-dtype
    o_ref[...] = acc_ref[...]  # EXPECT: store-dtype-mismatch

x = jnp.zeros((128, 128), jnp.bfloat16)
pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((128, 128), jnp.bfloat16), scratch_shapes=[pltpu.VMEM((128, 128), jnp.float32)])(x, x)
`,
	"keywords that a wrapper passes on are wrong where they are written": `
def call(kernel, *args, **kwargs):
    return pl.pallas_call(kernel, *args, **kwargs)

def copy(x_ref, o_ref):
    o_ref[...] = x_ref[...]

def f(x):
    return call(
        copy,
        out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),
        in_specs=pl.BlockSpec(memory_space=pltpu.VMEM),  # EXPECT: in-specs-not-sequence
    )(x)

f(jnp.zeros((8, 128), jnp.float32))
`,
	"positional arguments too": `
def call(*args):
    return pl.pallas_call(*args)

def copy(x_ref, o_ref):
    o_ref[...] = x_ref[...]

f = call(
    copy,
    jnp.float32,  # EXPECT: out-shape-type
)
f(jnp.zeros((8, 128), jnp.float32))
`,
	"an out_shape of None is an argument for the kernel": `
def kernel(x_ref, nothing):
    pass

pl.pallas_call(kernel, out_shape=None)(jnp.zeros((8, 128), jnp.float32))
`,
	"and so it is inside a tuple": `
def kernel(x_ref, nothing, o_ref):
    o_ref[...] = x_ref[...]

pl.pallas_call(kernel, out_shape=(None, jax.ShapeDtypeStruct((8, 128), jnp.float32)))(jnp.zeros((8, 128), jnp.float32))
`,
	"a ref that was made in VMEM is there in the kernel, too": `
mesh = pltpu.TensorCoreMesh(axis_name="core", num_cores=1)

def f(x):
    near = jax.new_ref(x, memory_space=pltpu.VMEM)
    far = jax.new_ref(x)

    @pl.kernel(mesh=mesh)
    def add(near_ref, far_ref):
        near_ref[...] += 1
        far_ref[...] += 1  # EXPECT: load-from-any

    add(near, far)
    return near[...]

f(jnp.zeros((8, 128), jnp.float32))
`,
	"a type like that of an array": `
def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]  # EXPECT: store-dtype-mismatch

x = jnp.zeros((8, 128), jnp.int32)
y = jnp.zeros((8, 128), jnp.float32)
pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct.like(y))(x)
`,
}

func TestPlaces(t *testing.T) {
	for name, code := range places {
		t.Run(name, func(t *testing.T) {
			page, err := oracle.ParsePage("page.md", "---\nname: x\nseverity: error\nsilent: x\n---\n```python bad\n"+strings.TrimPrefix(code, "\n")+"```\n")
			if err != nil {
				t.Fatal(err)
			}
			b := page.Blocks[0]
			f := parse.Parse("block.py", []byte(b.File()))
			got := map[oracle.Expect]bool{}
			for _, d := range rules.Check(infer.Analyze(f, infer.Options{}), &rules.Config{}) {
				if d.Severity == rule.Error {
					got[oracle.Expect{Line: line(f, b, d), Name: d.Rule.Name}] = true
				}
			}
			for _, e := range b.Expect {
				if !got[e] {
					t.Errorf("line %d: %s is not found", e.Line, e.Name)
				}
				delete(got, e)
			}
			for e := range got {
				t.Errorf("line %d: unexpected %s", e.Line, e.Name)
			}
		})
	}
}
