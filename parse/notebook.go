package parse

import (
	"bytes"
	"sort"
	"strings"
)

// Notebook is the code cells of a notebook as one Python text: the cells one after another, each from a new line on, as if they were run from the
// first to the last. Lines for IPython are hidden; each byte of a cell stays where it was.
type Notebook struct {
	Text    []byte
	Numbers []int // what people call each cell: its number among all cells of the notebook, from 1

	cells []piece // where the text of each cell lies in Text
	lines []int   // the line on which each cell starts, from 0
}

// JoinCells makes a notebook of the texts of its cells, numbered as they come.
func JoinCells(cells []string) *Notebook {
	n := &Notebook{}
	line := 0
	for i, text := range cells {
		n.Numbers = append(n.Numbers, i+1)
		start := len(n.Text)
		n.Text = append(n.Text, hideIPython(text)...)
		n.cells = append(n.cells, piece{start, len(n.Text)})
		n.lines = append(n.lines, line)
		if last := len(n.Text) - 1; last < start || n.Text[last] != '\n' {
			n.Text = append(n.Text, '\n')
		}
		line += len(lineStarts(n.Text[start:])) - 1
	}
	return n
}

// Len is the number of cells.
func (n *Notebook) Len() int { return len(n.cells) }

// Cell returns which cell, from 0, has a byte offset of Text; what lies behind a cell belongs to it. -1: there is no cell.
func (n *Notebook) Cell(off int) int {
	if len(n.cells) == 0 {
		return -1
	}
	return max(0, sort.Search(len(n.cells), func(i int) bool { return n.cells[i].start > off })-1)
}

// Span returns the offsets in Text between which a cell lies.
func (n *Notebook) Span(cell int) (start, end int) { return n.cells[cell].start, n.cells[cell].end }

// Line returns the line of Text, from 0, on which a cell starts.
func (n *Notebook) Line(cell int) int { return n.lines[cell] }

// Cut turns edits of Text into edits of each cell, in the order given. It fails when one reaches from a cell into another.
func (n *Notebook) Cut(edits []Edit) (map[int][]Edit, bool) {
	out := map[int][]Edit{}
	for _, e := range edits {
		cell := n.Cell(e.Start)
		if cell > 0 && e.End == n.cells[cell].start && strings.IndexByte(" \t", (e.New + "x")[0]) >= 0 {
			cell-- // an indented line goes on with the block above
		}
		if cell < 0 || cell+1 < n.Len() && e.End > n.cells[cell+1].start {
			return nil, false
		}
		out[cell] = append(out[cell], n.cells[cell].cut(e))
	}
	return out, true
}

// cut is an edit as one of the cell alone, which does not have the line end that may follow it in the text.
func (p piece) cut(e Edit) Edit {
	if e.End > p.end {
		e.New = strings.TrimSuffix(strings.TrimSuffix(e.New, "\n"), "\r")
		if e.Start > p.end && e.New != "" {
			e.New = "\n" + e.New
		}
	}
	return Edit{Start: min(e.Start, p.end) - p.start, End: min(e.End, p.end) - p.start, New: e.New}
}

// pythonMagics are the magics of whole cells below which there is Python, as IPython documents them.
var pythonMagics = map[string]bool{"capture": true, "debug": true, "prun": true, "time": true, "timeit": true}

// hideIPython makes lines that only IPython understands (`%magic`, `!command`, `help?`) into Python that does nothing and is as long. An
// assignment of such a line's value stays: it is a syntax error, and its value is unknown.
func hideIPython(text string) []byte {
	out := []byte(text)
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	if magic, ok := strings.CutPrefix(text[start:], "%%"); ok && !pythonMagics[firstWord(magic)] {
		for pos := start; pos < len(out); pos = lineEnd(text, pos) + 1 {
			hideLine(out, pos)
		}
		return out
	}
	s := scanner{src: text}
	for pos := 0; pos < len(text); {
		at := skipBlank(text, pos)
		switch {
		case at >= len(text):
			pos = at
		case text[at] == '\n':
			pos = at + 1
		case text[at] == '#':
			pos = lineEnd(text, at) + 1
		case strings.IndexByte("%!?", text[at]) >= 0:
			pos = hideContinued(out, text, at)
		default:
			end := s.logicalLine(at, at-pos)
			hideHelp(out[at:end])
			pos = end + 1
		}
	}
	return out
}

// hideContinued hides the line at pos and those that continue it, and returns where the next one starts.
func hideContinued(out []byte, text string, pos int) int {
	for {
		end := lineEnd(text, pos)
		hideLine(out, pos)
		pos = end + 1
		if !strings.HasSuffix(strings.TrimRight(text[:end], "\r"), "\\") || pos >= len(text) {
			return pos
		}
	}
}

// hideLine makes the line at pos a statement that does nothing, so that a block of nothing else stays one.
func hideLine(out []byte, pos int) {
	for pos < len(out) && (out[pos] == ' ' || out[pos] == '\t') {
		pos++
	}
	switch {
	case pos >= len(out) || out[pos] == '\n' || out[pos] == '\r':
	case pos+1 < len(out) && out[pos+1] > ' ' && out[pos+1] < 0x80:
		out[pos], out[pos+1] = '0', '#'
	default:
		out[pos] = '#'
	}
}

// hideHelp takes the question marks off that ask IPython for help at the end of a line.
func hideHelp(line []byte) {
	text := bytes.TrimRight(line, " \t\r")
	for i := len(text) - 1; i > 0 && text[i] == '?'; i-- {
		text[i] = '#'
	}
}
