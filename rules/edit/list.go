package edit

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
)

// commas is a bracketed, comma-separated list in the source.
type commas struct {
	chunk       *parse.Chunk
	open, close int32 // after the opening bracket, at the closing one
	items       []parse.Span
	lone        bool // one element needs a comma (a tuple)
}

// Extend adds elements at the end of a list, tuple, set or dict display, laid out as those that are there.
func Extend(c *parse.Chunk, display parse.Expr, items ...string) ([]rule.Edit, bool) {
	span := display.Span()
	l := commas{chunk: c, open: span.Start + 1, close: span.End - 1}
	switch d := display.(type) {
	case *parse.List:
		l.exprs(d.Elems)
	case *parse.Set:
		l.exprs(d.Elems)
	case *parse.Tuple:
		l.exprs(d.Elems)
		l.lone = true
		if !d.Parens {
			l.open, l.close = span.Start, span.End
		}
	case *parse.Dict:
		for _, it := range d.Items {
			l.items = append(l.items, parse.Span{Start: it.Value.Span().Start, End: it.Value.Span().End})
			if it.Key != nil {
				l.items[len(l.items)-1].Start = it.Key.Span().Start
			}
		}
	default:
		return nil, false
	}
	return l.add(len(l.items), items), true
}

func (l *commas) exprs(xs []parse.Expr) {
	for _, x := range xs {
		l.items = append(l.items, x.Span())
	}
}

// AddArgs adds arguments (`name=value` or values) at the end of a call.
func AddArgs(c *parse.Chunk, call *parse.Call, args ...string) ([]rule.Edit, bool) {
	l := commas{chunk: c, open: call.ArgsSpan.Start + 1, close: call.ArgsSpan.End - 1}
	for i := range call.Args {
		l.items = append(l.items, call.Args[i].Span())
	}
	if len(call.Args) == 1 {
		if g, ok := call.Args[0].Value.(*parse.Comp); ok && g.Kind == parse.CompGenerator {
			return nil, false
		}
	}
	return l.add(len(l.items), args), true
}

// AddParams adds parameters to a function so that the first of them becomes the i-th.
func AddParams(c *parse.Chunk, fn *parse.FuncDef, i int, names ...string) []rule.Edit {
	l := commas{chunk: c, open: fn.ParamsSpan.Start + 1, close: fn.ParamsSpan.End - 1}
	for _, p := range fn.Params {
		l.items = append(l.items, p.Span())
	}
	return l.add(i, names)
}

// AddLambdaParams does the same for a lambda.
func AddLambdaParams(c *parse.Chunk, fn *parse.Lambda, i int, names ...string) []rule.Edit {
	text := strings.Join(names, ", ")
	switch {
	case len(fn.Params) == 0:
		return []rule.Edit{Insert(c, fn.Span().Start+int32(len("lambda")), " "+text)}
	case i == 0:
		return []rule.Edit{Insert(c, fn.Params[0].Span().Start, text+", ")}
	}
	return []rule.Edit{Insert(c, fn.Params[i-1].Span().End, ", "+text)}
}

// add puts items after the first n.
func (l *commas) add(n int, items []string) []rule.Edit {
	text := l.chunk.Text
	switch {
	case len(l.items) == 0:
		s := strings.Join(items, ", ")
		if l.lone && len(items) == 1 {
			s += ","
		}
		if strings.TrimSpace(text[l.open:l.close]) != "" { // a comment, or the * or / of a parameter list
			return []rule.Edit{Insert(l.chunk, l.open, s+", ")}
		}
		return []rule.Edit{{Loc: parse.Loc{Chunk: l.chunk, Span: parse.Span{Start: l.open, End: l.close}}, New: s}}
	case n == 0:
		return []rule.Edit{Insert(l.chunk, l.open, strings.Join(items, ", ")+", ")}
	}
	last := l.items[n-1]
	end, comma := l.endOf(last.End)
	if l.ownLine(n - 1) {
		return l.addLines(last, end, comma, items)
	}
	if l.lone && len(l.items) == 1 && comma >= 0 { // (a,) becomes (a, b)
		return []rule.Edit{{Loc: parse.Loc{Chunk: l.chunk, Span: parse.Span{Start: end, End: comma + 1}}, New: ", " + strings.Join(items, ", ")}}
	}
	return []rule.Edit{Insert(l.chunk, end, ", "+strings.Join(items, ", "))}
}

// endOf finds the end of an element, with the parentheses that its node leaves out, and the comma after it (-1: none).
func (l *commas) endOf(at int32) (end, comma int32) {
	text := l.chunk.Text
	end = at
	for i := at; i < l.close; i++ {
		switch text[i] {
		case ')':
			end = i + 1
		case ',':
			return end, i
		case '#':
			i = lineEnd(text, i) - 1
		}
	}
	return end, -1
}

// ownLine: the element has its lines for itself, so that a new one gets a line too.
func (l *commas) ownLine(i int) bool {
	text := l.chunk.Text
	end, comma := l.endOf(l.items[i].End)
	if comma >= 0 {
		end = comma + 1
	}
	rest := strings.TrimSpace(text[end:lineEnd(text, end)])
	return startsLine(l.chunk, l.items[i].Start) && (rest == "" || rest[0] == '#' || l.close < lineEnd(text, end) && strings.TrimSpace(text[end:l.close]) == "")
}

func (l *commas) addLines(last parse.Span, end, comma int32, items []string) []rule.Edit {
	text := l.chunk.Text
	indent := "\n" + Indent(l.chunk, last.Start)
	if comma < 0 {
		line := lineEnd(text, end)
		if line > l.close || strings.TrimSpace(text[end:line]) == "" {
			return []rule.Edit{Insert(l.chunk, end, ","+indent+strings.Join(items, ","+indent))}
		}
		return []rule.Edit{Insert(l.chunk, end, ","), Insert(l.chunk, line, indent+strings.Join(items, ","+indent))}
	}
	at := min(lineEnd(text, comma), l.close)
	return []rule.Edit{Insert(l.chunk, at, indent+strings.Join(items, ","+indent)+",")}
}

// RemoveArg takes the i-th argument out of a call, with the comma that goes with it.
func RemoveArg(c *parse.Chunk, call *parse.Call, i int) rule.Edit {
	l := commas{chunk: c, open: call.ArgsSpan.Start + 1, close: call.ArgsSpan.End - 1}
	for k := range call.Args {
		l.items = append(l.items, call.Args[k].Span())
	}
	span := l.items[i]
	end, comma := l.endOf(span.End)
	switch {
	case i > 0:
		prev, _ := l.endOf(l.items[i-1].End)
		span = parse.Span{Start: prev, End: end}
	case i+1 < len(l.items):
		span.End = l.items[i+1].Start
	case comma >= 0:
		span.End = comma + 1
	default:
		span.End = end
	}
	return rule.Edit{Loc: parse.Loc{Chunk: c, Span: span}}
}
