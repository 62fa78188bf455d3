package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// Full writes each finding with the code it is about, as rustc does, and the summary.
func Full(w io.Writer, findings []*Finding, style Style) error {
	p := &printer{style: style}
	for _, f := range findings {
		p.finding(f)
	}
	p.b.WriteString(Summary(findings))
	_, err := io.WriteString(w, p.b.String())
	return err
}

type printer struct {
	style Style
	b     strings.Builder
}

// The colours, as terminal codes.
const (
	red, yellow, blue, cyan, bold, reset = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;36m", "\x1b[1m", "\x1b[0m"
)

func (p *printer) paint(colour, text string) string {
	if !p.style.Colour || text == "" {
		return text
	}
	return colour + text + reset
}

func colourOf(s rule.Severity) string {
	switch s {
	case rule.Error:
		return red
	case rule.Warning:
		return yellow
	}
	return cyan
}

// mark is an underlined span with its label.
type mark struct {
	place   workspace.Place
	label   string
	primary bool
}

func (p *printer) finding(f *Finding) {
	colour := colourOf(f.Severity)
	head := fmt.Sprintf("%s[%s]", f.Severity, f.Rule.Name)
	fmt.Fprintf(&p.b, "%s%s\n", p.paint(colour, head), p.paint(bold, ": "+f.Message))
	marks := []mark{{f.Place, "", true}}
	var elsewhere []Related
	for _, r := range f.Related {
		if together(r.Place, f.Place) {
			marks = append(marks, mark{r.Place, r.Message, false})
		} else {
			elsewhere = append(elsewhere, r)
		}
	}
	gutter := p.gutter(f.Place, marks, elsewhere)
	p.snippet("-->", f.Place, marks, gutter, colour)
	for _, r := range elsewhere {
		p.snippet(":::", r.Place, []mark{{r.Place, r.Message, false}}, gutter, colour)
	}
	fmt.Fprintf(&p.b, "%s %s\n", strings.Repeat(" ", gutter), p.paint(blue, "|"))
	p.notes(f)
	p.b.WriteByte('\n')
}

// together reports whether two places are in one text: a file, or a cell of a notebook.
func together(a, b workspace.Place) bool {
	return a.File == b.File && position(a.File, a.Start).Cell == position(b.File, b.Start).Cell
}

// gutter is the width of the widest row number.
func (p *printer) gutter(at workspace.Place, marks []mark, elsewhere []Related) int {
	row := position(at.File, at.Start).Row
	for _, m := range marks {
		row = max(row, position(m.place.File, m.place.Start).Row)
	}
	for _, r := range elsewhere {
		row = max(row, position(r.Place.File, r.Place.Start).Row)
	}
	return len(fmt.Sprint(row))
}

func (p *printer) notes(f *Finding) {
	if says := Says(f.Diagnostic); says != "" {
		p.note("JAX will say", says)
	}
	for i, fix := range f.Fixes {
		if len(f.Edits[i]) == 0 {
			continue
		}
		p.note("fix", fix.Title+howToApply(i, fix.Safety))
	}
	p.note("more", "pallas-lsp explain "+f.Rule.Name)
}

func howToApply(i int, s rule.Safety) string {
	switch {
	case i > 0:
		return "  (in the editor)"
	case s == rule.Safe:
		return "  (pallas-lsp fix)"
	case s == rule.Unsafe:
		return "  (pallas-lsp fix --unsafe-fixes)"
	}
	return "  (by hand)"
}

func (p *printer) note(name, text string) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	fmt.Fprintf(&p.b, "  %s %s\n", p.paint(bold, name+":"), lines[0])
	for _, l := range lines[1:] {
		fmt.Fprintf(&p.b, "    %s\n", l)
	}
}

// snippet writes the lines that the marks stand on, in order, with an ellipsis where lines are left out.
func (p *printer) snippet(arrow string, at workspace.Place, marks []mark, gutter int, colour string) {
	pad := strings.Repeat(" ", gutter)
	bar := p.paint(blue, "|")
	fmt.Fprintf(&p.b, "%s%s %s\n", pad, p.paint(blue, arrow), p.style.at(at))
	fmt.Fprintf(&p.b, "%s %s\n", pad, bar)
	slices.SortStableFunc(marks, func(a, b mark) int { return a.place.Start - b.place.Start })
	last := 0
	for i := 0; i < len(marks); {
		row := position(at.File, marks[i].place.Start).Row
		if last != 0 && row > last+1 {
			fmt.Fprintf(&p.b, "%s\n", p.paint(blue, "..."))
		}
		line := lineAt(at.File, marks[i].place.Start)
		view := cut(line, marks[i].place)
		fmt.Fprintf(&p.b, "%s %s %s\n", p.paint(blue, fmt.Sprintf("%*d", gutter, row)), bar, view.shown)
		for ; i < len(marks) && marks[i].place.Start <= line.end; i++ {
			fmt.Fprintf(&p.b, "%s %s %s\n", pad, bar, p.underline(view, line, marks[i], colour))
		}
		last = row
	}
}

func (p *printer) underline(v view, l line, m mark, colour string) string {
	sign := "-"
	if m.primary {
		sign = "^"
	} else {
		colour = blue
	}
	start := v.column(m.place.Start - l.start)
	end := v.column(min(m.place.End, l.end) - l.start)
	text := strings.Repeat(sign, max(1, end-start))
	if m.place.End > l.end {
		text += "..."
	}
	if m.label != "" {
		text += " " + m.label
	}
	return strings.Repeat(" ", start) + p.paint(colour, text)
}

// line is one line of a file without its end.
type line struct {
	text       string
	start, end int
}

func lineAt(f *parse.File, off int) line {
	text := f.Src
	off = min(off, len(text))
	start := bytes.LastIndexByte(text[:off], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[off:], '\n'); i >= 0 {
		end = off + i
	}
	if end > start && text[end-1] == '\r' {
		end--
	}
	return line{string(text[start:end]), start, end}
}

// view is a line as shown: tabs widened, control characters replaced, a long line cut around the mark.
type view struct {
	shown   string
	columns []int // for each byte of the line the column it is shown at; one more for the end
}

// maxWidth is the number of columns above which a line is cut.
const maxWidth = 160

func cut(l line, around workspace.Place) view {
	v := layout(l.text)
	width := v.columns[len(l.text)]
	if width <= maxWidth {
		return v
	}
	from := max(0, v.columns[min(around.Start-l.start, len(l.text))]-40)
	to := min(width, from+maxWidth-2)
	return v.crop(l.text, from, to, width)
}

func layout(text string) view {
	var b strings.Builder
	columns := make([]int, len(text)+1)
	column := 0
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		for range n {
			columns[i] = column
			i++
		}
		switch {
		case c == '\t':
			tab := 4 - column%4
			b.WriteString(strings.Repeat(" ", tab))
			column += tab
		case c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c == utf8.RuneError || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069:
			b.WriteRune(utf8.RuneError)
			column++
		default:
			b.WriteRune(c)
			column += runeWidth(c)
		}
	}
	columns[len(text)] = column
	return view{b.String(), columns}
}

// runeWidth is the number of terminal columns of a character: 0 for combining marks, 2 for wide ones.
func runeWidth(c rune) int {
	switch {
	case c >= 0x300 && c <= 0x36f || c == 0x200b || c == 0x200d || c >= 0xfe00 && c <= 0xfe0f:
		return 0
	case c >= 0x1100 && c <= 0x115f || c >= 0x2e80 && c <= 0xa4cf || c >= 0xac00 && c <= 0xd7a3 || c >= 0xf900 && c <= 0xfaff ||
		c >= 0xfe30 && c <= 0xfe6f || c >= 0xff00 && c <= 0xff60 || c >= 0x1f300 && c <= 0x1faff || c >= 0x20000 && c <= 0x3fffd:
		return 2
	}
	return 1
}

func (v view) column(i int) int { return v.columns[max(0, min(i, len(v.columns)-1))] }

// crop keeps the columns from from to to.
func (v view) crop(text string, from, to, width int) view {
	var b strings.Builder
	shift := -from
	if from > 0 {
		b.WriteString("…")
		shift++
	}
	column := 0
	for _, c := range v.shown {
		if column >= from && column < to {
			b.WriteRune(c)
		}
		column += runeWidth(c)
	}
	if to < width {
		b.WriteString("…")
	}
	columns := make([]int, len(v.columns))
	for i, c := range v.columns {
		columns[i] = max(0, min(c, to)+shift)
	}
	return view{b.String(), columns}
}
