package explain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/workspace"
)

// pipelined has a body with a parameter too few, and a call of the kernel around it.
const pipelined = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def outer(x_hbm, o_hbm):
    def body(x_ref):
        pass

    pltpu.emit_pipeline(
        body,
        grid=(4,),
        in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
    )(x_hbm, o_hbm)


def run(x):
    return pl.pallas_call(
        outer,
        out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32),
        in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
        out_specs=pl.BlockSpec(memory_space=pl.ANY),
    )(x)


run(jnp.zeros((32, 128), jnp.float32))
`

// TestAtHand: what Python says of a wrong number of arguments has many causes; the author's file tells which one it is.
func TestAtHand(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kernels", "copy.py")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(pipelined), 0o644); err != nil {
		t.Fatal(err)
	}
	w := workspace.New([]string{dir}, nil)
	const said = "Traceback (most recent call last):\n  File \"%s\", line %d, in run\n    %s\nTypeError: outer.<locals>.body() takes 1 positional argument but 2 were given\n"
	for _, c := range []struct {
		path, code string
		line       int
		found      bool
	}{
		{path, ")(x)", 26, true},
		{"kernels/copy.py", ")(x)", 26, true},
		{"/tpu-vm/me/kernels/copy.py", ")(x)", 25, true}, // another machine's
		{"/tpu-vm/me/kernels/copy.py", "return something_else(x)", 25, false},
		{"/tpu-vm/me/kernels/copy.py", "", 25, true},
		{"/tpu-vm/me/copy.py", "", 25, false},
		{filepath.Join(dir, "gone.py"), "", 25, false},
	} {
		a := Read(fmt.Sprintf(said, c.path, c.line, c.code), jax.Newest(), w)
		if got := a.Found != nil; got != c.found {
			t.Errorf("%+v: found %v", c, a.Found)
			continue
		}
		if !c.found {
			if a.Rule == nil || len(a.Others) < 3 || !strings.Contains(a.Text(), "  pipeline-body-arity: ") {
				t.Errorf("%+v: the causes are not named: %s", c, a.Text())
			}
			continue
		}
		if a.Rule.Name != "pipeline-body-arity" || a.Found.Rule != a.Rule || a.Found.Path != c.path || !strings.Contains(a.Text(), "  found: "+c.path+":") {
			t.Errorf("%+v: %s", c, a.Text())
		}
	}
}

// TestAtHandGeneral: where no page, or only a general one, has the message, the finding on the author's line explains it.
func TestAtHandGeneral(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "copy.py")
	if err := os.WriteFile(path, []byte(pipelined), 0o644); err != nil {
		t.Fatal(err)
	}
	w := workspace.New([]string{dir}, nil)
	found := findings(w, w.Named(path, 1, ""), path)
	if len(found) != 1 {
		t.Fatalf("%+v", found)
	}
	for message, want := range map[string]string{
		"ValueError: nobody has seen this one yet": "pipeline-body-arity",
		"VerificationError: Pallas encountered an internal verification error. Please file a bug. Error details: 'tpu.none' op is new": "pipeline-body-arity",
	} {
		text := fmt.Sprintf("Traceback (most recent call last):\n  File \"%s\", line %d, in outer\n%s\n", path, found[0].Line, message)
		if a := Read(text, jax.Newest(), w); a.Rule == nil || a.Rule.Name != want {
			t.Errorf("%s: %s", message, a.Text())
		}
		text = fmt.Sprintf("Traceback (most recent call last):\n  File \"%s\", line %d, in outer\n%s\n", path, found[0].Line+3, message)
		if a := Read(text, jax.Newest(), w); a.Found != nil {
			t.Errorf("elsewhere: %s", a.Text())
		}
	}
}

// TestOutsideTheRoots: a pasted text makes nobody read what is no part of the workspace, unless they said so.
func TestOutsideTheRoots(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	path, link := filepath.Join(outside, "copy.py"), filepath.Join(root, "link.py")
	if err := errors.Join(os.WriteFile(path, []byte(pipelined), 0o644), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	w := workspace.New([]string{root}, nil)
	for _, p := range []string{path, link, "link.py", filepath.Join(root, "..", filepath.Base(outside), "copy.py")} {
		if f := w.Named(p, 1, ""); f != nil {
			t.Errorf("%s was read", p)
		}
	}
	w.SetOpen(path, func() *parse.File { return parse.Parse(path, []byte(pipelined)) })
	if w.Named(path, 1, "") == nil {
		t.Error("an open document is not known")
	}
	w.SetOpen(path, nil)
	w.Anywhere = true
	if w.Named(path, 1, "") == nil {
		t.Error("a file that the user named is not read")
	}
}
