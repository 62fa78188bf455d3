package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/config"
)

// folder makes a folder with the given files, by name and text; a name that ends in a slash is a folder.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		write(t, filepath.Join(root, files[i]), files[i+1], strings.HasSuffix(files[i], "/"))
	}
	return root
}

func write(t *testing.T, path, text string, dir bool) {
	t.Helper()
	if dir {
		path = filepath.Join(path, "x")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if dir {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func noEnv(string) string { return "" }

func TestResolve(t *testing.T) {
	root := folder(t, "top.py", "", "src/lib/__init__.py", "", "src/lib/a.py", "", "kernels/__init__.py", "", "kernels/attn/__init__.py", "", "kernels/attn/flash.py", "",
		"kernels/common.py", "", "scripts/run.py", "", "scripts/helper.py", "", "ns/deep/mod.py", "", "kernels/attn.txt", "", "both.py", "", "both/__init__.py", "", "big.py", "")
	w := New([]string{root}, nil)
	for _, c := range []struct {
		from, name string
		level      int
		want       string
	}{
		{"kernels/attn/flash.py", "top", 0, "top.py"},
		{"kernels/attn/flash.py", "lib.a", 0, "src/lib/a.py"},
		{"kernels/attn/flash.py", "lib", 0, "src/lib/__init__.py"},
		{"kernels/attn/flash.py", "kernels.common", 0, "kernels/common.py"},
		{"kernels/attn/flash.py", "common", 2, "kernels/common.py"},
		{"kernels/attn/flash.py", "", 1, "kernels/attn/__init__.py"},
		{"kernels/attn/flash.py", "", 2, "kernels/__init__.py"},
		{"kernels/attn/flash.py", "flash", 1, "kernels/attn/flash.py"},
		{"scripts/run.py", "helper", 0, "scripts/helper.py"},
		{"scripts/run.py", "ns.deep.mod", 0, "ns/deep/mod.py"},
		{"scripts/run.py", "both", 0, "both/__init__.py"},
		{"scripts/run.py", "ns", 0, ""},
		{"scripts/run.py", "jax", 0, ""},
		{"scripts/run.py", "", 0, ""},
		{"scripts/run.py", "helper", 5, ""},
		{"scripts/run.py", "..helper", 0, ""},
		{"scripts/run.py", "a/b", 0, ""},
		{"scripts/run.py", "a..b", 0, ""},
		{"scripts/run.py", "helper\x00", 0, ""},
	} {
		got := ""
		if f := w.Resolve(filepath.Join(root, c.from), c.name, c.level); f != nil {
			got, _ = filepath.Rel(root, f.Path)
		}
		if got != filepath.FromSlash(c.want) {
			t.Errorf("%s in %s, level %d: %q, want %q", c.name, c.from, c.level, got, c.want)
		}
	}
	if w.Resolve("untitled:1", "top", 0) != nil {
		t.Error("a document that is no file imports something")
	}
}

// TestResolveStaysInside has what leads out of a root: links, a module that is a folder or a pipe, and the root's own parents.
func TestResolveStaysInside(t *testing.T) {
	outside := folder(t, "secret.py", "S = 1", "pkg/__init__.py", "", "pkg/m.py", "")
	root := folder(t, "a.py", "", "real.py", "", "dir.py/x.py", "")
	link(t, filepath.Join(outside, "secret.py"), filepath.Join(root, "linked.py"))
	link(t, filepath.Join(outside, "pkg"), filepath.Join(root, "pkg"))
	link(t, "real.py", filepath.Join(root, "alias.py"))
	link(t, "nowhere.py", filepath.Join(root, "broken.py"))
	link(t, "loop.py", filepath.Join(root, "loop.py"))
	w := New([]string{root}, nil)
	at := filepath.Join(root, "a.py")
	for _, name := range []string{"linked", "pkg", "pkg.m", "broken", "loop", "dir"} {
		if f := w.Resolve(at, name, 0); f != nil {
			t.Errorf("%s: %s", name, f.Path)
		}
	}
	if f := w.Resolve(at, "alias", 0); f == nil || filepath.Base(f.Path) != "real.py" {
		t.Errorf("a link inside: %v", f)
	}
	if f := w.Resolve(at, "secret", 2); f != nil {
		t.Errorf("above the root: %s", f.Path)
	}
}

func TestResolveCaches(t *testing.T) {
	root := folder(t, "a.py", "", "m.py", "N = 1\n")
	w := New([]string{root}, nil)
	at, m := filepath.Join(root, "a.py"), filepath.Join(root, "m.py")
	first := w.Resolve(at, "m", 0)
	if first == nil || w.Resolve(at, "m", 0) != first {
		t.Fatal("parsed twice")
	}
	write(t, m, "N = 22\n", false)
	second := w.Resolve(at, "m", 0)
	if second == first || string(second.Src) != "N = 22\n" {
		t.Error("a changed file is not read again")
	}
	buffer := parse.Parse(m, []byte("N = 333\n"))
	w.SetOpen(m, func() *parse.File { return buffer })
	if w.Resolve(at, "m", 0) != buffer {
		t.Error("the open buffer does not win")
	}
	w.SetOpen(m, nil)
	if got := w.Resolve(at, "m", 0); string(got.Src) != "N = 22\n" {
		t.Errorf("after closing: %s", got.Src)
	}
	os.Remove(m)
	if w.Resolve(at, "m", 0) != nil {
		t.Error("a file that is gone is still there")
	}
}

// TestJAXItself: in JAX's own repository, modules that no installed JAX has are read like any other; the rest stays what the release says.
func TestJAXItself(t *testing.T) {
	root := folder(t,
		"jax/_src/pallas/pallas_test_util.py", "from jax.experimental import pallas as pl\nclass Base:\n  def call(self, *args, **kwargs):\n    return pl.pallas_call(*args, **kwargs)\n",
		"jax/experimental/pallas/__init__.py", "def pallas_call(*args): raise ValueError\n",
		"tests/a_test.py", "")
	src := `import jax
import jax.numpy as jnp
from jax._src.pallas import pallas_test_util as ptu
from jax.experimental import pallas as pl

class ATest(ptu.Base):
  def test_it(self):
    self.call(lambda x_ref: None, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32))(jnp.zeros((8,)))
`
	w := New([]string{root}, nil)
	a := w.Check(parse.Parse(filepath.Join(root, "tests", "a_test.py"), []byte(src)))
	if len(a.Findings) != 1 || a.Findings[0].Rule.Name != "kernel-arity" {
		t.Errorf("found %v", a.Findings)
	}
}

func TestSettings(t *testing.T) {
	root := folder(t, "pyproject.toml", "[tool.pallas-lsp]\nchip = \"v4\"\n", "a.py", "", "sub/pyproject.toml", "[project]\nname = \"x\"\n", "sub/b.py", "",
		"own/pyproject.toml", "[tool.pallas-lsp]\nchip = \"7x\"\njax-version = \"0.10.2\"\n", "own/deep/c.py", "")
	above := filepath.Join(root, "sub")
	for _, c := range []struct{ root, path, chip string }{
		{root, "a.py", "v4"}, {root, "sub/b.py", "v4"}, {root, "own/deep/c.py", "7x"}, {above, "sub/b.py", ""},
	} {
		w := New([]string{c.root}, nil)
		w.Getenv = noEnv
		got := ""
		if s := w.Settings(filepath.Join(root, c.path)); s.Config.Chip != nil {
			got = s.Config.Chip.Name
		}
		if got != c.chip {
			t.Errorf("%s under %s: chip %q", c.path, c.root, got)
		}
	}
	chip, _ := config.ParseChip("v6e")
	w := New([]string{root}, &config.Options{Chip: chip})
	if s := w.Settings(filepath.Join(root, "own/deep/c.py")); s.Config.Chip != chip || s.Release.Version != "0.10.2" || s.ReleaseFrom != "the configuration" {
		t.Errorf("the upper options: %+v", s)
	}
	if s := w.Settings("untitled:1"); s.Config.Chip != chip {
		t.Errorf("of no file: %+v", s)
	}
	write(t, filepath.Join(root, "pyproject.toml"), "[tool.pallas-lsp]\nchop = 1\n", false)
	if s := w.Settings(filepath.Join(root, "a.py")); len(s.Problems) != 1 || s.Problems[0].Line != 2 {
		t.Errorf("problems: %v", s.Problems)
	}
}

func TestSettingsDoNotFollowLinksOut(t *testing.T) {
	outside := folder(t, "p.toml", "[tool.pallas-lsp]\nchip = \"v4\"\n")
	root := folder(t, "a.py", "")
	link(t, filepath.Join(outside, "p.toml"), filepath.Join(root, "pyproject.toml"))
	w := New([]string{root}, nil)
	if s := w.Settings(filepath.Join(root, "a.py")); s.Config.Chip != nil || s.Source != "" {
		t.Errorf("%+v", s)
	}
}

func TestDetectJAX(t *testing.T) {
	site := "lib/python3.12/site-packages/"
	for _, c := range []struct {
		name  string
		files []string
		env   map[string]string // values below the root
		want  string
		from  string
	}{
		{"nothing", nil, nil, "", ""},
		{"a local environment", []string{".venv/" + site + "jax-0.9.2.dist-info/", "", ".venv/" + site + "jaxlib-0.9.1.dist-info/", ""}, nil, "0.9.2", ".venv"},
		{"the other name", []string{"venv/" + site + "jax-0.10.0.dist-info/", ""}, nil, "0.10.0", "venv"},
		{"Windows", []string{".venv/Lib/site-packages/jax-0.8.3.dist-info/", ""}, nil, "0.8.3", ".venv"},
		{"the active environment wins", []string{"act/" + site + "jax-0.11.0.dist-info/", "", ".venv/" + site + "jax-0.9.2.dist-info/", "", "uv.lock", "[[package]]\nname = \"jax\"\nversion = \"0.7.0\"\n"},
			map[string]string{"VIRTUAL_ENV": "act"}, "0.11.0", "act"},
		{"conda", []string{"conda/" + site + "jax-0.11.0.dist-info/", ""}, map[string]string{"CONDA_PREFIX": "conda"}, "0.11.0", "conda"},
		{"an environment without JAX", []string{".venv/" + site + "numpy-2.0.dist-info/", "", "uv.lock", "[[package]]\nname = \"jaxlib\"\nversion = \"0.7.1\"\n[[package]]\nname = \"jax\"\nversion = \"0.7.0\"\n"}, nil, "0.7.0", "uv.lock"},
		{"poetry", []string{"poetry.lock", "[[package]]\nname = \"jax\"\nversion = \"0.6.0\"\n"}, nil, "0.6.0", "poetry.lock"},
		{"pylock", []string{"pylock.toml", "[[packages]]\nname = \"jax\"\nversion = \"0.6.1\"\n"}, nil, "0.6.1", "pylock.toml"},
		{"a broken lock", []string{"uv.lock", "jax = = 1", "requirements.txt", "# jax==0.1.0\nnumpy==2.0\njax[tpu] == 0.9.1 ; python_version > '3'\n"}, nil, "0.9.1", "requirements.txt"},
		{"another requirements file", []string{"requirements-tpu.txt", "jax===0.9.1\n"}, nil, "0.9.1", "requirements-tpu.txt"},
		{"a range is no pin", []string{"requirements.txt", "jax>=0.4\nmyjax==1.0\n"}, nil, "", ""},
		{"pyproject", []string{"pyproject.toml", "[project]\ndependencies = [\n  \"numpy\",\n  \"jax==0.10.1\",\n]\n"}, nil, "0.10.1", "pyproject.toml"},
	} {
		root := folder(t, c.files...)
		getenv := func(name string) string {
			if dir := c.env[name]; dir != "" {
				return filepath.Join(root, dir)
			}
			return ""
		}
		got, from := DetectJAX(root, getenv)
		if got != c.want || filepath.Base(from) != c.from && from != c.from {
			t.Errorf("%s: %q from %q", c.name, got, from)
		}
	}
}

func TestRootOf(t *testing.T) {
	root := folder(t, "proj/pyproject.toml", "", "proj/pkg/__init__.py", "", "proj/pkg/a.py", "", "loose/pkg/__init__.py", "", "loose/pkg/b.py", "")
	for _, c := range []struct{ path, cwd, want string }{
		{"proj/pkg/a.py", "loose", "proj"}, {"proj/pkg", "", "proj"}, {"loose/pkg/b.py", "proj", "loose"}, {"loose/pkg/b.py", "loose/pkg", "loose/pkg"},
	} {
		got, _ := filepath.Rel(root, RootOf(filepath.Join(root, c.path), filepath.Join(root, c.cwd)))
		if got != filepath.FromSlash(c.want) {
			t.Errorf("%s from %s: %s", c.path, c.cwd, got)
		}
	}
}

func TestReadFile(t *testing.T) {
	root := folder(t, "big", strings.Repeat("x", 100), "d/x", "")
	if _, err := ReadFile(filepath.Join(root, "big"), 99); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a large file: %v", err)
	}
	if text, err := ReadFile(filepath.Join(root, "big"), 100); err != nil || len(text) != 100 {
		t.Errorf("%v", err)
	}
	if _, err := ReadFile(filepath.Join(root, "d"), 100); err == nil {
		t.Error("a folder was read")
	}
}
