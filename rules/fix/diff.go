package fix

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
)

// context is the number of unchanged lines around a change in a diff.
const context = 3

// Diff is the unified diff of two texts under the given names; empty when they are equal.
func Diff(oldName, newName, a, b string) string {
	if a == b {
		return ""
	}
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
	for _, h := range hunks(compare(trimLast(x), trimLast(y))) {
		h.write(&out)
	}
	return out.String()
}

// trimLast drops the empty piece after a last line end.
func trimLast(lines []string) []string {
	if n := len(lines); n > 0 && lines[n-1] == "" {
		return lines[:n-1]
	}
	return lines
}

// row is one line of the comparison: kept ' ', removed '-' or added '+', at the line numbers (from 0) of both texts.
type row struct {
	sign byte
	text string
	i, j int
}

// compare finds the common lines: the equal ends are taken off first, the middle is compared by longest common subsequence.
func compare(x, y []string) []row {
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	var rows []row
	for i := range head {
		rows = append(rows, row{' ', x[i], i, i})
	}
	rows = append(rows, middle(x[head:len(x)-tail], y[head:len(y)-tail], head)...)
	for k := range tail {
		i, j := len(x)-tail+k, len(y)-tail+k
		rows = append(rows, row{' ', x[i], i, j})
	}
	return rows
}

// maxTable bounds the table of middle; larger changes are shown as all removed, all added.
const maxTable = 16 << 20

func middle(x, y []string, shift int) []row {
	var rows []row
	i, j := 0, 0
	table := common(x, y)
	for i < len(x) || j < len(y) {
		switch {
		case table != nil && i < len(x) && j < len(y) && x[i] == y[j]:
			rows = append(rows, row{' ', x[i], shift + i, shift + j})
			i++
			j++
		case i < len(x) && (j == len(y) || table == nil || table[i+1][j] >= table[i][j+1]):
			rows = append(rows, row{'-', x[i], shift + i, shift + j})
			i++
		default:
			rows = append(rows, row{'+', y[j], shift + i, shift + j})
			j++
		}
	}
	return rows
}

// common is the table of lengths of longest common subsequences of the ends; nil when it would be too large.
func common(x, y []string) [][]int32 {
	if (len(x)+1)*(len(y)+1) > maxTable {
		return nil
	}
	table := make([][]int32, len(x)+1)
	for i := range table {
		table[i] = make([]int32, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

type hunk []row

// hunks cuts the rows into runs of changes with their context.
func hunks(rows []row) []hunk {
	var out []hunk
	start, last := -1, -1
	for k, r := range rows {
		if r.sign == ' ' {
			continue
		}
		if start >= 0 && k-last > 2*context {
			out = append(out, rows[start:last+context+1])
			start = -1
		}
		if start < 0 {
			start = max(0, k-context)
		}
		last = k
	}
	if start >= 0 {
		out = append(out, rows[start:min(len(rows), last+context+1)])
	}
	return out
}

func (h hunk) write(b *strings.Builder) {
	removed, added := 0, 0
	for _, r := range h {
		if r.sign != '+' {
			removed++
		}
		if r.sign != '-' {
			added++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", extent(h[0].i, removed), extent(h[0].j, added))
	for _, r := range h {
		b.WriteByte(r.sign)
		b.WriteString(r.text)
		if !strings.HasSuffix(r.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// extent writes the start, from 1, and the length of a hunk. An empty one starts at the line before.
func extent(start, n int) string {
	if n > 0 {
		start++
	}
	if n == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, n)
}

// Lines is the difference of two texts as edits of the first, each of whole lines.
func Lines(a, b string) []parse.Edit {
	x, y := trimLast(strings.SplitAfter(a, "\n")), trimLast(strings.SplitAfter(b, "\n"))
	var out []parse.Edit
	off := 0
	open := false // the last edit goes on
	for _, r := range compare(x, y) {
		if r.sign == ' ' {
			off += len(r.text)
			open = false
			continue
		}
		if !open {
			out = append(out, parse.Edit{Start: off, End: off})
			open = true
		}
		e := &out[len(out)-1]
		if r.sign == '+' {
			e.New += r.text
			continue
		}
		off += len(r.text)
		e.End = off
	}
	return out
}
