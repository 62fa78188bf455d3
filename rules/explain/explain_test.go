package explain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pallas-lsp/rules"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/testdata/seeds"
)

func page1(name, raises string) *rule.Rule {
	return &rule.Rule{Name: name, Page: "---\nname: " + name + "\nsummary: s\nseverity: error\n" + raises + "\n---\nBody.\n"}
}

func catalogue(t *testing.T) {
	t.Helper()
	list := []*rule.Rule{
		page1("get", "raises: NotImplementedError at lowering, \"Get does not support loading from {space}. Copy the data to a core-local memory space, e.g. VMEM, via `pltpu.async_copy`.\""),
		page1("arity", "raises:\n- TypeError at tracing, \"{f}() missing {n} required positional argument{s}: {names}\"\n- TypeError at tracing, \"{f}() takes {n} positional arguments but {m} were given\""),
		page1("matmul", "raises: JaxRuntimeError at compiling, \"Mosaic failed to compile TPU kernel: Bad lhs type\""),
		page1("mosaic", "raises: JaxRuntimeError at compiling, \"Mosaic failed to compile TPU kernel: {}\""),
		page1("quiet", "silent: nothing"),
	}
	t.Cleanup(rules.Swap(list))
}

func TestRead(t *testing.T) {
	catalogue(t)
	for _, c := range []struct {
		file, name, path string
		line             int
		code, function   string // function: where JAX raises it
	}{
		{"lowering", "get", "/home/me/kernels/embed.py", 13, "buf[...] = x_hbm[...] * 2.0", "_load_lowering_rule"},
		{"tracing", "arity", "/home/me/kernels/embed.py", 25, "return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),", ""},
		{"removed_frames", "arity", "/home/me/kernels/embed.py", 25, "return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32),", ""},
		{"notebook", "get", "Cell In[4]", 7, "buf[...] = x_hbm[...] * 2.0", "_load_lowering_rule"},
		{"pytest", "get", "kernels/embed_test.py", 12, "double(jnp.ones((16,), jnp.float32))", "_load_lowering_rule"},
		{"wrapped", "get", "/home/me/kernels/embed.py", 13, "buf[...] = x_hbm[...] * 2.0", "_load_lowering_rule"},
		{"colours", "get", "/home/me/kernels/embed.py", 13, "buf[...] = x_hbm[...] * 2.0", "_load_lowering_rule"},
		{"mosaic", "matmul", "/home/me/kernels/embed.py", 27, "", ""},
		{"message", "get", "", 0, "", "_load_lowering_rule"},
		{"group", "get", "/home/me/kernels/embed.py", 13, "buf[...] = x_hbm[...] * 2.0", "_load_lowering_rule"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", c.file+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n")} {
			a := Read(text, jax.Newest(), nil)
			name := ""
			if a.Rule != nil {
				name = a.Rule.Name
			}
			f := Frame{}
			if a.Frame != nil {
				f = *a.Frame
			}
			function := ""
			if a.Message != nil {
				function = a.Message.Function
			}
			if name != c.name || f.Path != c.path || f.Line != c.line || f.Code != c.code || c.function != "" && function != c.function {
				t.Errorf("%s: page %q, %+v, raised in %q", c.file, name, f, function)
			}
		}
	}
}

func TestOwn(t *testing.T) {
	for path, want := range map[string]bool{
		"kernels/a.py": true, "/home/me/jax_things/a.py": true, "<stdin>": true, "Cell In[3]": true, "<ipython-input-1-abc>": true, "/home/jax/tests/pallas/a_test.py": true,
		"/x/site-packages/jax/a.py": false, "/usr/lib/python3/dist-packages/a.py": false, "/usr/lib/python3.13/functools.py": false, "/src/jax/jax/_src/core.py": false,
		"/src/jax/jax/experimental/pallas/a.py": false, "<frozen importlib._bootstrap>": false, `C:\Python\Lib\functools.py`: false, `C:\me\kernels\a.py`: true,
	} {
		if got := own(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestNothing(t *testing.T) {
	catalogue(t)
	for _, text := range []string{"", "\n\n", "hello", "KeyError: 'x'", strings.Repeat("x", 1<<16), "Traceback (most recent call last):\n", "\x1b[", "File \"", "E   ", "----> 1 x"} {
		a := Read(text, jax.Newest(), nil)
		if a.Rule != nil || a.Error == nil {
			t.Errorf("%.20q: %+v", text, a)
		}
		if !strings.HasPrefix(a.Text(), "no page explains this error yet\n") {
			t.Errorf("%.20q: %s", text, a.Text())
		}
	}
}

// TestMessageWithoutPage says what is known of an error that no page is about.
func TestMessageWithoutPage(t *testing.T) {
	catalogue(t)
	a := Read("NotImplementedError: Unimplemented primitive in Pallas TPU lowering for tc: sort. Please file an issue at https://github.com/jax-ml/jax/issues/new/choose.", jax.Newest(), nil)
	if a.Rule != nil || a.Message == nil || !strings.Contains(a.Text(), "raised in: jax/_src/pallas/mosaic/lowering.py, ") {
		t.Errorf("%+v\n%s", a, a.Text())
	}
}

// TestPlace: one message of several pages goes to the one whose place is in the traceback, a general page comes last.
func TestPlace(t *testing.T) {
	const arity = "raises: TypeError at tracing, \"{f}() takes {n} positional arguments but {m} were given\"\n"
	list := []*rule.Rule{
		page1("loop", arity+"within: fori_loop"), page1("kernel", arity+"source: x"), page1("map", arity+"within: <lambda>()"),
		page1("any", "general: yes\nalso: MosaicError at compiling, \"Mosaic failed to compile TPU kernel\""),
		page1("lhs", "also: MosaicError at compiling, \"Bad lhs type\""),
	}
	t.Cleanup(rules.Swap(list))
	const frame = "Traceback (most recent call last):\n  File \"k.py\", line 7, in kernel\n    "
	for text, want := range map[string]string{
		"TypeError: body() takes 1 positional arguments but 2 were given":                                                  "kernel",
		"TypeError: run.<locals>.<lambda>() takes 1 positional arguments but 2 were given":                                 "map",
		frame + "jax.lax.fori_loop(0, 8, body, 0)\nTypeError: body() takes 1 positional arguments but 2 were given":        "loop",
		frame + "lax.fori_loop(0, 8, lambda i: i, 0)\nTypeError: <lambda>() takes 1 positional arguments but 2 were given": "loop",
		"MosaicError: INTERNAL: Mosaic failed to compile TPU kernel: Bad lhs type":                                         "lhs",
		"MosaicError: INTERNAL: Mosaic failed to compile TPU kernel: what else":                                            "any",
	} {
		if a := Read(text, jax.Newest(), nil); a.Rule == nil || a.Rule.Name != want {
			t.Errorf("%s: %+v, not %s", text, a.Rule, want)
		}
	}
}

// FuzzRead: whatever is pasted, it is read without a panic.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	var texts []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	seeds.Add(texts, func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) {
		a := Read(text, jax.Newest(), nil)
		_ = a.Text()
	})
}
