package parse

import (
	"strings"
	"testing"
)

// benchSource is a file of about 2,000 lines.
var benchSource = strings.Repeat(kernelSample, 20)

// BenchmarkParse reads a whole file.
func BenchmarkParse(b *testing.B) {
	src := []byte(benchSource)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Parse("a.py", src)
	}
}

// BenchmarkTreeSitter is the part of BenchmarkParse that is Tree-sitter's: one parse of the whole file.
func BenchmarkTreeSitter(b *testing.B) {
	p := getParser()
	defer p.put()
	b.SetBytes(int64(len(benchSource)))
	for b.Loop() {
		p.parse(benchSource, nil).close()
	}
}

// BenchmarkLower walks and lowers a tree that is there.
func BenchmarkLower(b *testing.B) {
	p := getParser()
	defer p.put()
	t := p.parse(benchSource, nil)
	defer t.close()
	b.ReportAllocs()
	for b.Loop() {
		p.buf = t.records(p.buf)
		n := uint32(len(benchSource))
		l := &lowerer{chunk: benchSource, text: benchSource, limit: n, tail: int32(n), recs: p.buf}
		bindScopes(l.block(0, nil))
	}
	b.ReportMetric(float64(len(p.buf)), "nodes")
}

// benchmarkTyping types some text into the middle of a source, over and over.
func benchmarkTyping(b *testing.B, source, text string) {
	at := strings.LastIndex(source[:len(source)/2+len(kernelSample)], "grid = ")
	versions := make([][]byte, len(text)+1)
	for i := range versions {
		versions[i] = []byte(source[:at] + text[:i] + source[at:])
	}
	f := Parse("a.py", versions[0])
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		f = f.Edit(versions[i%len(versions)])
	}
}

const (
	wholeText  = "longer_" // never breaks the file
	brokenText = "spec = pl.BlockSpec((BLOCK, 128), lambda i: (i, 0)\n  "
)

// BenchmarkEdit types a name.
func BenchmarkEdit(b *testing.B) { benchmarkTyping(b, benchSource, wholeText) }

// BenchmarkEditBroken types a line that is broken until it ends.
func BenchmarkEditBroken(b *testing.B) { benchmarkTyping(b, benchSource, brokenText) }

// BenchmarkEditClass types a name in a class that is all of the file.
func BenchmarkEditClass(b *testing.B) { benchmarkTyping(b, classSource(), wholeText) }

// BenchmarkEditClassBroken types a broken line in such a class.
func BenchmarkEditClassBroken(b *testing.B) { benchmarkTyping(b, classSource(), brokenText) }

func classSource() string {
	from, to := strings.Index(kernelSample, "def add_kernel"), strings.Index(kernelSample, "class Helper")
	body := strings.ReplaceAll("\n"+kernelSample[from:to], "\n", "\n  ")
	return "class C:\n" + strings.Repeat(body, 30)
}
