package workspace_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/workspace"
)

// TestReuse edits kernels at random: what is found of each version from what the one before has left is what is found from nothing.
func TestReuse(t *testing.T) {
	var files []string
	for _, folder := range []string{"golden", "reports", "sparsecore", "tensorcore"} {
		some, err := filepath.Glob(filepath.Join("..", "..", "testdata", "cases", folder, "*.py"))
		if err != nil || len(some) == 0 {
			t.Fatalf("no kernels to edit: %v", err)
		}
		files = append(files, some...)
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		var parts []string
		for range 3 {
			text, err := os.ReadFile(files[rnd.IntN(len(files))])
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, strings.ReplaceAll(string(text), "def case(", fmt.Sprintf("def case%d(", len(parts))))
		}
		editAtRandom(t, rnd, strings.Join(parts, "\n\n"))
	}
}

func editAtRandom(t *testing.T, rnd *rand.Rand, text string) {
	w, alone := workspace.New(nil, nil), workspace.New(nil, nil)
	w.Workers = 3
	var reuse workspace.Reuse
	f := parse.Parse("kernels.py", []byte(text))
	for range 25 {
		got, want := facts(w.CheckNext(f, &reuse)), facts(alone.Check(f))
		if got != want {
			t.Fatalf("of\n%s\nfrom the version before:\n%s\nfrom nothing:\n%s", f.Src, got, want)
		}
		f = f.Edit([]byte(edited(rnd, string(f.Src))))
	}
}

// TestWorkers: how many worlds run at the same time makes no difference.
func TestWorkers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "*", "*.py"))
	more, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "cases", "*", "*.py"))
	if files = append(files, more...); err != nil || len(files) < 100 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	if named := os.Getenv("PALLAS_WORKERS_FILES"); named != "" {
		files = filepath.SplitList(named)
	}
	alone, crew := workspace.New(nil, nil), workspace.New(nil, nil)
	crew.Workers = 4
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := parse.Parse(path, text)
		if one, many := facts(alone.Check(f)), facts(crew.Check(f)); one != many {
			t.Errorf("%s: one after another:\n%s\nfour at a time:\n%s", path, one, many)
		}
	}
}

// TestLongImport: what a file imports may be long, and costs the file's own kernels nothing.
func TestLongImport(t *testing.T) {
	dir := t.TempDir()
	tuned := "SIZES = {}\n" + strings.Repeat("SIZES[(8, 128, 'bfloat16')] = (16 * 4, 32 * 4)\n", 5000)
	if err := os.WriteFile(filepath.Join(dir, "tuned.py"), []byte(tuned), 0o644); err != nil {
		t.Fatal(err)
	}
	text := `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]

def call(x):
    from tuned import SIZES
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), jnp.float32))(x)
`
	a := workspace.New([]string{dir}, nil).Check(parse.Parse(filepath.Join(dir, "main.py"), []byte(text)))
	for _, e := range a.Facts.Entries {
		for _, w := range e.Worlds {
			if len(w.Kernels) == 1 && len(w.Kernels[0].Events) == 2 {
				return
			}
		}
	}
	t.Error("the kernel was not found")
}

// edited changes a number, a name or a line, or takes the last change of that kind back.
func edited(rnd *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	i := rnd.IntN(len(lines))
	switch rnd.IntN(6) {
	case 0:
		lines[i] = strings.Replace(lines[i], "8", "16", 1)
	case 1:
		lines[i] = strings.Replace(lines[i], "VMEM", "ANY", 1)
	case 2:
		lines[i] = lines[i][:len(lines[i])/2]
	case 3:
		lines = append(lines[:i], append([]string{"X = 3"}, lines[i:]...)...)
	case 4:
		lines[i] = strings.Replace(lines[i], "x_", "y_", 1)
	case 5:
		j := rnd.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "\n")
}

// facts prints what was found, with the places where it is.
func facts(a *workspace.Analysis) string {
	var b strings.Builder
	place := func(l parse.Loc) string {
		p, ok := a.Place(l)
		if !ok {
			return "?"
		}
		return fmt.Sprintf("%d-%d", p.Start, p.End)
	}
	for _, d := range a.Findings {
		fmt.Fprintf(&b, "%s %s %s\n", place(d.Loc), d.Rule.Name, d.Message)
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  %s %s\n", place(r.Loc), r.Message)
		}
		for _, f := range d.Fixes {
			fmt.Fprintf(&b, "  fix %s\n", f.Title)
			for _, e := range f.Edits {
				fmt.Fprintf(&b, "    %s %q\n", place(e.Loc), e.New)
			}
		}
	}
	for _, e := range a.Facts.Entries {
		for _, w := range e.Worlds {
			fmt.Fprintf(&b, "%s %v: %d faults\n", e.Name, w.Assumed, len(w.Faults))
			for _, k := range w.Kernels {
				kernelFacts(&b, place, k)
			}
		}
	}
	return b.String()
}

func kernelFacts(b *strings.Builder, place func(parse.Loc) string, k *infer.Kernel) {
	fmt.Fprintf(b, " kernel %s at %s\n", k.Name, place(k.Loc))
	for _, r := range k.Refs {
		fmt.Fprintf(b, "  %s %v %v %s at %s\n", r.Name, r.Spaces, r.View, r.Type, place(r.Alloc.Loc))
	}
	for _, e := range k.Events {
		fmt.Fprintf(b, "  %s at %s of %d\n", e.Op, place(e.Loc), len(e.Refs))
	}
}

// TestStarImports has layers of files, each of which imports both of the next layer: a name that none of them has is looked for once in each.
func TestStarImports(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const layers = 40
	for i := range layers {
		for _, side := range []string{"a", "b"} {
			write(fmt.Sprintf("%s%d.py", side, i), fmt.Sprintf("from a%d import *\nfrom b%d import *\n", i+1, i+1))
		}
	}
	write(fmt.Sprintf("a%d.py", layers), "N = 8\n")
	write(fmt.Sprintf("b%d.py", layers), "")
	text := "from a0 import *\nfrom jax.experimental import pallas as pl\nSHAPE = (N, missing)\n"
	f := parse.Parse(filepath.Join(dir, "main.py"), []byte(text))
	a := workspace.New([]string{dir}, nil).Check(f)
	if len(a.Imports) != 2*layers+1 {
		t.Errorf("%d files were imported", len(a.Imports))
	}
}
