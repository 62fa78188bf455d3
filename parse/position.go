package parse

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Encoding says what a column counts.
type Encoding int

// The units of columns.
const (
	UTF8  Encoding = iota // bytes
	UTF16                 // UTF-16 code units, the default of editors
	UTF32                 // code points
)

// lineStarts returns the offset of each line. A line ends with \n, \r\n or a \r alone, as editors count.
func lineStarts(src []byte) []int {
	out := make([]int, 1, 16+len(src)/32)
	returns := bytes.IndexByte(src, '\r') >= 0
	for pos := 0; ; {
		i := bytes.IndexByte(src[pos:], '\n')
		end := pos + i
		if i < 0 {
			end = len(src)
		}
		if returns {
			for j, c := range src[pos:min(end+1, len(src))] {
				if at := pos + j; c == '\r' && (at+1 == len(src) || src[at+1] != '\n') {
					out = append(out, at+1)
				}
			}
		}
		if i < 0 {
			return out
		}
		pos = end + 1
		out = append(out, pos)
	}
}

// LineCount returns the number of lines; an empty file has one.
func (f *File) LineCount() int { return len(f.lines()) }

// LineStart returns the offset at which line n (from 0) starts, within the file whatever n is.
func (f *File) LineStart(n int) int {
	lines := f.lines()
	switch {
	case n < 0:
		return 0
	case n >= len(lines):
		return len(f.Src)
	}
	return lines[n]
}

// Line returns line n (from 0) without its line end; empty when there is no such line.
func (f *File) Line(n int) string {
	start, end := f.lineSpan(n)
	return string(f.Src[start:end])
}

// lineSpan returns where line n lies, line end excluded.
func (f *File) lineSpan(n int) (start, end int) {
	start, end = f.LineStart(n), f.LineStart(n+1)
	if n < 0 {
		return 0, 0
	}
	if n+1 < f.LineCount() {
		if end > start && f.Src[end-1] == '\n' {
			end--
		}
		if end > start && f.Src[end-1] == '\r' {
			end--
		}
	}
	return start, end
}

// Position returns the line and the column of a byte offset, both from 0. An offset outside the file goes to its nearest
// end, one inside a character to the start of the character, one inside a line end to its start.
func (f *File) Position(off int, enc Encoding) (line, col int) {
	off = min(max(off, 0), len(f.Src))
	lines := f.lines()
	line = sort.SearchInts(lines, off+1) - 1
	start, end := f.lineSpan(line)
	off = min(off, end)
	if enc == UTF8 {
		return line, f.charStart(off, start, end) - start
	}
	for i := start; i < off; {
		r, size := utf8.DecodeRune(f.Src[i:end])
		if i+size > off {
			break
		}
		col += units(r, size, enc)
		i += size
	}
	return line, col
}

// Offset returns the byte offset of a line and a column, both from 0. A column beyond the line goes to its end, a line
// beyond the file to the end of the file; a column inside a character goes to its start.
func (f *File) Offset(line, col int, enc Encoding) int {
	if line < 0 {
		return 0
	}
	if line >= f.LineCount() {
		return len(f.Src)
	}
	start, end := f.lineSpan(line)
	if col <= 0 {
		return start
	}
	if enc == UTF8 {
		return f.charStart(min(start+min(col, len(f.Src)), end), start, end)
	}
	for i := start; i < end; {
		r, size := utf8.DecodeRune(f.Src[i:end])
		col -= units(r, size, enc)
		if col < 0 {
			return i
		}
		i += size
		if col == 0 {
			return i
		}
	}
	return end
}

// charStart moves an offset inside a character of the line at start to the start of the character.
func (f *File) charStart(off, start, end int) int {
	for back := off; back < end && back >= start && back > off-utf8.UTFMax; back-- {
		if !utf8.RuneStart(f.Src[back]) {
			continue
		}
		if _, size := utf8.DecodeRune(f.Src[back:end]); back+size > off {
			return back
		}
		break
	}
	return off
}

// units returns how many columns a character takes. A byte that is no UTF-8 takes one, as the replacement character
// does that stands for it in an editor.
func units(r rune, size int, enc Encoding) int {
	switch {
	case enc == UTF8:
		return size
	case enc == UTF16 && r > 0xffff:
		return 2
	}
	return 1
}
