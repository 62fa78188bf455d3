package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/rule"
)

// write is the edit of the kernel and of what it asks for.
func (d *double) write() *rule.Fix {
	l, taken := d.loop, edit.Mentions(d.loop.outer())
	d.slot = edit.Free(taken, "slot")
	fetch := map[*copying]string{}
	for _, c := range d.copies {
		name := "fetch"
		if len(d.copies) > 1 {
			name += "_" + c.start.Refs[1].Name
		}
		fetch[c] = edit.Free(taken, name)
	}
	out, hi := d.bound(taken)
	if hi == "" {
		return nil
	}
	out = append(out, d.before(fetch, hi)...)
	out = append(out, d.inside(fetch, hi)...)
	var done []parse.Loc
	for _, c := range d.copies {
		for _, r := range c.start.Refs[1:3] {
			if at := asked(siteOf(d.pass, r.Alloc), r.Alloc.Operand); !slices.Contains(done, at) {
				done = append(done, at)
				out = append(out, d.request(r.Alloc)...)
			}
		}
		for _, n := range names(l.parameter(c.start.Refs[1].Alloc), c.start.Refs[1].Name) {
			if !c.holds(n) {
				out = append(out, d.use(n))
			}
		}
	}
	return &rule.Fix{Title: d.title(), Kind: "pallas.double-buffer", Safety: rule.Unsafe, Edits: append(out, d.names.Edits...)}
}

// bound is the text of the loop's end, and the edit that gives it a name where it is more than a name or a number.
func (d *double) bound(taken map[string]bool) ([]rule.Edit, string) {
	l := d.loop
	text := l.run.Text(l.hi)
	switch x := l.hi.(type) {
	case *parse.Int:
		return nil, text
	case *parse.Name:
		if l.binds(x.ID) {
			return nil, ""
		}
		return nil, text
	}
	name := edit.Free(taken, "steps")
	edits := []rule.Edit{l.run.Replace(l.hi, name)}
	return append(edits, edit.Insert(l.run.Chunk, l.head.Node().Span().Start, name+" = "+text+"\n\n"+d.indent(l.head))), name
}

func (d *double) indent(s *edit.Spot) string { return edit.Indent(s.Chunk, s.Node().Span().Start) }

// before defines the copies, and starts those of the first step.
func (d *double) before(fetch map[*copying]string, hi string) []rule.Edit {
	l, unit := d.loop, d.loop.run.Unit()
	var defs, starts []string
	lo, slot := "0", "0"
	if l.lo != nil {
		lo = l.run.Text(l.lo)
		slot = operand(l.lo, lo) + " % 2"
	}
	if n, ok := literal2(lo); ok {
		slot = strconv.FormatInt(n%2, 10)
	}
	for _, c := range d.copies {
		defs = append(defs, d.define(c, fetch[c])...)
		starts = append(starts, fetch[c]+"("+lo+", "+slot+").start()")
	}
	if n, known := l.steps(); !known || n < 1 {
		starts = d.when(operand(l.lo, lo)+" < "+hi, starts, unit)
	}
	starts = append(starts, "")
	if l.head.Node() == l.run.Node() {
		return []rule.Edit{d.insert(l.run, append(defs, starts...))}
	}
	return []rule.Edit{d.insert(l.head, defs), d.insert(l.run, starts)}
}

func literal2(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}

// operand is the text of an expression as an operand of an operator.
func operand(x parse.Expr, text string) string {
	switch x.(type) {
	case nil, *parse.Int, *parse.Name, *parse.Attr, *parse.Index, *parse.Call:
		return text
	}
	return "(" + text + ")"
}

// when puts statements under a condition.
func (d *double) when(cond string, body []string, unit string) []string {
	out := []string{"if " + cond + ":"}
	if d.loop.traced {
		out = []string{"@" + d.names.Name(pallas, "when") + "(" + cond + ")", "def _():"}
	}
	for _, b := range body {
		out = append(out, unit+b)
	}
	return out
}

// insert puts lines before a statement, each at its indentation.
func (d *double) insert(s *edit.Spot, lines []string) rule.Edit {
	indent := d.indent(s)
	return edit.Insert(s.Chunk, s.Node().Span().Start, join(lines, indent)+"\n"+indent)
}

// join writes lines at an indentation, the first where the indentation is already, empty ones without.
func join(lines []string, indent string) string {
	out := ""
	for i, line := range lines {
		if i > 0 {
			out += "\n"
			if line != "" {
				out += indent
			}
		}
		out += line
	}
	return out
}

// define is the function that makes the copy of one step into one slot.
func (d *double) define(c *copying, name string) []string {
	run, unit := d.loop.run, d.loop.run.Unit()
	out := []string{"def " + name + "(" + d.loop.index + ", " + d.slot + "):"}
	for _, a := range d.sources[c].assigns {
		out = append(out, unit+run.Text(a))
	}
	var args []string
	for _, a := range c.call.Args {
		text := run.Text(a.Value)
		switch a.Value {
		case c.dst:
			text += ".at[" + d.slot + "]"
		case c.sem:
			text = d.semaphore(c)
		}
		if a.Name != "" {
			text = a.Name + "=" + text
		}
		args = append(args, text)
	}
	fn := run.Text(c.call.Func)
	if !strings.HasSuffix(c.start.Desc.Call.API, ".make_async_copy") {
		fn = d.names.Name(tpu, "make_async_copy")
	}
	line := unit + "return " + fn + "(" + strings.Join(args, ", ") + ")"
	if len(d.indent(d.loop.head))+len(line) > 100 {
		sep := "\n" + d.indent(d.loop.head) + unit + unit
		line = unit + "return " + fn + "(" + sep + strings.Join(args, ","+sep) + ",\n" + d.indent(d.loop.head) + unit + ")"
	}
	return append(out, line, "")
}

func (d *double) semaphore(c *copying) string {
	name := c.start.Refs[2].Alloc.Name
	index, some, _ := semText(c.sem, name)
	if !some {
		return name + ".at[" + d.slot + "]"
	}
	return name + ".at[" + d.slot + ", " + parse.Loc{Chunk: d.loop.run.Chunk, Span: index}.Text() + "]"
}

// inside starts the next step's copies where the first was made, and waits for this step's where that was.
func (d *double) inside(fetch map[*copying]string, hi string) []rule.Edit {
	l, unit, i := d.loop, d.loop.run.Unit(), d.loop.index
	indent := edit.Indent(l.run.Chunk, l.body[0].Span().Start)
	first := d.copies[0].stmts[0]
	var starts []string
	for _, c := range d.copies {
		if c.stmts[0].Span().Start < first.Span().Start {
			first = c.stmts[0]
		}
		starts = append(starts, fetch[c]+"("+i+" + 1, 1 - "+d.slot+").start()")
	}
	head := append([]string{d.slot + " = " + i + " % 2", ""}, d.when(i+" + 1 < "+hi, starts, unit)...)
	head = append(head, "")
	var out []rule.Edit
	for _, c := range d.copies {
		last := c.stmts[len(c.stmts)-1]
		for _, s := range c.stmts {
			var text []string
			if s == first {
				text = head
			}
			if s == last {
				text = append(slices.Clone(text), fetch[c]+"("+i+", "+d.slot+").wait()")
			}
			if text == nil {
				out = append(out, lines(l.run.Chunk, s))
				continue
			}
			out = append(out, l.run.Replace(s, join(text, indent)))
		}
	}
	return append(out, d.unused()...)
}

// unused takes out the variables that only the copies used.
func (d *double) unused() (out []rule.Edit) {
	var gone []*parse.Assign
	for _, c := range d.copies {
		for _, a := range d.sources[c].assigns {
			if !slices.Contains(gone, a) {
				gone = append(gone, a)
			}
		}
	}
	for again := true; again; {
		before := len(gone)
		gone = slices.DeleteFunc(gone, func(a *parse.Assign) bool { return d.needed(a, gone) })
		again = len(gone) < before
	}
	for _, a := range gone {
		out = append(out, lines(d.loop.run.Chunk, a))
	}
	return out
}

// needed: the variable is read by more than the copies and the assignments that go with them.
func (d *double) needed(a *parse.Assign, gone []*parse.Assign) bool {
	for _, n := range names(d.loop.outer(), a.Targets[0].(*parse.Name).ID) {
		inCopy := slices.ContainsFunc(d.copies, func(c *copying) bool { return c.holds(n) })
		if !inCopy && !slices.ContainsFunc(gone, func(g *parse.Assign) bool { return g.Span().Start <= n.Span().Start && n.Span().End <= g.Span().End }) {
			return true
		}
	}
	return false
}

// use makes a mention of the buffer one of the slot.
func (d *double) use(n *parse.Name) rule.Edit {
	spot, _ := edit.Find(d.loop.run.File, d.loop.run.Chunk, n)
	index := spot.Up(1)
	if a, ok := index.Node().(*parse.Attr); ok && a.Name == "at" && spot.Up(2) != nil {
		index = spot.Up(2)
	}
	x, ok := index.Node().(*parse.Index)
	if ok && (x.X == parse.Expr(n) || spot.Up(1).Node() == parse.Node(x.X)) {
		loc := parse.Loc{Chunk: d.loop.run.Chunk, Span: x.ItemsSpan}
		if whole(x.Items) {
			return rule.Edit{Loc: loc, New: d.slot}
		}
		if x.Tuple || single(x.Items[0]) {
			return edit.Insert(loc.Chunk, loc.Start, d.slot+", ")
		}
	}
	return edit.Insert(d.loop.run.Chunk, n.Span().End, ".at["+d.slot+"]")
}

// whole: the subscripts are those of all there is.
func whole(items []parse.Expr) bool {
	return !slices.ContainsFunc(items, func(x parse.Expr) bool {
		switch x := x.(type) {
		case *parse.Const:
			return x.Kind != parse.ConstEllipsis
		case *parse.Slice:
			return x.Lo != nil || x.Hi != nil || x.Step != nil
		}
		return true
	})
}

// single: the subscript is certainly no tuple of several.
func single(x parse.Expr) bool {
	switch x.(type) {
	case *parse.Int, *parse.Slice, *parse.Binary:
		return true
	}
	return false
}
