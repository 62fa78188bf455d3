package inspect

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pallas-lsp/rules/jax"
)

// Text writes the kernels for people.
func Text(w io.Writer, f *File) error {
	var b strings.Builder
	if len(f.Kernels) == 0 {
		fmt.Fprintf(&b, "%s: no kernels\n", f.Path)
	}
	for i, k := range f.Kernels {
		if i > 0 {
			b.WriteByte('\n')
		}
		k.text(&b, f.Path)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (k *Kernel) text(b *strings.Builder, path string) {
	fmt.Fprintf(b, "%s:%d: %s", orElse(k.Path, path), k.Line, k.Name)
	if k.Core != jax.CoreUnknown {
		fmt.Fprintf(b, " on a %s", k.Core)
	}
	if k.Site.API != "" {
		where := "line " + strconv.Itoa(k.Site.Line)
		if k.Site.Path != "" {
			where = k.Site.Path + ":" + strconv.Itoa(k.Site.Line)
		}
		fmt.Fprintf(b, ", run by %s at %s", k.Site.API, where)
	}
	if k.Grid != nil {
		fmt.Fprintf(b, ", grid %s", tuple(k.Grid))
	}
	b.WriteByte('\n')
	var rows [][]string
	for _, r := range k.Refs {
		rows = append(rows, []string{string(r.Role), r.Name, r.Memory.String(), r.why(path)})
	}
	table(b, rows)
	k.budgetText(b)
	for _, line := range k.Steps() {
		b.WriteString("  " + line + "\n")
	}
	rows = nil
	for _, e := range k.Events {
		if e.IndexMap { // that is said by the steps
			continue
		}
		where := strconv.Itoa(e.Line)
		if e.Path != "" {
			where = e.Path + ":" + where
		}
		rows = append(rows, []string{where, string(e.Op), e.operands()})
	}
	if len(rows) > 0 {
		b.WriteString("  does\n")
		table(b, rows)
	}
}

// budgetText lists what the kernel takes of each memory, and by what.
func (k *Kernel) budgetText(b *strings.Builder) {
	line := k.Budget()
	if line == "" {
		return
	}
	fmt.Fprintf(b, "  takes %s\n", line)
	var rows [][]string
	for _, u := range k.Usage {
		for _, p := range u.Parts {
			size := Size(p.Bytes)
			if p.Count > 1 {
				size = fmt.Sprintf("%d × %s", p.Count, size)
			}
			rows = append(rows, []string{u.Space.String(), string(p.Kind), p.Name, size})
		}
	}
	table(b, rows)
}

func (r *Ref) why(path string) string {
	if r.Because == nil {
		return ""
	}
	if r.Because.Path != path {
		return fmt.Sprintf("%s (%s:%d)", r.Because.Text, r.Because.Path, r.Because.Line)
	}
	return fmt.Sprintf("%s (line %d)", r.Because.Text, r.Because.Line)
}

// operands shows what an event works on; a copy as source -> destination.
func (e *Event) operands() string {
	var parts []string
	for _, r := range e.Refs {
		switch {
		case r == nil && len(e.Refs) > 1:
			parts = append(parts, "?")
		case r == nil:
		default:
			parts = append(parts, r.Name+" "+r.Memory.String())
		}
	}
	for len(parts) > 2 && parts[len(parts)-1] == "?" {
		parts = parts[:len(parts)-1]
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return parts[0] + " -> " + strings.Join(parts[1:], ", ")
}

// String shows memory as "VMEM f32[8, 128]"; what is not known is a question mark.
func (m *Memory) String() string {
	dtype := "?"
	if m.DType != nil {
		dtype = m.DType.Short()
	}
	space := "?"
	if m.Set.Known() {
		space = m.Set.String()
	}
	return space + " " + dtype + m.Dims()
}

// Dims shows the shape as "[8, 128]"; a size that is not known by what the code calls it, else as a question mark.
func (m *Memory) Dims() string {
	if m.Shape == nil {
		return "[?]"
	}
	parts := make([]string, len(*m.Shape))
	for i, d := range *m.Shape {
		switch {
		case d != nil:
			parts[i] = strconv.FormatInt(*d, 10)
		case i < len(m.named) && m.named[i] != "":
			parts[i] = m.named[i]
		default:
			parts[i] = "?"
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func tuple(dims []*int64) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = "?"
		if d != nil {
			parts[i] = strconv.FormatInt(*d, 10)
		}
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// table writes rows with aligned columns.
func table(b *strings.Builder, rows [][]string) {
	var widths []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(c)))
		}
	}
	for _, r := range rows {
		line := "   "
		for i, c := range r {
			line += " " + c + strings.Repeat(" ", widths[i]-len([]rune(c))+1)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
