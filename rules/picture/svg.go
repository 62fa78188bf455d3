package picture

import (
	"fmt"
	"html"
	"strings"
)

// The measures of a drawing, in pixels. Text is monospaced, so that its width is known without a font.
const (
	char    = 6.7 // width of a character
	lane    = 17  // height of one arrow's lane
	padding = 12
	header  = 30 // of a box, above its refs
	gap     = 16 // between boxes, and between refs
	margin  = 20
)

// style takes the colours of the editor where there is one, else those of a light or dark page.
const style = `
  .picture { --fg: var(--vscode-editor-foreground, #24292f); --bg: var(--vscode-editor-background, #ffffff); --line: var(--vscode-panel-border, #8c959f);
    --box: var(--vscode-sideBar-background, #f6f8fa); --copy: var(--vscode-charts-blue, #0969da); --flow: var(--vscode-charts-green, #1a7f37);
    --quiet: var(--vscode-descriptionForeground, #6e7781); --wrong: var(--vscode-errorForeground, #cf222e); }
  @media (prefers-color-scheme: dark) { .picture { --fg: var(--vscode-editor-foreground, #e6edf3); --bg: var(--vscode-editor-background, #0d1117);
    --line: var(--vscode-panel-border, #6e7681); --box: var(--vscode-sideBar-background, #161b22); --copy: var(--vscode-charts-blue, #58a6ff);
    --flow: var(--vscode-charts-green, #3fb950); --quiet: var(--vscode-descriptionForeground, #8b949e); --wrong: var(--vscode-errorForeground, #ff7b72); } }
  .picture .page { fill: var(--bg); }
  .picture text { font: 11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: var(--fg); white-space: pre; }
  .picture .title { font-weight: 600; font-size: 13px; }
  .picture .name { font-weight: 600; }
  .picture .quiet { fill: var(--quiet); }
  .picture .box { fill: var(--box); stroke: var(--line); }
  .picture .ref rect { fill: var(--bg); stroke: var(--line); }
  .picture .arrow path { fill: none; stroke-width: 1.5; }
  .picture .arrow .head { stroke: none; }
  .picture .copy { --c: var(--copy); } .picture .window { --c: var(--quiet); } .picture .load, .picture .store { --c: var(--flow); }
  .picture .wrong { --c: var(--wrong); }
  .picture .arrow path { stroke: var(--c); } .picture .arrow .head, .picture .arrow text { fill: var(--c); }
  .picture .window path { stroke-dasharray: 4 3; }
  .picture .wrong path { stroke-width: 2.5; } .picture .wrong text { font-weight: 600; }
  .picture [data-line] { cursor: pointer; } .picture [data-line]:hover text { text-decoration: underline; }
`

type column struct {
	boxes []*Box
	x, w  float64
}

type layout struct {
	p          *Picture
	columns    [2]*column // far, near
	rows       map[*Ref]*row
	coreX      float64
	gaps       [2]float64 // between the columns, and before the core
	top, below float64
	under      map[*Arrow]float64 // arrows that go below the near memories: where
	out        strings.Builder
}

// row is where a ref is drawn, with the lanes of arrows at its left and right.
type row struct {
	x, y, w, h  float64
	left, right int // lanes in use
	l, r        int // lanes needed
}

// SVG draws the picture. Elements that stand for code have data-line, and data-path where it is in another file.
func (p *Picture) SVG() string {
	l := &layout{p: p, rows: map[*Ref]*row{}, under: map[*Arrow]float64{}, top: margin + 34}
	l.measure()
	l.place()
	height := l.below + margin + float64(len(p.Grid))*lane
	if len(p.Grid) > 0 {
		height += gap
	}
	width := max(l.coreX+textWidth(p.Core)+4*padding+margin, textWidth(p.Title)*1.2+2*margin, widest(p.Grid)+2*margin)
	fmt.Fprintf(&l.out, `<svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="%s">`+"\n<style>%s</style>\n",
		width, height, width, height, html.EscapeString(p.Title), style)
	fmt.Fprintf(&l.out, `<rect class="page" width="%.0f" height="%.0f"/>`+"\n", width, height)
	fmt.Fprintf(&l.out, `<g data-line="%d"><text class="title" x="%d" y="%d">%s</text></g>`+"\n", p.Line, margin, margin+10, html.EscapeString(p.Title))
	l.boxes()
	for _, a := range p.Arrows {
		l.arrow(a, false)
	}
	for _, b := range p.Boxes {
		for _, r := range b.Refs {
			l.ref(r)
		}
	}
	for _, a := range p.Arrows {
		l.arrow(a, true)
	}
	for i, line := range p.Grid {
		fmt.Fprintf(&l.out, `<text x="%d" y="%.0f">%s</text>`+"\n", margin, l.below+gap+float64(i+1)*lane, html.EscapeString(line))
	}
	l.out.WriteString("</svg>\n")
	return l.out.String()
}

func textWidth(s string) float64 { return float64(len([]rune(s))) * char }

func widest(all []string) (w float64) {
	for _, s := range all {
		w = max(w, textWidth(s))
	}
	return w
}

// measure splits the boxes into columns and counts the lanes that each ref needs.
func (l *layout) measure() {
	l.columns = [2]*column{{x: margin}, {}}
	for _, b := range l.p.Boxes {
		c := l.columns[1]
		if b.Far {
			c = l.columns[0]
		}
		c.boxes = append(c.boxes, b)
		for _, r := range b.Refs {
			l.rows[r] = &row{}
		}
	}
	side := 0.0 // what labels at the far memories take of the first gap, beside those at the near ones
	for _, a := range l.p.Arrows {
		anchor, right := l.anchor(a)
		w := textWidth(a.text()) + 34
		switch r := l.rows[anchor]; {
		case l.passes(a):
			r.r++
			l.under[a] = 0
		case right && anchor.box.Far:
			r.r++
			if a.From != nil && a.To != nil { // it comes back to the same side
				l.rows[a.To].r++
				w += lane
			}
			side = max(side, w)
		case right:
			r.r++
			l.gaps[1] = max(l.gaps[1], w)
		default:
			r.l++
			l.gaps[0] = max(l.gaps[0], w)
		}
	}
	l.gaps[0] += side
	for _, c := range l.columns {
		for _, b := range c.boxes {
			c.w = max(c.w, textWidth(b.Name+"  "+b.Note)+2*padding)
			for _, r := range b.Refs {
				c.w = max(c.w, textWidth(r.Name)+4*padding, textWidth(r.Type+"  "+r.Size)+4*padding)
			}
		}
	}
}

// passes: the arrow joins a far memory and the core, and there are near memories between.
func (l *layout) passes(a *Arrow) bool {
	r := a.From
	if r == nil {
		r = a.To
	}
	return (a.From == nil || a.To == nil) && r.box.Far && len(l.columns[1].boxes) > 0
}

// anchor is the ref beside which an arrow's label stands, and at which side: the end in the near memory where it has one.
func (l *layout) anchor(a *Arrow) (r *Ref, right bool) {
	switch {
	case a.From == nil:
		return a.To, true
	case a.To == nil:
		return a.From, true
	case a.From.box.Far && a.To.box.Far:
		return a.From, true
	case a.To.box.Far:
		return a.From, false
	}
	return a.To, false
}

func (l *layout) place() {
	l.columns[1].x = l.columns[0].x
	if len(l.columns[0].boxes) > 0 {
		l.columns[1].x = l.columns[0].x + l.columns[0].w + max(l.gaps[0], 60)
	}
	l.coreX = l.columns[1].x
	if len(l.columns[1].boxes) > 0 {
		l.coreX += l.columns[1].w + max(l.gaps[1], 60)
	} else {
		l.coreX += max(l.gaps[0], 60)
	}
	for _, c := range l.columns {
		y := l.top
		for _, b := range c.boxes {
			y += header
			for _, r := range b.Refs {
				at := l.rows[r]
				at.x, at.y, at.w = c.x+padding, y, c.w-2*padding
				at.h = max(38, float64(max(at.l, at.r))*lane+6)
				y += at.h + gap/2
			}
			y += padding + gap
		}
		l.below = max(l.below, y)
		if c == l.columns[1] {
			l.pass(y)
		}
	}
}

// pass gives each arrow that goes below the near memories its own line there.
func (l *layout) pass(y float64) {
	for _, a := range l.p.Arrows {
		if l.passes(a) {
			l.under[a] = y
			y += lane
			l.below = max(l.below, y+gap)
		}
	}
}

func (l *layout) boxes() {
	for _, c := range l.columns {
		for _, b := range c.boxes {
			first, last := l.rows[b.Refs[0]], l.rows[b.Refs[len(b.Refs)-1]]
			y, h := first.y-header, last.y+last.h+padding-first.y+header
			fmt.Fprintf(&l.out, `<rect class="box" x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="6"/><text x="%.0f" y="%.0f"><tspan class="name">%s</tspan><tspan class="quiet">  %s</tspan></text>`+"\n",
				c.x, y, c.w, h, c.x+padding, y+19, html.EscapeString(b.Name), html.EscapeString(b.Note))
		}
	}
	fmt.Fprintf(&l.out, `<rect class="box" x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="6"/><text class="name" x="%.0f" y="%.0f">%s</text>`+"\n",
		l.coreX, l.top, textWidth(l.p.Core)+2*padding, l.below-l.top-gap, l.coreX+padding, l.top+19, html.EscapeString(l.p.Core))
}

func (l *layout) ref(r *Ref) {
	at := l.rows[r]
	fmt.Fprintf(&l.out, `<g class="ref"%s><title>%s</title><rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="4"/><text class="name" x="%.0f" y="%.0f">%s</text><text x="%.0f" y="%.0f">%s<tspan class="quiet">  %s</tspan></text></g>`+"\n",
		where(r.Path, r.Line), html.EscapeString(r.Role+" "+r.Name), at.x, at.y, at.w, at.h, at.x+padding, at.y+15, html.EscapeString(r.Name), at.x+padding, at.y+30, html.EscapeString(r.Type), html.EscapeString(r.Size))
}

func where(path string, line int) string {
	if line == 0 {
		return ""
	}
	text := fmt.Sprintf(` data-line="%d"`, line)
	if path != "" {
		text += fmt.Sprintf(` data-path="%s"`, html.EscapeString(path))
	}
	return text
}

// arrow draws an arrow: first all lines, which run below the refs, then all labels.
func (l *layout) arrow(a *Arrow, label bool) {
	anchor, right := l.anchor(a)
	at := l.rows[anchor]
	y, back := at.next(right), 0.0
	if right && anchor.box.Far && a.From != nil && a.To != nil {
		back = l.rows[a.To].next(true)
	}
	class := string(a.Kind)
	if a.Wrong {
		class += " wrong"
	}
	first := 0
	if len(a.Lines) > 0 {
		first = a.Lines[0]
	}
	if under, ok := l.under[a]; ok {
		l.passing(a, class, first, at.x+at.w, y, under, label)
		return
	}
	if !label {
		fmt.Fprintf(&l.out, `<g class="arrow %s"%s>%s</g>`+"\n", class, where("", first), l.path(a, anchor, right, y, back))
		return
	}
	x, end := at.x-padding-12, ` text-anchor="end"`
	if right {
		x, end = at.x+at.w+padding+12, ""
	}
	fmt.Fprintf(&l.out, `<g class="arrow %s"%s><text x="%.0f" y="%.0f"%s>%s</text></g>`+"\n", class, where("", first), x, y-3, end, html.EscapeString(a.text()))
}

// passing draws an arrow between a far ref, whose side is at x, y, and the core, below what is between them.
func (l *layout) passing(a *Arrow, class string, first int, x, y, under float64, label bool) {
	if label {
		fmt.Fprintf(&l.out, `<g class="arrow %s"%s><text x="%.0f" y="%.0f">%s</text></g>`+"\n", class, where("", first), l.columns[1].x, under-3, html.EscapeString(a.text()))
		return
	}
	down, across := x+padding+10, x+padding+26
	head := fmt.Sprintf("M%.0f %.0f l-7 -4 v8 z", l.coreX, under)
	if a.From == nil {
		head = fmt.Sprintf("M%.0f %.0f l7 -4 v8 z", x, y)
	}
	fmt.Fprintf(&l.out, `<g class="arrow %s"%s><path d="M%.0f %.0f H%.0f C%.0f %.0f %.0f %.0f %.0f %.0f H%.0f"/><path class="head" d="%s"/></g>`+"\n",
		class, where("", first), x, y, down, across, y, down, under, across, under, l.coreX, head)
}

// next is the height of the next lane at a side of a ref; after the last one, the first comes again.
func (at *row) next(right bool) float64 {
	n, count := &at.left, at.l
	if right {
		n, count = &at.right, at.r
	}
	if *n == count { // the second pass begins
		*n = 0
	}
	*n++
	return at.y + at.h/2 + (float64(*n-1)-float64(count-1)/2)*lane
}

// path is the line of an arrow with its head. It leaves the anchor's lane straight, as long as the label is, and bends only then.
func (l *layout) path(a *Arrow, anchor *Ref, right bool, y, back float64) string {
	at := l.rows[anchor]
	x, straight := at.x, at.x-textWidth(a.text())-padding-16
	if right {
		x, straight = at.x+at.w, at.x+at.w+textWidth(a.text())+padding+16
	}
	other, into := a.From, a.To == anchor
	if !into {
		other = a.To
	}
	switch {
	case other == nil: // the core
		return line(into, x, straight, y, l.coreX, y, right)
	case back > 0: // to another lane of the same side
		o := l.rows[a.To]
		return line(false, x, straight, y, o.x+o.w, back, true)
	case other.box.Far == anchor.box.Far: // within one column: around the side
		o := l.rows[other]
		ox := o.x
		if right {
			ox = o.x + o.w
		}
		return line(into, x, straight, y, ox, o.y+o.h/2+4, right)
	}
	o := l.rows[other]
	ox := o.x
	if !right {
		ox = o.x + o.w
	}
	return line(into, x, straight, y, ox, o.y+o.h/2, right)
}

// line goes from the other end (ox, oy) over the bend to the anchor (x, y), or back.
func line(into bool, x, straight, y, ox, oy float64, right bool) string {
	bend := (straight + ox) / 2
	if (ox < x) == right && ox != x || ox == x { // it comes back to the side from which it left
		bend = straight - 24
		if right {
			bend = straight + 24
		}
	}
	hx, hy, dir := ox, oy, 1.0
	if into {
		hx, hy = x, y
	}
	if into == right || !into && ox < straight {
		dir = -1
	}
	d := fmt.Sprintf("M%.0f %.0f H%.0f C%.0f %.0f %.0f %.0f %.0f %.0f", x, y, straight, bend, y, bend, oy, ox, oy)
	return fmt.Sprintf(`<path d="%s"/><path class="head" d="M%.0f %.0f l%.0f -4 v8 z"/>`, d, hx, hy, -7*dir)
}
