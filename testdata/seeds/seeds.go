// Package seeds gives fuzz tests kernels to start from, and ways to spoil them.
package seeds

import (
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"pallas-lsp/testdata/oracle"
)

// maxSeed is the size in bytes above which a case is left out: a fuzz test is to be quick.
const maxSeed = 6000

// Kernels returns the text of the cases and of the blocks on the rules' pages; root is the folder of the module.
func Kernels(root string) ([]string, error) {
	out, err := blocks(filepath.Join(root, "rules"))
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(filepath.Join(root, "testdata", "cases"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".py" {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && len(text) <= maxSeed {
			out = append(out, string(text))
		}
		return err
	})
	return out, err
}

func blocks(rules string) ([]string, error) {
	pages, err := oracle.Pages(os.DirFS(rules))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range pages {
		for _, b := range p.Blocks {
			out = append(out, b.File())
		}
	}
	return out, nil
}

// Fragments are what people type, and what turns a file upside down.
var Fragments = []string{
	"", " ", "x", "1", "-1", "0", ".", ",", "(", ")", "[", "]", "{", "}", "=", ":", "\n", "\n\n", "    ", "\t", "#", "\"", "'", `"""`, "\\", "\\\n", "\r\n", "\r",
	"*", "**", "@", "->", ":=", "é", "😀", "\xff", "\x00", "\ufeff", "def f(", "class C", "if x_ref[0]:\n", "else:\n", "return", "lambda *a: ", "for i in range(", "while ",
	"with ", "try:\n", "except", "yield ", "await ", "async ", "del ", "global ", "match x:\n", "case ", "import ", "from a import *\n", "f'{", "}'", "None", "True", "...",
	"pl.ds(", "pl.when(", "pl.program_id(0)", "pl.BlockSpec(", "pltpu.VMEM(", "pltpu.make_async_copy(", ".start()", ".wait()", ".at[", "x_ref", "o_ref", "10**10**10", "[0]*10**12",
	"# pallas: ignore[", "# pallas: file-ignore[", "jnp.zeros((", "functools.partial(", "lax.fori_loop(0, 3, ", "*args", "**kwargs", "range(10**12)", "2**63", "1 << 10**9", "1//0",
}

// Spoil edits a text a few times at random: it takes out, puts in, doubles and moves pieces, and takes pieces of other texts over.
// The same numbers give the same text.
func Spoil(r *rand.Rand, text string, others []string) string {
	for range 1 + r.IntN(4) {
		text = spoilOnce(r, text, others)
	}
	return text
}

func spoilOnce(r *rand.Rand, text string, others []string) string {
	at := pick(r, text)
	end := pick(r, text[at.end:])
	switch r.IntN(8) {
	case 0:
		return text[:at.start] + text[at.end:]
	case 1:
		return text[:at.start] + Fragments[r.IntN(len(Fragments))] + text[at.end:]
	case 2:
		return text[:at.start] + Fragments[r.IntN(len(Fragments))] + text[at.start:]
	case 3: // swap
		a, b, between := text[at.start:at.end], text[at.end+end.start:at.end+end.end], text[at.end:at.end+end.start]
		return text[:at.start] + b + between + a + text[at.end+end.end:]
	case 4: // double
		return text[:at.end] + text[at.start:at.end] + text[at.end:]
	case 5:
		other := others[r.IntN(len(others))]
		from := pick(r, other)
		return text[:at.start] + other[from.start:from.end] + text[at.end:]
	case 6: // a line of another text
		lines := strings.SplitAfter(others[r.IntN(len(others))], "\n")
		line := strings.LastIndexByte(text[:at.start], '\n') + 1
		return text[:line] + lines[r.IntN(len(lines))] + text[line:]
	}
	return moveLine(r, text)
}

func moveLine(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	line := lines[i]
	lines = slices.Insert(slices.Delete(lines, i, i+1), min(j, len(lines)-1), line)
	return strings.Join(lines, "")
}

type span struct{ start, end int }

// pick chooses a word, a sign or a line.
func pick(r *rand.Rand, text string) span {
	if text == "" {
		return span{}
	}
	at := r.IntN(len(text))
	inside := isWord
	if !isWord(text[at]) {
		if r.IntN(3) > 0 {
			return span{at, at + 1}
		}
		inside = func(c byte) bool { return c != '\n' }
	}
	start, end := at, at
	for start > 0 && inside(text[start-1]) {
		start--
	}
	for end < len(text) && inside(text[end]) {
		end++
	}
	return span{start, end}
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// All is Kernels for tests two folders below the module's, read once.
var All = sync.OnceValue(func() []string {
	out, err := Kernels(filepath.Join("..", ".."))
	if err != nil || len(out) < 100 {
		panic(fmt.Sprintf("%d kernels to start from: %v", len(out), err))
	}
	return out
})

// more is how many spoilt texts are tried beside each seed: the same each time, so that what a search would find surprises nobody in CI.
var more = flag.Int("more", 0, "ways of spoiling each seed of a fuzz target")

// More are the numbers of the ways of spoiling a seed that were asked for: each stands for the same way each time.
func More() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range *more {
			if !yield(uint64(1000 + i)) {
				return
			}
		}
	}
}

// Add gives each text to add, and what comes of spoiling it in the ways that were asked for.
func Add(texts []string, add func(string)) {
	others := sample(texts)
	for _, text := range texts {
		add(text)
		for moves := range More() {
			add(Spoil(rand.New(rand.NewPCG(moves, hash(text))), text, others))
		}
	}
}

// few is one text of how many a sample takes.
const few = 44

// sample takes a few of many texts. Which, the texts themselves decide: one that is added or taken away changes nothing about the others,
// so that what a commit adds is not to blame for what comes of spoiling something else.
func sample(texts []string) []string {
	if len(texts) <= 2*few {
		return texts
	}
	var out []string
	for _, text := range texts {
		if hash(text)%few == 0 {
			out = append(out, text)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(hash(a), hash(b)) })
	return out
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// Others are the kernels of which spoiling takes pieces.
var Others = sync.OnceValue(func() []string { return sample(All()) })

// Start returns the seeds of a fuzz target: all when it is fuzzed for a time, else a few from everywhere.
func Start() []string {
	all := All()
	if flagOf("test.fuzz") != "" && !strings.HasSuffix(flagOf("test.fuzztime"), "x") {
		return all
	}
	return Others()
}

func flagOf(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}
