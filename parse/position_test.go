package parse

import (
	"testing"
	"unicode/utf8"
)

func TestPosition(t *testing.T) {
	// A line of each kind of character and of line end.
	const src = "ab\né𝄞x\r\n\xff\xed\xa0\x80z\rlast"
	f := Parse("a.py", []byte(src))
	if n := f.LineCount(); n != 4 {
		t.Fatalf("%d lines", n)
	}
	for i, want := range []string{"ab", "é𝄞x", "\xff\xed\xa0\x80z", "last"} {
		if got := f.Line(i); got != want {
			t.Errorf("line %d is %q", i, got)
		}
	}
	tests := []struct {
		off, line         int
		utf8, utf16, utf3 int
	}{
		{0, 0, 0, 0, 0},
		{2, 0, 2, 2, 2}, // at the \n
		{3, 1, 0, 0, 0},
		{5, 1, 2, 1, 1}, // after é
		{9, 1, 6, 3, 2}, // after the clef
		{10, 1, 7, 4, 3},
		{12, 2, 0, 0, 0},
		{13, 2, 1, 1, 1}, // after a byte that is no UTF-8
		{16, 2, 4, 4, 4}, // after an encoded surrogate: three such bytes
		{17, 2, 5, 5, 5},
		{18, 3, 0, 0, 0},
		{22, 3, 4, 4, 4},
	}
	for _, test := range tests {
		for enc, want := range map[Encoding]int{UTF8: test.utf8, UTF16: test.utf16, UTF32: test.utf3} {
			if line, col := f.Position(test.off, enc); line != test.line || col != want {
				t.Errorf("Position(%d, %d) = %d:%d, want %d:%d", test.off, enc, line, col, test.line, want)
			}
			if off := f.Offset(test.line, want, enc); off != test.off {
				t.Errorf("Offset(%d, %d, %d) = %d, want %d", test.line, want, enc, off, test.off)
			}
		}
	}
	for _, test := range []struct {
		line, col int
		enc       Encoding
		want      int
	}{
		{-1, 5, UTF16, 0}, {0, -1, UTF16, 0}, {0, 99, UTF16, 2}, {1, 99, UTF8, 10}, {1, 99, UTF32, 10}, {9, 0, UTF16, 22},
		{3, 99, UTF8, 22}, {1, 2, UTF16, 5}, {1, 1, UTF8, 3}, {1, 4, UTF8, 5},
		{0, int(^uint(0) >> 1), UTF8, 2}, {int(^uint(0) >> 1), 0, UTF8, 22},
	} {
		if got := f.Offset(test.line, test.col, test.enc); got != test.want {
			t.Errorf("Offset(%d, %d, %d) = %d, want %d", test.line, test.col, test.enc, got, test.want)
		}
	}
	for _, test := range []struct{ off, line, col int }{{-3, 0, 0}, {99, 3, 4}, {6, 1, 1}, {11, 1, 4}} {
		if line, col := f.Position(test.off, UTF16); line != test.line || col != test.col {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", test.off, line, col, test.line, test.col)
		}
	}
	if line, col := f.Position(6, UTF8); line != 1 || col != 2 {
		t.Errorf("inside a character: %d:%d", line, col)
	}
}

func TestPositionEmpty(t *testing.T) {
	for _, src := range []string{"", "\n", "\r\n", "\r"} {
		f := Parse("a.py", []byte(src))
		if line, col := f.Position(0, UTF16); line != 0 || col != 0 {
			t.Errorf("%q: %d:%d", src, line, col)
		}
		if f.Line(0) != "" || f.Line(-1) != "" || f.Line(7) != "" {
			t.Errorf("%q has text in its lines", src)
		}
	}
}

// TestPositionRoundTrip goes over every boundary of a character of the samples.
func TestPositionRoundTrip(t *testing.T) {
	for _, src := range samples {
		f := Parse("a.py", []byte(src))
		for off := 0; off <= len(src); off++ {
			if off < len(src) && !utf8.RuneStart(src[off]) || off > 0 && off < len(src) && src[off-1] == '\r' && src[off] == '\n' {
				continue
			}
			for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
				line, col := f.Position(off, enc)
				if got := f.Offset(line, col, enc); got != off {
					t.Fatalf("offset %d is %d:%d in %d, which is offset %d", off, line, col, enc, got)
				}
			}
		}
	}
}
