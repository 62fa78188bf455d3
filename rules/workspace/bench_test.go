package workspace_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/workspace"
)

// benchFile is the file named by PALLAS_BENCH_FILE, or all our golden kernels in one.
func benchFile(b *testing.B) (path string, text []byte) {
	paths := []string{os.Getenv("PALLAS_BENCH_FILE")}
	if paths[0] == "" {
		paths, _ = filepath.Glob(filepath.Join("..", "..", "testdata", "cases", "golden", "*.py"))
	}
	for i, p := range paths {
		part, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		text = append(text, bytes.ReplaceAll(part, []byte("def case("), fmt.Appendf(nil, "def case%d(", i))...)
	}
	return "kernels.py", text
}

// BenchmarkInfer runs the whole of a file.
func BenchmarkInfer(b *testing.B) {
	path, text := benchFile(b)
	f := parse.Parse(path, text)
	for b.Loop() {
		infer.Analyze(f, infer.Options{})
	}
}

// BenchmarkCheck runs the whole of a file and all rules.
func BenchmarkCheck(b *testing.B) {
	path, text := benchFile(b)
	f := parse.Parse(path, text)
	w := workspace.New(nil, nil)
	for b.Loop() {
		w.Check(f)
	}
}

// BenchmarkType types a digit into the first kernel store of a file and takes it back: parsing is not counted, reuse is.
func BenchmarkType(b *testing.B) {
	for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
		b.Run(fmt.Sprintf("%d workers", workers), func(b *testing.B) { benchmarkType(b, workers) })
	}
}

func benchmarkType(b *testing.B, workers int) {
	path, text := benchFile(b)
	at := bytes.Index(text, []byte("_ref[...] = "))
	if at < 0 {
		b.Fatal("no store to type in")
	}
	at += len("_ref[...] = ")
	typed := append(append(append([]byte{}, text[:at]...), "1 * "...), text[at:]...)
	w := workspace.New(nil, nil)
	w.Workers = workers
	var reuse workspace.Reuse
	f := parse.Parse(path, text)
	versions := [][]byte{typed, text}
	w.CheckNext(f, &reuse)
	for i := 0; b.Loop(); i++ {
		f = f.Edit(versions[i%2])
		w.CheckNext(f, &reuse)
	}
}
