package rules_test

import (
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// TestOffered: what the fix of a rule makes of ways of writing that its page does not show; withheld where it would be wrong.
func TestOffered(t *testing.T) {
	const call = "\npl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.zeros((8, 128), jnp.float32))\n"
	const sum = "\npl.pallas_call(k, grid=(4,), in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0))], out_specs=pl.BlockSpec((8, 128), lambda i: (0, 0))," +
		" out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(jnp.zeros((32, 128), jnp.float32))\n"
	for _, c := range []struct{ name, rule, code, rest, want string }{
		{"an index that is a name", "removed-pallas-api", "def k(x_ref, o_ref):\n    idx = (0,)\n    o_ref[0] = pl.load(x_ref, idx)\n", call,
			"def k(x_ref, o_ref):\n    idx = (0,)\n    o_ref[0] = x_ref[idx]\n"},
		{"ends of a slice", "removed-pallas-api", "def k(x_ref, o_ref):\n    o_ref[0:4] = pl.load(x_ref, (slice(None, 4), slice(0, None)))\n", call,
			"def k(x_ref, o_ref):\n    o_ref[0:4] = x_ref[:4, 0:]\n"},
		{"an empty index", "removed-pallas-api", "def k(x_ref, o_ref):\n\to_ref[...] = pl.load(x_ref, ()) + 1\n", call,
			"def k(x_ref, o_ref):\n\to_ref[...] = x_ref[...] + 1\n"},
		{"several lines and a last comma", "removed-pallas-api", "def k(x_ref, o_ref):\n    o_ref[...] = pl.load(\n        x_ref,\n        (slice(None), pl.ds(0, 128)),\n    )\n", call,
			"def k(x_ref, o_ref):\n    o_ref[...] = x_ref[:, pl.ds(0, 128)]\n"},
		{"a value of several lines", "removed-pallas-api", "def k(x_ref, o_ref):\n    pl.store(o_ref, ..., x_ref[...]\n        + 1)\n", call,
			"def k(x_ref, o_ref):\n    o_ref[...] = (x_ref[...]\n        + 1)\n"},
		{"a mask", "removed-pallas-api", "def k(x_ref, o_ref):\n    o_ref[...] = pl.load(x_ref, ..., mask=True)\n", call, ""},
		{"a comment inside", "removed-pallas-api", "def k(x_ref, o_ref):\n    o_ref[...] = pl.load(x_ref,  # all\n        ...)\n", call, ""},
		{"a comment in a masked load", "load-with-mask", "def k(x_ref, o_ref):\n    o_ref[...] = pltpu.load(x_ref,  # all\n        mask=x_ref[...] > 0)\n", call, ""},
		{"a masked load", "load-with-mask", "def k(x_ref, o_ref):\n    o_ref[...] = pltpu.load(x_ref.at[:, :], mask=x_ref[...] > 0)\n", call,
			"def k(x_ref, o_ref):\n    o_ref[...] = jnp.where(x_ref[...] > 0, x_ref[:, :], 0)\n"},
		{"a comment in a print", "print-of-traced", "def k(x_ref, o_ref):\n    print(\"x\",  # first\n        x_ref[0, 0])\n    o_ref[...] = x_ref[...]\n", call, ""},
		{"a store that is a value", "removed-pallas-api", "def k(x_ref, o_ref):\n    a = pl.store(o_ref, ..., x_ref[...])\n", call, ""},
		{"parts by star", "removed-pallas-api", "def k(x_ref, o_ref):\n    o_ref[...] = pl.load(x_ref, (*(), slice(None)))\n", call, ""},
		{"a sum written out", "accumulate-without-init", "def k(x_ref, o_ref):\n    o_ref[...] = o_ref[...] + x_ref[...]\n", sum,
			"def k(x_ref, o_ref):\n    @pl.when(pl.program_id(0) == 0)\n    def _():\n        o_ref[...] = jnp.zeros_like(o_ref)\n\n    o_ref[...] = o_ref[...] + x_ref[...]\n"},
		{"tabs", "accumulate-without-init", "def k(x_ref, o_ref):\n\to_ref[...] += x_ref[...]\n", sum,
			"def k(x_ref, o_ref):\n\t@pl.when(pl.program_id(0) == 0)\n\tdef _():\n\t\to_ref[...] = jnp.zeros_like(o_ref)\n\n\to_ref[...] += x_ref[...]\n"},
		{"refs that are unpacked", "accumulate-without-init", "def k(*refs):\n    x_ref, o_ref = refs\n    o_ref[...] += x_ref[...]\n", sum,
			"def k(*refs):\n    x_ref, o_ref = refs\n    @pl.when(pl.program_id(0) == 0)\n    def _():\n        o_ref[...] = jnp.zeros_like(o_ref)\n\n    o_ref[...] += x_ref[...]\n"},
		{"two statements on a line", "accumulate-without-init", "def k(x_ref, o_ref):\n    a = 1; o_ref[...] += x_ref[...]\n", sum, ""},
		{"a maximum", "accumulate-without-init", "def k(x_ref, o_ref):\n    o_ref[...] = jnp.maximum(o_ref[...], x_ref[...])\n", sum, ""},
		{"a first store under the wrong condition", "accumulate-without-init",
			"def k(x_ref, o_ref):\n    @pl.when(pl.program_id(0) == 1)\n    def _():\n        o_ref[...] = jnp.zeros_like(o_ref)\n    o_ref[...] += x_ref[...]\n", sum, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parse.Parse("k.py", []byte(unboundHeader+c.code+c.rest))
			facts := infer.Analyze(f, infer.Options{Release: jax.Newest()})
			found, got := false, ""
			for _, d := range rules.Check(facts, &rules.Config{}) {
				if d.Rule.Name != c.rule {
					continue
				}
				found = true
				if len(d.Fixes) > 0 {
					got = strings.TrimSuffix(strings.TrimPrefix(apply(t, f, d.Fixes[0]), unboundHeader), c.rest)
				}
			}
			if !found || got != c.want {
				t.Errorf("found: %v; the fix gives\n%s\nnot\n%s", found, got, c.want)
			}
		})
	}
}
