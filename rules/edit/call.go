package edit

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// Holder is the call that the expression at loc is an argument of, and which one.
func Holder(f *parse.File, loc parse.Loc) (call *parse.Call, i int, ok bool) {
	if loc.Chunk == nil {
		return nil, 0, false
	}
	if _, in := f.Base(loc.Chunk); !in {
		return nil, 0, false
	}
	for _, s := range loc.Chunk.Stmts {
		parse.Walk(s, func(n parse.Node) bool {
			c, is := n.(*parse.Call)
			for k := 0; is && k < len(c.Args); k++ {
				if c.Args[k].Value.Span() == loc.Span {
					call, i = c, k
				}
			}
			span := n.Span()
			return call == nil && span.Start <= loc.Start && loc.End <= span.End
		})
	}
	return call, i, call != nil
}

// SetArg passes an argument of a call by name, or writes another value where it is passed. It fails where the call is not written as one.
func SetArg(f *parse.File, c *infer.Call, name, value string) ([]rule.Edit, bool) {
	if a := c.Bound[name]; a != nil {
		_, _, ok := Holder(f, a.Loc)
		return []rule.Edit{{Loc: a.Loc, New: value}}, ok
	}
	if call := Written(f, c); call != nil {
		return AddArgs(c.Loc.Chunk, call, name+"="+value)
	}
	return nil, false
}

// Written is the call expression of a call in the file; nil where there is none, or where it passes on arguments that can't be seen.
func Written(f *parse.File, c *infer.Call) *parse.Call {
	if _, in := f.Base(c.Loc.Chunk); c.Open || c.Loc.Chunk == nil || !in {
		return nil
	}
	if c.Node != nil {
		return c.Node
	}
	for _, a := range c.Args { // a decorator
		if call, _, ok := Holder(f, a.Loc); ok && a.Loc.Chunk == c.Loc.Chunk {
			return call
		}
	}
	return nil
}

// DropArg takes an argument out of the call that passes it: one by name, or the last by position.
func DropArg(f *parse.File, c *infer.Call, name string) ([]rule.Edit, bool) {
	a := c.Bound[name]
	if a == nil {
		return nil, false
	}
	call, i, ok := Holder(f, a.Loc)
	if !ok || call.Args[i].Name != name && i+1 != len(call.Args) || call.Args[i].Star > 0 {
		return nil, false
	}
	return []rule.Edit{RemoveArg(a.Loc.Chunk, call, i)}, true
}

// Around puts text before and after an expression.
func Around(loc parse.Loc, before, after string) []rule.Edit {
	start, end := loc, loc
	start.End, end.Start = loc.Start, loc.End
	return []rule.Edit{{Loc: start, New: before}, {Loc: end, New: after}}
}

// ExprAt is the expression that is written at just that place of the file.
func ExprAt(f *parse.File, loc parse.Loc) (parse.Expr, bool) {
	spot, ok := FindAt(f, loc, func(n parse.Node) bool { _, is := n.(parse.Expr); return is })
	if !ok {
		return nil, false
	}
	x, ok := spot.Node().(parse.Expr)
	return x, ok
}

// NamesAt finds texts for members of modules at a place; nil where the file has none such.
func NamesAt(f *parse.File, loc parse.Loc) *Names {
	spot, ok := FindAt(f, loc, func(parse.Node) bool { return true })
	if !ok {
		return nil
	}
	return &Names{Spot: spot}
}

// Sites are the sites of all runs of the file: what a fix of one of them edits may serve others too.
func Sites(p *rule.Pass) []*infer.Site {
	if p.Facts == nil {
		return p.World.Sites
	}
	var out []*infer.Site
	for _, e := range p.Facts.Entries {
		for _, w := range e.Worlds {
			out = append(out, w.Sites...)
		}
	}
	return out
}

// RemoveLambdaParams takes parameters out of a lambda.
func RemoveLambdaParams(c *parse.Chunk, fn *parse.Lambda, which ...int) []rule.Edit {
	l := commas{chunk: c, open: fn.Span().Start + int32(len("lambda"))}
	for _, p := range fn.Params {
		l.items = append(l.items, p.Span())
	}
	if len(l.items) == 0 {
		return nil
	}
	l.close = l.items[len(l.items)-1].End
	return l.remove(which)
}

// Prepend adds elements at the start of a tuple or list display.
func Prepend(c *parse.Chunk, display parse.Expr, items ...string) ([]rule.Edit, bool) {
	span := display.Span()
	l := commas{chunk: c, open: span.Start + 1, close: span.End - 1}
	switch d := display.(type) {
	case *parse.List:
		l.exprs(d.Elems)
	case *parse.Tuple:
		l.exprs(d.Elems)
		if !d.Parens {
			l.open, l.close = span.Start, span.End
		}
	default:
		return nil, false
	}
	return l.add(0, items), true
}

// RemoveTupleElems takes elements out of a tuple display.
func RemoveTupleElems(c *parse.Chunk, t *parse.Tuple, which ...int) []rule.Edit {
	l := commas{chunk: c, open: t.Span().Start + 1, close: t.Span().End - 1, lone: true}
	if !t.Parens {
		l.open, l.close = t.Span().Start, t.Span().End
	}
	l.exprs(t.Elems)
	return l.remove(which)
}

// FloorDivide writes // for the / of a division.
func FloorDivide(c *parse.Chunk, x parse.Expr, safety rule.Safety) *rule.Fix {
	op, ok := operator(c, x, "/")
	if !ok {
		return nil
	}
	return &rule.Fix{Title: "Divide with //", Safety: safety, Edits: []rule.Edit{{Loc: op, New: "//"}}}
}

// operator is where the operator of a binary expression stands.
func operator(c *parse.Chunk, x parse.Expr, op string) (parse.Loc, bool) {
	b, ok := x.(*parse.Binary)
	if !ok || b.Op != op {
		return parse.Loc{}, false
	}
	between := c.Text[b.L.Span().End:b.R.Span().Start]
	i := strings.Index(between, op)
	if i < 0 || strings.Contains(between, "#") || strings.Count(between, op) != 1 {
		return parse.Loc{}, false
	}
	at := b.L.Span().End + int32(i)
	return parse.Loc{Chunk: c, Span: parse.Span{Start: at, End: at + int32(len(op))}}, true
}

// CeilDivide writes pl.cdiv(a, b) for a // b.
func CeilDivide(f *parse.File, loc parse.Loc) *rule.Fix {
	x, ok := ExprAt(f, loc)
	b, is := x.(*parse.Binary)
	if !ok || !is || b.Op != "//" {
		return nil
	}
	names := NamesAt(f, loc)
	text := func(e parse.Expr) string { return parse.Loc{Chunk: loc.Chunk, Span: e.Span()}.Text() }
	written := names.Name("jax.experimental.pallas", "cdiv")
	return &rule.Fix{Title: "Divide with `" + written + "`", Safety: rule.Unsafe,
		Edits: append(names.Edits, rule.Edit{Loc: loc, New: written + "(" + text(b.L) + ", " + text(b.R) + ")"})}
}
