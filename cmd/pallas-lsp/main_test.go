package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pallas-lsp/rules"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sitePage is the page of the rule that these tests run with, so that their golden files do not change with the catalogue.
const sitePage = `---
name: test-site
summary: a kernel is run
severity: error
raises: ValueError at lowering, "No kernels today: {kernel} is not run."
source: jax/_src/pallas/nowhere.py run
jax: 0.10 and later
fix: renames the call
---
The day is wrong.

` + "```python bad\nf()  # EXPECT: test-site\n```\n"

func testRules() []*rule.Rule {
	site := &rule.Rule{Name: "test-site", Old: []string{"test-place"}, Page: sitePage}
	site.Site = func(p *rule.Pass, s *infer.Site) {
		if strings.HasSuffix(s.Call.Func.Text(), "_cool") {
			return
		}
		p.Report(s.Call.Func, "a site of %s", s.API).Also(s.Kernels[0].Loc, "the kernel").
			Says("ValueError: No kernels today: `%s` is not run.", s.Kernels[0].Name).
			Offer(&rule.Fix{Title: "Write it `pallas_call`", Safety: rule.Safe, Edits: []rule.Edit{{Loc: s.Call.Func, New: "pl.pallas_call  # once\\\n"}}}).
			Offer(&rule.Fix{Title: "Drop it", Safety: rule.Unsafe, Edits: []rule.Edit{{Loc: s.Call.Func, New: "drop"}}})
	}
	note := &rule.Rule{Name: "test-note", Page: "---\nname: test-note\nsummary: a load\nseverity: hint\nsilent: nothing\n---\nIt loads.\n", Tag: rule.Unnecessary}
	note.Kernel = func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Events {
			if e.Op == infer.OpLoad {
				p.Report(e.Loc, "`%s` is loaded", e.Refs[0].Name).Also(k.Loc, "in this kernel").
					Offer(&rule.Fix{Title: "Load zero", Safety: rule.Unsafe, Edits: []rule.Edit{{Loc: e.Loc, New: "0"}}})
			}
		}
	}
	return append([]*rule.Rule{site, note}, control.Rules...)
}

const kernel = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
def kernel(x_ref, o_ref):
	é = x_ref[...]  # pallas: ignore[test-note] known
	o_ref[...] = é + (x_ref[0, :] +
		x_ref[1, :])  # pallas: ignore[test-site]


def f(x):
    return pl.pallas_call(kernel, in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM)], out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x)
`

// tool runs the program in a folder with the given files.
type tool struct {
	t   *testing.T
	dir string
}

func newTool(t *testing.T, files ...string) *tool {
	t.Helper()
	t.Cleanup(rules.Swap(testRules()))
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	x := &tool{t, dir}
	for i := 0; i < len(files); i += 2 {
		x.write(files[i], files[i+1])
	}
	return x
}

func (x *tool) write(name, text string) {
	x.t.Helper()
	path := filepath.Join(x.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		x.t.Fatal(err)
	}
}

func (x *tool) read(name string) string {
	x.t.Helper()
	text, err := os.ReadFile(filepath.Join(x.dir, name))
	if err != nil {
		x.t.Fatal(err)
	}
	return string(text)
}

// run returns what the program prints and its exit code.
func (x *tool) run(stdin string, args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = run(&env{stdin: strings.NewReader(stdin), stdout: &out, stderr: &err, dir: x.dir}, args)
	return out.String(), err.String(), code
}

// golden compares a text with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; with -update it is written anew:\n%s", name, got)
	}
}

func TestFormats(t *testing.T) {
	x := newTool(t, "k/a.py", kernel, "k/sub/b.py", "import pallas\n", "k/c.txt", kernel, "k/clean.py", "x = 1\n")
	for _, format := range []string{"full", "concise", "json", "github", "sarif"} {
		out, err, code := x.run("", "check", "--output-format", format, "k")
		if code != 1 || err != "" {
			t.Errorf("%s: exit %d, %s", format, code, err)
		}
		golden(t, "check."+format, strings.ReplaceAll(out, x.dir, "/folder"))
	}
	if out, _, _ := x.run("", "check", "k", "--output-format=concise"); !strings.HasPrefix(out, filepath.Join("k", "a.py")+":7:20: hint[test-note] `x_ref` is loaded\n") {
		t.Errorf("flags behind paths: %s", out)
	}
}

func TestColour(t *testing.T) {
	x := newTool(t, "a.py", kernel)
	var out bytes.Buffer
	run(&env{stdin: strings.NewReader(""), stdout: &out, stderr: io.Discard, dir: x.dir, colour: true}, []string{"check", "a.py", "--select", "test-site"})
	golden(t, "check.colour", out.String())
}

func TestCheckJSON(t *testing.T) {
	x := newTool(t, "a.py", kernel)
	out, _, _ := x.run("", "check", "--output-format", "json", "a.py")
	var list []struct {
		Code, Message, Severity, Filename, URL string
		Location                               struct{ Row, Column int }
		End                                    struct{ Row, Column int } `json:"end_location"`
		Fix                                    *struct {
			Applicability string
			Edits         []struct{ Content string }
		}
		Related []struct{ Message string }
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	last := list[len(list)-1]
	if last.Code != "test-site" || last.Severity != "error" || last.Filename != filepath.Join(x.dir, "a.py") || last.Location.Row != 12 || last.Location.Column != 12 ||
		last.End.Column != 26 || last.Fix.Applicability != "safe" || len(last.Related) != 1 || !strings.HasSuffix(last.URL, "test-site") {
		t.Errorf("%+v", last)
	}
	if out, _, code := x.run("x = 1", "check", "--output-format", "json", "-"); out != "[]\n" || code != 0 {
		t.Errorf("nothing found: %q, exit %d", out, code)
	}
}

func TestExitCodes(t *testing.T) {
	x := newTool(t, "a.py", kernel, "clean.py", "x = 1\n", "bad/pyproject.toml", "[tool.pallas-lsp]\nchip = 5\n", "bad/a.py", kernel, "empty/readme", "")
	for _, c := range []struct {
		args string
		code int
		err  string // a part of the one line on stderr
	}{
		{"check a.py", 1, ""},
		{"check clean.py", 0, ""},
		{"check empty", 0, ""},
		{"check a.py --ignore test-site", 0, ""},
		{"check a.py --select test-note", 0, ""},
		{"check a.py --ignore test-place", 0, ""},
		{"check --chip v5e --jax-version 0.10.2 clean.py", 0, ""},
		{"check", 2, "needs a file or folder"},
		{"check missing.py", 2, "missing.py: no such file or directory"},
		{"check a.py --output-format xml", 2, `"xml" is none of full`},
		{"check a.py --chip v99", 2, `--chip: "v99" is no chip`},
		{"check a.py --jax-version latest", 2, "is no version of JAX"},
		{"check a.py --ignore test-sight", 2, "did you mean `test-site`?"},
		{"check a.py --nope", 2, "flag provided but not defined"},
		{"check bad", 2, filepath.Join("bad", "pyproject.toml") + ":2: 5 is no chip"},
		{"fix bad", 2, "is no chip"},
		{"fix -", 2, "not on standard input"},
		{"fix", 2, "needs a file or folder"},
		{"inspect", 2, "needs a file or folder"},
		{"explain no-such-rule", 2, `"no-such-rule" is no rule`},
		{"explain", 2, "needs the name of a rule, or an error"},
		{"rules extra", 2, "takes no arguments"},
		{"frobnicate", 2, `"frobnicate" is no subcommand`},
		{"version", 0, ""},
		{"--help", 0, ""},
		{"help check", 0, ""},
	} {
		_, err, code := x.run("", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(err, c.err) || c.err == "" && err != "" || strings.Count(err, "\n") > 1 {
			t.Errorf("%s: exit %d, stderr %q", c.args, code, err)
		}
	}
}

func TestHelp(t *testing.T) {
	x := newTool(t)
	for _, c := range commands {
		out, err, code := x.run("", c.name, "--help")
		if code != 0 || err != "" || !strings.Contains(out, "Usage: pallas-lsp "+c.name) {
			t.Errorf("%s --help: exit %d, %s%s", c.name, code, out, err)
		}
	}
}

func TestStdin(t *testing.T) {
	x := newTool(t, "sub/pyproject.toml", "[tool.pallas-lsp]\nignore = [\"test-note\"]\n")
	out, err, code := x.run(kernel, "check", "--output-format", "concise", "-", "--stdin-filename", "sub/kernel.py")
	if code != 1 || err != "" || !strings.Contains(out, filepath.Join("sub", "kernel.py")+":12:12: error[test-site]") || strings.Contains(out, "[test-note]") {
		t.Errorf("exit %d\n%s%s", code, out, err)
	}
}

func TestFix(t *testing.T) {
	x := newTool(t, "a.py", kernel, "crlf.py", strings.ReplaceAll(kernel, "\n", "\r\n"))
	if err := os.Chmod(filepath.Join(x.dir, "a.py"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.py", filepath.Join(x.dir, "link.py")); err != nil {
		t.Fatal(err)
	}
	out, err, code := x.run("", "fix", "--diff", "--select", "unused-suppression", "a.py")
	if code != 0 || out != "" {
		t.Errorf("a rule that is off is not used: exit %d\n%s%s", code, out, err)
	}
	before := x.read("a.py")
	out, err, code = x.run("", "fix", "--diff", "--unsafe-fixes", "--ignore", "test-site", "a.py", "crlf.py")
	if code != 1 || err != "" || x.read("a.py") != before {
		t.Errorf("--diff: exit %d, %s", code, err)
	}
	golden(t, "fix.diff", out)
	out, err, code = x.run("", "fix", "--unsafe-fixes", "--ignore", "test-site", "link.py", "crlf.py")
	if code != 0 || out != "Applied 4 fixes in 2 files.\n" {
		t.Errorf("exit %d\n%s%s", code, out, err)
	}
	if info, _ := os.Lstat(filepath.Join(x.dir, "link.py")); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link became a file")
	}
	if info, _ := os.Stat(filepath.Join(x.dir, "a.py")); info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v", info.Mode())
	}
	if text := x.read("a.py"); !strings.Contains(text, "o_ref[...] = é + (0 +\n\t\t0)") {
		t.Errorf("the file is now\n%s", text)
	}
	if text := x.read("crlf.py"); strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Error("line ends are mixed")
	}
	left, _ := filepath.Glob(filepath.Join(x.dir, ".pallas-lsp-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFixRefuses leaves a file alone that a fix would break.
func TestFixRefuses(t *testing.T) {
	x := newTool(t, "a.py", strings.Replace(kernel, "pl.pallas_call(", "pl.pallas_call(\n        ", 1))
	_, err, code := x.run("", "fix", "a.py")
	if code != 1 || !strings.Contains(err, "a.py: ") || x.read("a.py") != strings.Replace(kernel, "pl.pallas_call(", "pl.pallas_call(\n        ", 1) {
		t.Errorf("exit %d, %s\n%s", code, err, x.read("a.py"))
	}
}

func TestInspect(t *testing.T) {
	x := newTool(t, "a.py", kernel, "none.py", "x = 1\n")
	out, _, _ := x.run("", "inspect", "--json", "a.py", "none.py")
	dec := json.NewDecoder(strings.NewReader(out))
	var first, second object
	if dec.Decode(&first) != nil || dec.Decode(&second) != nil {
		t.Fatalf("not two objects:\n%s", out)
	}
	pretty, _ := json.MarshalIndent(first, "", "  ")
	golden(t, "inspect.json", regexp.MustCompile(`"reason": .*`).ReplaceAllString(string(pretty), `"reason": "..."`)+"\n")
	if kernels, ok := second["kernels"].([]any); !ok || len(kernels) != 0 || second["path"] != "none.py" {
		t.Errorf("%v", second)
	}
	out, _, _ = x.run("", "inspect", "a.py", "none.py")
	golden(t, "inspect.txt", regexp.MustCompile(`(?m)\]\s{2,}\S.* \(line`).ReplaceAllString(out, "]  REASON (line"))
}

type object = map[string]any

func TestExplain(t *testing.T) {
	x := newTool(t)
	out, _, code := x.run("", "explain", "test-place")
	if code != 0 {
		t.Errorf("exit %d", code)
	}
	golden(t, "explain.page", out)
	pasted := "Traceback (most recent call last):\n  File \"kernels/a.py\", line 7, in f\n    run(x)\n  File \"/v/site-packages/jax/_src/pallas/nowhere.py\", line 3, in run\n    raise\n" +
		"ValueError: No kernels today: `k` is not run.\n"
	out, _, code = x.run(pasted, "explain")
	if code != 0 {
		t.Errorf("exit %d", code)
	}
	golden(t, "explain.traceback", out)
	out, _, code = x.run(pasted, "explain", "--json")
	var a struct {
		Name, Path string
		Line       int
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 0 || a.Name != "test-site" || a.Line != 7 || a.Path != "kernels/a.py" {
		t.Errorf("exit %d, %s", code, out)
	}
	out, _, code = x.run("KeyError: 'x'\n", "explain", "--json")
	if code != 1 || !strings.Contains(out, `"name": null`) {
		t.Errorf("an error without a page: exit %d, %s", code, out)
	}
}

func TestRules(t *testing.T) {
	x := newTool(t)
	out, _, _ := x.run("", "rules", "--json")
	golden(t, "rules.json", out)
	out, _, _ = x.run("", "rules")
	if want := regexp.MustCompile(`(?m)^test-site +error +a kernel is run$`); !want.MatchString(out) {
		t.Errorf("%s", out)
	}
}

func TestVersion(t *testing.T) {
	x := newTool(t)
	out, _, _ := x.run("", "version")
	if want := regexp.MustCompile(`^pallas-lsp \S+\ncommit \S+\nnewest JAX known \d+\.\d+\.\d+`); !want.MatchString(out) {
		t.Errorf("%s", out)
	}
}

// TestOrderOfOutput checks many files at once: what is printed is in the order of the paths.
func TestOrderOfOutput(t *testing.T) {
	var files []string
	for i := range 60 {
		files = append(files, "m/"+string(rune('a'+i/26))+string(rune('a'+i%26))+".py", kernel)
	}
	x := newTool(t, files...)
	want, _, _ := x.run("", "check", "--output-format", "concise", "m")
	for range 3 {
		if got, _, _ := x.run("", "check", "--output-format", "concise", "m"); got != want {
			t.Fatal("the order changes")
		}
	}
	if got := strings.Count(want, "error["); got != 60 {
		t.Errorf("%d files were found", got)
	}
}

// TestElsewhere finds something in a helper that two kernels import: it is reported there, once, and a comment there silences it.
func TestElsewhere(t *testing.T) {
	using := strings.Replace(strings.Replace(kernel, "import jax\n", "import jax\nfrom help import load\n", 1), "x_ref[...]", "load(x_ref)", 1)
	help := "# pallas\ndef load(ref):\n    return ref[...]\n"
	x := newTool(t, "pyproject.toml", "", "a.py", using, "b.py", using, "help.py", help)
	out, _, _ := x.run("", "check", "--output-format", "concise", "--select", "test-note", "a.py", "b.py")
	if strings.Count(out, "help.py:3:12: hint[test-note]") != 1 {
		t.Errorf("not once in the helper:\n%s", out)
	}
	x.write("help.py", strings.Replace(help, "ref[...]", "ref[...]  # pallas: ignore[test-note] fine", 1))
	out, _, _ = x.run("", "check", "--output-format", "concise", "--select", "test-note,unused-suppression", ".")
	if strings.Contains(out, "help.py") {
		t.Errorf("silenced:\n%s", out)
	}
}
