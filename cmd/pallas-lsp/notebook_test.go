package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// notebook is the kernel of these tests in two cells behind a text and a line for IPython.
func notebook(t *testing.T) string {
	t.Helper()
	head, rest, _ := strings.Cut(kernel, "def kernel")
	cells := []map[string]any{{"cell_type": "markdown", "source": "# pallas"}}
	for _, text := range []string{"%pip install jax\n!echo don't", head, "def kernel" + rest} {
		cells = append(cells, map[string]any{"cell_type": "code", "source": strings.SplitAfter(strings.TrimSpace(text), "\n")})
	}
	text, err := json.MarshalIndent(map[string]any{"cells": cells}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCheckNotebook(t *testing.T) {
	x := newTool(t, "a.ipynb", notebook(t), "k/a.ipynb", notebook(t), "bad.ipynb", "pallas", "julia.ipynb", `{"cells": [], "metadata": {"kernelspec": {"language": "julia"}}, "x": "pallas"}`)
	for _, format := range []string{"full", "concise", "json", "github", "sarif"} {
		out, err, code := x.run("", "check", "--output-format", format, "a.ipynb")
		if code != 1 || err != "" {
			t.Errorf("%s: exit %d, %s", format, code, err)
		}
		golden(t, "notebook."+format, strings.ReplaceAll(out, x.dir, "/folder"))
	}
	if out, _, code := x.run("", "check", "k"); code != 0 || out != "No findings.\n" {
		t.Errorf("a folder with a notebook: exit %d, %s", code, out)
	}
	if out, _, code := x.run(notebook(t), "check", "--stdin-filename", "b.ipynb", "--output-format", "concise", "-"); code != 1 || !strings.HasPrefix(out, "b.ipynb:cell 4:") {
		t.Errorf("on standard input: exit %d, %s", code, out)
	}
	for name, want := range map[string]string{"bad.ipynb": "it is no notebook", "julia.ipynb": "it is a notebook of julia"} {
		for _, command := range []string{"check", "fix"} {
			if _, err, code := x.run("", command, name); code != 1 || !strings.Contains(err, want) {
				t.Errorf("%s %s: exit %d, %s", command, name, code, err)
			}
		}
	}
	for _, command := range []string{"inspect", "picture"} {
		if _, err, code := x.run("", command, "a.ipynb"); code != 2 || !strings.Contains(err, command+" takes files of Python") {
			t.Errorf("%s: exit %d, %s", command, code, err)
		}
	}
}

func TestFixNotebook(t *testing.T) {
	x := newTool(t, "a.ipynb", notebook(t))
	flags := []string{"--unsafe-fixes", "--select", "test-note", "a.ipynb"}
	if out, _, code := x.run("", append([]string{"fix", "--diff"}, flags...)...); code != 1 || !strings.Contains(out, "--- a.ipynb\n") {
		t.Errorf("diff: exit %d, %s", code, out)
	}
	if x.read("a.ipynb") != notebook(t) {
		t.Error("--diff wrote the notebook")
	}
	out, err, code := x.run("", append([]string{"fix"}, flags...)...)
	if code != 0 || out != "Applied 2 fixes in 1 file.\n" {
		t.Fatalf("exit %d, %s%s", code, out, err)
	}
	if got, want := x.read("a.ipynb"), strings.NewReplacer("(x_ref[0, :]", "(0", "x_ref[1, :])", "0)").Replace(notebook(t)); got != want {
		t.Errorf("fixed:\n%s", got)
	}
}
