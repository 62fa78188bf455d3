package inspect

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/workspace"
)

const idioms = "../../testdata/idioms"

// memoryFact is the memory of one operand of an access, as JAX recorded it or as it was inferred.
type memoryFact struct {
	Space string
	Shape []*int64
	DType string
}

// access is where one operand of an access is written.
type access struct {
	line    int
	op      infer.Op
	operand int
}

// recorded reads what JAX knows of every access in the idioms, by file.
func recorded(t *testing.T) map[string]map[access][]memoryFact {
	t.Helper()
	f, err := os.Open("../../testdata/oracle/idioms.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[access][]memoryFact{}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var row struct {
			File string
			Line int
			Op   infer.Op
			Refs []*memoryFact
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(row.File)
		if out[name] == nil {
			out[name] = map[access][]memoryFact{}
		}
		for i, ref := range row.Refs[:min(len(row.Refs), 3)] {
			if ref != nil && ref.Space != "" {
				k := access{row.Line, row.Op, i}
				out[name][k] = append(out[name][k], *ref)
			}
		}
	}
	return out
}

// inferred is what is said of every access of a file with that text.
func inferred(t *testing.T, name string, text []byte) map[access][]*Named {
	t.Helper()
	root, err := filepath.Abs(idioms)
	if err != nil {
		t.Fatal(err)
	}
	w := workspace.New([]string{root}, nil)
	f := Of(w.Infer(parse.Parse(filepath.Join(root, name), text)), filepath.Base)
	out := map[access][]*Named{}
	for _, k := range f.Kernels {
		for _, e := range k.Events {
			for i, ref := range e.Refs {
				if ref != nil {
					key := access{e.Line, e.Op, i}
					out[key] = append(out[key], ref)
				}
			}
		}
	}
	return out
}

// spaceOf is the meaning of a space as JAX names it.
func spaceOf(name string) jax.Space {
	if name == "DEFAULT" {
		return jax.VMEM
	}
	s, _ := jax.ParseSpace(strings.ToUpper(strings.Split(name, "@")[0]))
	return s
}

func (m memoryFact) String() string {
	return fmt.Sprintf("%s %s%s", m.Space, m.DType, tuple(m.Shape))
}

// is reports whether the ref is known to be as recorded, in all three.
func (m memoryFact) is(r *Named) bool {
	return r.Space != nil && *r.Space == spaceOf(m.Space) && r.DType != nil && string(*r.DType) == m.DType && r.Shape != nil && sameDims(*r.Shape, m.Shape)
}

// may reports whether nothing that is said of the ref contradicts the record, and its memory is among those said.
func (m memoryFact) may(r *Named) bool {
	return r.Set.Has(spaceOf(m.Space)) && (r.DType == nil || string(*r.DType) == m.DType) && (r.Shape == nil || likeDims(*r.Shape, m.Shape))
}

func sameDims(a, b []*int64) bool { return !slices.Contains(a, nil) && likeDims(a, b) }

// likeDims: JAX's shapes of a pipeline's blocks begin with the number of buffers.
func likeDims(a, b []*int64) bool {
	if len(a) == len(b)-1 {
		b = b[1:]
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != nil && b[i] != nil && *a[i] != *b[i] {
			return false
		}
	}
	return true
}

// beyond are kernels that can't be followed to the end, and why: of them nothing that is said may be wrong.
var beyond = map[string]string{
	"generated_launcher.py":    "which refs the body gets stands in text that is read when it runs",
	"buffered_ref_subclass.py": "how many rows it copies may be among the arguments that are not known",
}

// TestIdioms holds every way of writing kernels in testdata/idioms against what JAX recorded of it: each operand of each access is
// known as JAX knows it, when the file itself says with what the kernel is called.
func TestIdioms(t *testing.T) {
	for name, facts := range recorded(t) {
		text, err := os.ReadFile(filepath.Join(idioms, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\ndef case():") {
			continue // a file that others import
		}
		said := inferred(t, name, text)
		for at, truths := range facts {
			if len(said[at]) == 0 && beyond[name] == "" {
				t.Errorf("%s:%d: %s, operand %d: nothing known; JAX: %v", name, at.line, at.op, at.operand, truths)
			}
			for _, r := range said[at] {
				if !slices.ContainsFunc(truths, func(m memoryFact) bool { return m.is(r) || beyond[name] != "" && m.may(r) }) {
					t.Errorf("%s:%d: %s, operand %d: %s; JAX: %v", name, at.line, at.op, at.operand, r.Memory.String(), truths)
				}
			}
		}
	}
}

// uncalled are accesses that no caller means no knowledge of: the specs themselves depend on the argument.
var uncalled = map[string]bool{"record_of_refs.py": true, "copies_of_trees.py": true, "differentiated.py": true}

// TestIdiomsUncalled: when nothing in the file calls the function, the memory is still known wherever the specs say it, perhaps as one of
// several, and nothing that is said is wrong.
func TestIdiomsUncalled(t *testing.T) {
	for name, facts := range recorded(t) {
		whole, err := os.ReadFile(filepath.Join(idioms, name))
		if err != nil {
			t.Fatal(err)
		}
		text, _, called := strings.Cut(string(whole), "\ndef case():")
		if !called {
			continue
		}
		said := inferred(t, name, []byte(text+"\n"))
		for at, truths := range facts {
			if len(said[at]) == 0 && !uncalled[name] && beyond[name] == "" {
				t.Errorf("%s:%d: %s, operand %d: nothing known; JAX: %v", name, at.line, at.op, at.operand, truths)
			}
			for _, r := range said[at] {
				if !slices.ContainsFunc(truths, func(m memoryFact) bool { return m.may(r) }) {
					t.Errorf("%s:%d: %s, operand %d: %s; JAX: %v", name, at.line, at.op, at.operand, r.Memory.String(), truths)
				}
			}
		}
	}
}

// TestImportedKernel: a kernel of another file has its parameters where the site here puts them.
func TestImportedKernel(t *testing.T) {
	root, err := filepath.Abs(idioms)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "imported_kernel.py")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := Of(workspace.New([]string{root}, nil).Infer(parse.Parse(path, text)), filepath.Base)
	if len(f.Kernels) != 1 || f.Kernels[0].Path != "idiom_library.py" {
		t.Fatalf("kernels: %v", f.Kernels)
	}
	var got []string
	for _, r := range f.Kernels[0].Refs {
		got = append(got, r.Name+" "+r.Memory.String())
	}
	want := []string{"x_hbm ANY f32[32, 128]", "o_ref VMEM f32[8, 128]", "buf VMEM f32[8, 128]", "sem SEMAPHORE dma_sem[]"}
	if !slices.Equal(got, want) {
		t.Errorf("refs: %q, want %q", got, want)
	}
}
