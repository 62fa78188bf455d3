package parse

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// sameFile checks that a version made by edits is what a fresh parse of its text gives.
func sameFile(t testing.TB, got *File) {
	t.Helper()
	want := Parse(got.Path, got.Src)
	if !reflect.DeepEqual(got.layout.pieces, want.layout.pieces) {
		t.Fatalf("pieces %v, want %v\n%q", got.layout.pieces, want.layout.pieces, got.Src)
	}
	for i, c := range got.Chunks {
		if !sameChunk(*c, *want.Chunks[i]) {
			t.Fatalf("chunk %q\n got %v %s\nwant %v %s", c.Text, c.Broken, sexpr(c.Stmts), want.Chunks[i].Broken, sexpr(want.Chunks[i].Stmts))
		}
	}
	if !reflect.DeepEqual(got.Comments(), want.Comments()) {
		t.Fatalf("comments %v, want %v", got.Comments(), want.Comments())
	}
	if !reflect.DeepEqual(got.ModuleScope(), want.ModuleScope()) {
		t.Fatal("module scopes differ")
	}
}

// sameChunk compares what was read, and what is worked out of it when it is asked for.
func sameChunk(a, b Chunk) bool {
	if !reflect.DeepEqual(a.Mentions(), b.Mentions()) || len(a.imports()) != len(b.imports()) {
		return false
	}
	if !reflect.DeepEqual(a.allGuesses(), b.allGuesses()) {
		return false
	}
	a.words, a.imports, a.guesses, b.words, b.imports, b.guesses = nil, nil, nil, nil, nil, nil
	return reflect.DeepEqual(a, b)
}

// snippets are what random edits put in: things that people type, and things that turn a file upside down.
var snippets = []string{
	"", "", "x", "1", ".", ",", "(", ")", "[", "]", "{", "}", "=", ":", "\n", "\n\n", "  ", "\t", "#", "# c\n", "\"", "'", "\"\"\"", "'''",
	"def f():\n  pass\n", "\ndef g(a", "\nclass C:\n", "@d\n", "if x:\n", "else:\n", "return ", "lambda ", "f\"{", "}\"", "\\", "\\\n",
	"import a\n", "é", "\xff", "\r", "\r\n", "*", " = 1; ", "pl.", "x = ", "t'", "match x:\n  case 1:\n", "await ", "async ", "in ", "not ",
}

func randomEdit(r *rand.Rand, src []byte) []byte {
	start := r.IntN(len(src) + 1)
	end := start
	switch r.IntN(4) {
	case 0:
		end = min(len(src), start+r.IntN(4))
	case 1:
		end = min(len(src), start+r.IntN(60))
	}
	return bytes.Join([][]byte{src[:start], []byte(snippets[r.IntN(len(snippets))]), src[end:]}, nil)
}

func TestRandomEdits(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		src := []byte(samples[seed%len(samples)])
		f := Parse("a.py", src)
		for range 40 {
			next := randomEdit(r, f.Src)
			if r.IntN(3) == 0 {
				next = bytes.Clone(src) // back to a text without errors
			}
			if len(next) > 4*len(src) {
				next = src
			}
			f = f.Edit(next)
			checkTree(t, f)
			sameFile(t, f)
		}
	}
}

// TestTyping types a line into a function, character by character, and takes it out again.
func TestTyping(t *testing.T) {
	at := strings.Index(kernelSample, "  grid = ")
	f := Parse("a.py", []byte(kernelSample))
	const line = "  spec = pl.BlockSpec((BLOCK, 128), lambda i: (i, 0))\n"
	for i := range len(line) {
		old := f
		f = f.Edit([]byte(kernelSample[:at] + line[:i+1] + kernelSample[at:]))
		sameFile(t, f)
		if fresh := countNew(old, f); fresh > 1 {
			t.Errorf("%d new chunks after %q", fresh, line[:i+1])
		}
		if len(f.Chunks) != len(old.Chunks) {
			t.Errorf("%d chunks, then %d", len(old.Chunks), len(f.Chunks))
		}
	}
	if f.warm.Load() == nil || f.warm.Load().tree == nil {
		t.Error("no tree is kept for the next edit")
	}
}

func countNew(old, f *File) int {
	n := 0
	for _, c := range f.Chunks {
		if _, ok := old.Base(c); !ok {
			n++
		}
	}
	return n
}

func TestEditShares(t *testing.T) {
	f := Parse("a.py", []byte("a = 1\n\ndef f():\n  return 2\n\nb = 3\n"))
	a, fn, b := f.Chunks[0], f.Chunks[1], f.Chunks[2]
	g := f.Edit([]byte("# new\na = 1\n\ndef f():\n  return 22\n\nb = 3\n"))
	if g.Chunks[0] != a || g.Chunks[1] == fn || g.Chunks[2] != b {
		t.Error("the wrong chunks are shared")
	}
	if base, ok := g.Base(a); !ok || base != 6 {
		t.Errorf("a is at %d, %v", base, ok)
	}
	if _, ok := g.Base(fn); ok {
		t.Error("an old chunk has a place in the new version")
	}
	if _, _, ok := g.Range(Loc{}); ok {
		t.Error("no location has a range")
	}
	name := fn.Stmts[0].(*FuncDef).NameSpan
	if start, end, ok := f.Range(Loc{fn, name}); !ok || string(f.Src[start:end]) != "f" {
		t.Errorf("f is at %d, %d, %v", start, end, ok)
	}
	if h := g.Edit(g.Src); h.Chunks[1] != g.Chunks[1] {
		t.Error("an edit of nothing makes a new chunk")
	}
}

// TestManyReaders lets readers of old and new versions run beside an editor; it is for -race.
func TestManyReaders(t *testing.T) {
	f := Parse("a.py", []byte(kernelSample))
	var wg sync.WaitGroup
	for i := range 50 {
		old := f
		wg.Go(func() {
			for range 3 {
				checkTree(t, old)
				old.ModuleScope()
				old.Imports()
				old.Position(len(old.Src)/2, UTF16)
				old.ChunkAt(len(old.Src) / 2)
			}
		})
		wg.Go(func() { old.Edit([]byte(kernelSample + "\nz = 1\n")) }) // editing a version twice is slow, not wrong
		f = f.Edit([]byte(strings.Replace(kernelSample, "grid = ", fmt.Sprintf("grid%d = ", i), 1)))
	}
	wg.Wait()
	sameFile(t, f)
}

// TestMemory edits many times and checks that the process does not grow: trees live outside Go's heap.
func TestMemory(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	src := strings.Repeat(kernelSample, 20)
	at := strings.LastIndex(src, "  grid = ")
	f := Parse("a.py", []byte(src))
	var warm int
	for i := range 2000 {
		line := strings.Repeat("x = f(a, b, c)\n  ", i%8)
		if i%5 == 0 {
			line = "x = f((\n  "
		}
		f = f.Edit([]byte(src[:at] + "  " + line + src[at+2:]))
		if i == 400 {
			warm = residentKB(t)
		}
	}
	runtime.GC()
	if grown := residentKB(t) - warm; grown > 20_000 {
		t.Errorf("2,000 edits: %d KB, then %d KB more", warm, grown)
	}
}

func residentKB(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	var kb int
	fmt.Sscan(rest, &kb)
	return kb
}

// TestDroppedTrees checks that versions that nobody edits any more do not keep C memory.
func TestDroppedTrees(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	src := []byte("def f():\n" + strings.Repeat("  x = f(a, b, c, [1, 2, 3], d=4)\n", 400))
	edited := append(bytes.Clone(src), "  y\n"...)
	before := 0
	for i := range 100 {
		Parse("a.py", src).Edit(edited) // leaves a tree of megabytes
		runtime.GC()
		if i == 20 {
			before = residentKB(t)
		}
	}
	if grown := residentKB(t) - before; grown > 40_000 {
		t.Errorf("80 dropped files keep %d KB", grown)
	}
}
