package edit

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
)

// RemoveElems takes elements out of a list or tuple display; an argument of a call whose display would be empty goes as a whole.
func RemoveElems(display *Spot, which ...int) []rule.Edit {
	l := commas{chunk: display.Chunk, open: display.Node().Span().Start + 1, close: display.Node().Span().End - 1}
	switch d := display.Node().(type) {
	case *parse.List:
		l.exprs(d.Elems)
	case *parse.Tuple:
		l.exprs(d.Elems)
		l.lone = true
		if !d.Parens {
			l.open, l.close = display.Node().Span().Start, display.Node().Span().End
		}
	}
	if len(which) == len(l.items) {
		if call, i := argument(display); call != nil {
			return []rule.Edit{RemoveArg(display.Chunk, call, i)}
		}
	}
	return l.remove(which)
}

// argument is the call that an expression is an argument of.
func argument(s *Spot) (*parse.Call, int) {
	for up := 1; up <= 2 && s.Up(up) != nil; up++ {
		if call, ok := s.Up(up).Node().(*parse.Call); ok {
			for i, a := range call.Args {
				if a.Value == s.Node() && a.Name != "" {
					return call, i
				}
			}
		}
	}
	return nil, 0
}

// RemoveParams takes parameters out of a function.
func RemoveParams(c *parse.Chunk, fn *parse.FuncDef, which ...int) []rule.Edit {
	l := commas{chunk: c, open: fn.ParamsSpan.Start + 1, close: fn.ParamsSpan.End - 1}
	for _, p := range fn.Params {
		l.items = append(l.items, p.Span())
	}
	return l.remove(which)
}

// remove deletes items with the commas that go with them.
func (l *commas) remove(which []int) (out []rule.Edit) {
	if len(which) == len(l.items) {
		return []rule.Edit{{Loc: parse.Loc{Chunk: l.chunk, Span: parse.Span{Start: l.open, End: l.close}}}}
	}
	if l.lone && len(which)+1 == len(l.items) {
		return []rule.Edit{{Loc: parse.Loc{Chunk: l.chunk, Span: parse.Span{Start: l.open, End: l.close}}, New: l.kept(which) + ","}}
	}
	for i := 0; i < len(l.items); i++ {
		if !slices.Contains(which, i) {
			continue
		}
		from := i
		for i+1 < len(l.items) && slices.Contains(which, i+1) {
			i++
		}
		span := parse.Span{Start: l.items[from].Start}
		if i+1 < len(l.items) {
			span.End = l.items[i+1].Start
		} else {
			span = parse.Span{Start: l.items[from-1].End, End: l.items[i].End}
		}
		out = append(out, rule.Edit{Loc: parse.Loc{Chunk: l.chunk, Span: span}})
	}
	return out
}

// kept is the text of the first item that stays.
func (l *commas) kept(which []int) string {
	for i, span := range l.items {
		if !slices.Contains(which, i) {
			return parse.Loc{Chunk: l.chunk, Span: span}.Text()
		}
	}
	return ""
}

// RemoveItems takes subscripts out of an index.
func RemoveItems(c *parse.Chunk, x *parse.Index, which ...int) []rule.Edit {
	l := commas{chunk: c, open: x.ItemsSpan.Start, close: x.ItemsSpan.End}
	l.exprs(x.Items)
	return l.remove(which)
}
