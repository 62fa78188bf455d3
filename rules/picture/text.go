package picture

import (
	"fmt"
	"strings"
)

// Text draws the picture with letters, for a terminal or a hover.
func (p *Picture) Text() string {
	var b strings.Builder
	b.WriteString(p.Title + "\n")
	for _, box := range p.Boxes {
		title := box.Name
		if box.Note != "" {
			title += "  " + box.Note
		}
		var rows []string
		for _, r := range box.Refs {
			rows = append(rows, pad(r.Name, names(box))+"  "+strings.TrimRight(r.Type+"  "+r.Size, " "))
		}
		frame(&b, title, rows)
	}
	flows(&b, p.Arrows)
	for _, line := range p.Grid {
		b.WriteString(line + "\n")
	}
	return b.String()
}

func names(box *Box) (w int) {
	for _, r := range box.Refs {
		w = max(w, len([]rune(r.Name)))
	}
	return w
}

func pad(s string, w int) string { return s + strings.Repeat(" ", max(0, w-len([]rune(s)))) }

func frame(b *strings.Builder, title string, rows []string) {
	w := len([]rune(title)) + 2
	for _, r := range rows {
		w = max(w, len([]rune(r))+2)
	}
	fmt.Fprintf(b, "╭─ %s %s╮\n", title, strings.Repeat("─", w-len([]rune(title))-1))
	for _, r := range rows {
		fmt.Fprintf(b, "│ %s │\n", pad(r, w))
	}
	fmt.Fprintf(b, "╰%s╯\n", strings.Repeat("─", w+2))
}

// flows lists the arrows, what is wrong with a cross in front.
func flows(b *strings.Builder, arrows []*Arrow) {
	w := 0
	for _, a := range arrows {
		w = max(w, len([]rune(ends(a))))
	}
	for _, a := range arrows {
		sign := " "
		if a.Wrong {
			sign = "✗"
		}
		fmt.Fprintf(b, "%s %s  %s\n", sign, pad(ends(a), w), a.text())
	}
}

func ends(a *Arrow) string {
	shaft := "──▶"
	if a.Kind == Window {
		shaft = "┄┄▶"
	}
	return end(a.From) + " " + shaft + " " + end(a.To)
}

func end(r *Ref) string {
	if r == nil {
		return "core"
	}
	return r.Name
}
