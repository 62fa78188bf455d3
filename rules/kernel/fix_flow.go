package kernel

import (
	"regexp"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// decide lets the kernel decide where Python can't: a body that only stores goes under pl.when, and and or become & and |.
func decide(p *rule.Pass, f *infer.Fault) *rule.Fix {
	a, ok := first(f).(*infer.Array)
	if !ok || !a.Shape.IsRank(0) {
		return nil
	}
	spot, ok := edit.FindAt(p.File, f.Loc, func(n parse.Node) bool { _, is := n.(parse.Expr); return is })
	if !ok {
		return nil
	}
	top := spot
	for up := top.Up(1); up != nil && isLogic(up.Node()); up = up.Up(1) {
		top = up
	}
	parent := top.Up(1)
	if parent == nil {
		return nil
	}
	cond, edits, ok := combined(spot, top.Node())
	if !ok {
		return nil
	}
	if st, is := parent.Node().(*parse.If); is && st.Cond == top.Node().(parse.Expr) {
		return whenFor(p, parent, st, cond)
	}
	return edit.Fix(len(edits) > 0, "Combine with `&` and `|`", rule.Safe, edits)
}

func isLogic(n parse.Node) bool {
	switch n := n.(type) {
	case *parse.BoolOp:
		return true
	case *parse.Unary:
		return n.Op == "not"
	}
	return false
}

// combined writes a condition with & and | for and, or. Their operands must be comparisons, which are booleans on whatever they compare.
func combined(spot *edit.Spot, n parse.Node) (text string, edits []rule.Edit, ok bool) {
	if !isLogic(n) {
		return spot.Text(n), nil, true
	}
	if u, not := n.(*parse.Unary); not {
		if _, compares := u.X.(*parse.Compare); !compares {
			return "", nil, false
		}
		names := &edit.Names{Spot: spot}
		text = names.Name("jax.numpy", "logical_not") + "(" + spot.Text(u.X) + ")"
		return text, append(names.Edits, spot.Replace(n, text)), len(names.Edits) == 0
	}
	var write func(parse.Expr) (string, bool)
	write = func(x parse.Expr) (string, bool) {
		switch x := x.(type) {
		case *parse.BoolOp:
			l, ok1 := write(x.L)
			r, ok2 := write(x.R)
			op := map[string]string{"and": " & ", "or": " | "}[x.Op]
			if inner, nested := x.L.(*parse.BoolOp); nested && inner.Op == "or" && x.Op == "and" {
				l = "(" + l + ")"
			}
			if inner, nested := x.R.(*parse.BoolOp); nested && inner.Op == "or" && x.Op == "and" {
				r = "(" + r + ")"
			}
			return l + op + r, ok1 && ok2
		case *parse.Compare:
			return "(" + spot.Text(x) + ")", len(x.Ops) == 1
		}
		return "", false
	}
	text, ok = write(n.(parse.Expr))
	return text, []rule.Edit{spot.Replace(n, text)}, ok && !strings.Contains(text, "#")
}

var elseLine = regexp.MustCompile(`(?m)^[ \t]*(else)[ \t]*:`)

// whenFor puts the body of an if under pl.when.
func whenFor(p *rule.Pass, spot *edit.Spot, st *parse.If, cond string) *rule.Fix {
	c, fn := spot.Chunk, funcOf(spot)
	text := c.Text
	colon := headEnd(text, st.Cond.Span().End, st.Then)
	if fn == nil || colon < 0 || strings.HasPrefix(spot.Text(st), "elif") || !spot.OwnLine() || strings.Contains(cond, "\n") {
		return nil
	}
	if !onlyStores(fn, st, st.Then) || len(st.Else) > 0 && !onlyStores(fn, st, st.Else) {
		return nil
	}
	names := &edit.Names{Spot: spot}
	when := names.Name(pallas, "when")
	indent := edit.Indent(c, st.Span().Start)
	head := func(cond string) string { return "@" + when + "(" + cond + ")\n" + indent + "def _():" }
	edits := []rule.Edit{{Loc: parse.Loc{Chunk: c, Span: parse.Span{Start: st.Span().Start, End: colon + 1}}, New: head(cond)}}
	if len(st.Else) > 0 {
		from, to := st.Then[len(st.Then)-1].Span().End, st.Else[0].Span().Start
		m := elseLine.FindStringSubmatchIndex(text[from:to])
		if m == nil {
			return nil
		}
		span := parse.Span{Start: from + int32(m[2]), End: from + int32(m[1])}
		edits = append(edits, rule.Edit{Loc: parse.Loc{Chunk: c, Span: span}, New: head(names.Name("jax.numpy", "logical_not") + "(" + cond + ")")})
	}
	return edit.Fix(true, "Put the body under `"+when+"`", rule.Unsafe, append(edits, names.Edits...))
}

// headEnd is the colon between the head of a compound statement and its body; -1 where something else stands there too.
func headEnd(text string, from int32, body []parse.Stmt) int32 {
	if len(body) == 0 || body[0].Span().Start < from {
		return -1
	}
	between := text[from:body[0].Span().Start]
	i := strings.IndexByte(between, ':')
	if i < 0 || strings.Trim(between[:i], " \t)") != "" || strings.Contains(between[:i], "\n") {
		return -1
	}
	return from + int32(i)
}

func funcOf(spot *edit.Spot) *parse.FuncDef {
	fs := spot.Funcs()
	if len(fs) == 0 {
		return nil
	}
	def, _ := fs[0].(*parse.FuncDef)
	return def
}

// onlyStores: statements that can be a function of their own: they leave nothing behind but what they store, and don't jump out.
func onlyStores(fn *parse.FuncDef, at parse.Stmt, body []parse.Stmt) bool {
	ok := true
	for _, s := range body {
		parse.Walk(s, func(n parse.Node) bool {
			switch n := n.(type) {
			case *parse.Return, *parse.Yield, *parse.Await, *parse.Global, *parse.Delete, *parse.With, *parse.Match, *parse.Try, *parse.Import, *parse.ImportFrom, *parse.UnknownStmt:
				ok = false
			case *parse.Simple:
				ok = ok && n.Kind == parse.Pass
			case *parse.FuncDef:
				for _, d := range n.Decorators {
					ok = ok && d != nil
				}
				return false
			}
			return true
		})
	}
	if !ok {
		return false
	}
	for _, s := range body {
		for _, name := range edit.Binds(s) {
			if name != "_" && mentionedOutside(fn, at, name) {
				return false
			}
		}
	}
	return true
}

func mentionedOutside(fn *parse.FuncDef, at parse.Stmt, name string) bool {
	found := false
	for _, q := range fn.Params {
		found = found || q.Name == name
	}
	for _, s := range fn.Body {
		parse.Walk(s, func(n parse.Node) bool {
			if n == parse.Node(at) {
				return false
			}
			if x, is := n.(*parse.Name); is && x.ID == name {
				found = true
			}
			return !found
		})
	}
	return found
}

// loopFor makes a loop of the kernel's of a Python loop over a range.
func loopFor(p *rule.Pass, f *infer.Fault) *rule.Fix {
	spot, ok := edit.FindAt(p.File, f.Loc, func(n parse.Node) bool { _, is := n.(*parse.Call); return is })
	if !ok || spot.Up(1) == nil {
		return nil
	}
	call := spot.Node().(*parse.Call)
	up := spot.Up(1)
	st, ok := up.Node().(*parse.For)
	fn := funcOf(spot)
	if !ok || st.Iter != parse.Expr(call) || fn == nil || st.Async || len(st.Else) > 0 || len(call.Args) == 0 || len(call.Args) > 2 || !up.OwnLine() {
		return nil
	}
	target, named := st.Target.(*parse.Name)
	colon := headEnd(spot.Chunk.Text, call.Span().End, st.Body)
	if !named || colon < 0 || !onlyStores(fn, st, st.Body) || target.ID != "_" && mentionedOutside(fn, st, target.ID) {
		return nil
	}
	names := &edit.Names{Spot: spot}
	loop := names.Name(pallas, "loop")
	bounds := spot.Text(call.Args[0].Value)
	if len(call.Args) == 1 {
		bounds = "0, " + bounds
	} else {
		bounds += ", " + spot.Text(call.Args[1].Value)
	}
	head := "@" + loop + "(" + bounds + ")\n" + edit.Indent(spot.Chunk, st.Span().Start) + "def _(" + target.ID + "):"
	span := parse.Span{Start: st.Span().Start, End: colon + 1}
	return edit.Fix(true, "Loop with `"+loop+"`", rule.Unsafe, append(names.Edits, rule.Edit{Loc: parse.Loc{Chunk: spot.Chunk, Span: span}, New: head}))
}

// convert writes .astype(...) for a conversion by Python's int or float.
func convert(p *rule.Pass, f *infer.Fault) *rule.Fix {
	x, _ := edit.ExprAt(p.File, f.Loc)
	call, ok := x.(*parse.Call)
	names := edit.NamesAt(p.File, f.Loc)
	member := map[string]string{"int": "int32", "float": "float32"}[f.Detail]
	if !ok || member == "" || len(call.Args) != 1 || names == nil {
		return nil
	}
	if fn, named := call.Func.(*parse.Name); !named || fn.ID != f.Detail {
		return nil
	}
	arg := call.Args[0].Value
	text := locOf(f.Loc.Chunk, arg).Text()
	switch arg.(type) {
	case *parse.Name, *parse.Call, *parse.Attr, *parse.Index:
	default:
		text = "(" + text + ")"
	}
	dtype := names.Name("jax.numpy", member)
	return edit.Fix(true, "Convert to `"+dtype+"`", rule.Unsafe, append(names.Edits, rule.Edit{Loc: f.Loc, New: text + ".astype(" + dtype + ")"}))
}

// anyOf makes one truth value of an array of them.
func anyOf(p *rule.Pass, loc parse.Loc) *rule.Fix {
	names := edit.NamesAt(p.File, loc)
	if _, ok := edit.ExprAt(p.File, loc); !ok || names == nil {
		return nil
	}
	text := names.Name("jax.numpy", "any")
	return edit.Fix(true, "Ask whether any is true, with `"+text+"`", rule.Unsafe, append(names.Edits, edit.Around(loc, text+"(", ")")...))
}
