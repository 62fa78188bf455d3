package parse

import (
	"math/rand/v2"
	"testing"

	"pallas-lsp/testdata/seeds"
)

// FuzzParse checks that any text gives a tree whose spans fit.
func FuzzParse(f *testing.F) {
	texts := samples[:len(samples):len(samples)]
	for _, s := range snippets {
		texts = append(texts, "def f(x):\n  y = "+s+"\n  z = 1\n\ndef g(): pass\n")
	}
	seeds.Add(texts, func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, src []byte) {
		file := Parse("a.py", src)
		checkTree(t, file)
		file.Imports()
		for off := 0; off <= len(src); off += 1 + len(src)/16 {
			if c, at := file.ChunkAt(off); c != nil {
				c.NodesAt(at)
			}
			for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
				line, col := file.Position(off, enc)
				if back := file.Offset(line, col, enc); back > off {
					t.Fatalf("offset %d is %d:%d, which is offset %d", off, line, col, back)
				}
			}
		}
	})
}

// FuzzEdit checks that two edits one after the other give what a fresh parse gives.
func FuzzEdit(f *testing.F) {
	for i, s := range snippets {
		f.Add([]byte(kernelSample), 900+i, 2, s, 300+i, i, ")")
		f.Add([]byte(oddSample), 10+i, 0, s, 60+i, i, "x")
		for moves := range seeds.More() {
			r := rand.New(rand.NewPCG(moves, uint64(i)))
			piece, text := seeds.Fragments[r.IntN(len(seeds.Fragments))], samples[r.IntN(len(samples))]
			f.Add([]byte(text), r.IntN(len(text)), r.IntN(40), s, r.IntN(len(text)), r.IntN(40), piece)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, at1, del1 int, ins1 string, at2, del2 int, ins2 string) {
		file := Parse("a.py", src)
		for _, e := range []struct {
			at, del int
			ins     string
		}{{at1, del1, ins1}, {at2, del2, ins2}} {
			start := min(max(e.at, 0), len(file.Src))
			end := min(max(start+min(max(e.del, 0), len(file.Src)), start), len(file.Src))
			next, err := Apply(file.Src, []Edit{{start, end, e.ins}})
			if err != nil {
				t.Fatal(err)
			}
			file = file.Edit(next)
			sameFile(t, file)
		}
		checkTree(t, file.Edit(src))
	})
}
