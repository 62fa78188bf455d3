package parse

import (
	"slices"
	"strings"
)

// The grammar takes statements that Python's compiler refuses: a default before a parameter without one, a value given to a literal, a
// return outside of a function. They are syntax errors like any other, so they are put into an UnknownStmt: what they say is a guess.

// around is what a statement stands in.
type around struct {
	function, async bool // the innermost function, if no class is inside of it
	class, loop     bool
}

// refuser looks through one chunk.
type refuser struct {
	text  string
	found bool
}

// refuse wraps the statements that Python refuses, in place, and reports whether there are any.
func refuse(text string, stmts []Stmt) bool {
	r := &refuser{text: text}
	r.block(stmts, around{})
	return r.found
}

func (r *refuser) block(stmts []Stmt, in around) {
	for i, s := range stmts {
		if r.refuses(s, in) {
			stmts[i] = &UnknownStmt{stmtNode: stmtAt(s.Span()), Body: []Stmt{s}}
			r.found = true
		}
		r.inside(s, in)
	}
}

// inside looks at the statements that a statement holds.
func (r *refuser) inside(s Stmt, in around) {
	loop := in
	loop.loop = true
	switch s := s.(type) {
	case *FuncDef:
		r.block(s.Body, around{function: true, async: s.Async})
	case *ClassDef:
		r.block(s.Body, around{class: true})
	case *If:
		r.block(s.Then, in)
		r.block(s.Else, in)
	case *For:
		r.block(s.Body, loop)
		r.block(s.Else, in)
	case *While:
		r.block(s.Body, loop)
		r.block(s.Else, in)
	case *With:
		r.block(s.Body, in)
	case *Try:
		r.block(s.Body, in)
		for _, h := range s.Handlers {
			r.block(h.Body, in)
		}
		r.block(s.Else, in)
		r.block(s.Finally, in)
	case *Match:
		for _, c := range s.Cases {
			r.block(c.Body, in)
		}
	}
}

// refuses reports whether Python refuses a statement for what it is itself, whatever the statements are that it holds.
func (r *refuser) refuses(s Stmt, in around) bool {
	return r.misplaced(s, in) || hollow(s) || r.misassigned(s) || r.misread(s, in)
}

// misplaced: the statement may not stand here, or not with these parts.
func (r *refuser) misplaced(s Stmt, in around) bool {
	switch s := s.(type) {
	case *Return:
		return !in.function
	case *Simple:
		return s.Kind != Pass && !in.loop
	case *Global:
		return s.Nonlocal && !in.function && !in.class
	case *ImportFrom:
		return (in.function || in.class) && len(s.Names) == 1 && s.Names[0].Name == "*" || strings.HasSuffix(r.text[:s.span.End], ",")
	case *Raise:
		t, ok := s.X.(*Tuple)
		return ok && !t.Parens
	case *For:
		return s.Async && in.function && !in.async
	case *With:
		return s.Async && in.function && !in.async
	case *FuncDef:
		return s.Misfit || redeclares(s)
	case *Try:
		return !handled(s)
	case *Match:
		return slices.ContainsFunc(s.Cases[:max(0, len(s.Cases)-1)], func(c MatchCase) bool { return c.Guard == nil && takesAll(c.Pattern) })
	}
	return false
}

// hollow: a compound statement whose body is not typed yet.
func hollow(s Stmt) bool {
	switch s := s.(type) {
	case *FuncDef:
		return len(s.Body) == 0
	case *ClassDef:
		return len(s.Body) == 0
	case *If:
		return len(s.Then) == 0
	case *For:
		return len(s.Body) == 0
	case *While:
		return len(s.Body) == 0
	case *With:
		return len(s.Body) == 0
	}
	return false
}

// redeclares: a parameter is declared global or nonlocal.
func redeclares(f *FuncDef) (found bool) {
	for _, s := range f.Body {
		Walk(s, func(n Node) bool {
			switch n := n.(type) {
			case *FuncDef, *ClassDef, Expr:
				return false
			case *Global:
				found = found || slices.ContainsFunc(f.Params, func(p *Param) bool { return slices.Contains(n.Names, p.Name) })
			}
			return !found
		})
	}
	return found
}

// handled: a try has what it is for, and its bare except stands last. One whose end is not typed yet was told apart before.
func handled(s *Try) bool {
	for i, h := range s.Handlers {
		if h.Type == nil && i < len(s.Handlers)-1 {
			return false
		}
	}
	return len(s.Handlers) > 0 || len(s.Finally) > 0 && len(s.Else) == 0
}

// takesAll: no value gets past the pattern.
func takesAll(p Pattern) bool {
	switch p := p.(type) {
	case *PatternCapture:
		return true
	case *PatternAs:
		return p.Pattern == nil || takesAll(p.Pattern)
	}
	return false
}

// misassigned: something is bound or deleted that can't be.
func (r *refuser) misassigned(s Stmt) bool {
	switch s := s.(type) {
	case *Assign:
		return slices.ContainsFunc(s.Targets, func(x Expr) bool { return !bindable(x, true) })
	case *AugAssign:
		return !single(s.Target)
	case *AnnAssign:
		return !single(s.Target)
	case *For:
		return !bindable(s.Target, true)
	case *With:
		return slices.ContainsFunc(s.Items, func(it WithItem) bool { return it.Target != nil && !bindable(it.Target, true) })
	case *Delete:
		return slices.ContainsFunc(s.Targets, func(x Expr) bool { return !bindable(x, false) })
	}
	return false
}

// single: a target that is one thing.
func single(x Expr) bool {
	switch x := x.(type) {
	case *Name:
		return x.ID != "__debug__"
	case *Attr, *Index, *UnknownExpr:
		return true
	}
	return false
}

// bindable: a target, of which parts may be starred if stars.
func bindable(x Expr, stars bool) bool {
	var elems []Expr
	switch x := x.(type) {
	case *Tuple:
		elems = x.Elems
	case *List:
		elems = x.Elems
	default:
		return single(x)
	}
	starred := 0
	for _, e := range elems {
		if s, ok := e.(*Starred); ok {
			starred++
			e = s.X
		}
		if !bindable(e, stars) {
			return false
		}
	}
	return starred == 0 || starred == 1 && stars
}

// misread: there is an expression in the statement, not in those that it holds, that Python refuses here.
func (r *refuser) misread(s Stmt, in around) bool {
	switch s := s.(type) {
	case *ClassDef:
		if misgiven(s.Bases) {
			return true
		}
	case *ExprStmt:
		if r.bare(s.X) {
			return true
		}
	case *Assign:
		if r.bare(s.Value) {
			return true
		}
	}
	e := &exprRefuser{refuser: r, in: in}
	Walk(s, func(n Node) bool {
		if inner, isStmt := n.(Stmt); isStmt && inner != s || e.bad {
			return false
		}
		return e.visit(n)
	})
	return e.bad
}

// bare: x := 1 without parentheses.
func (r *refuser) bare(x Expr) bool {
	w, ok := x.(*Walrus)
	return ok && !strings.HasSuffix(strings.TrimRight(r.text[:w.span.Start], " \t\r\n\\"), "(")
}

// exprRefuser looks at expressions.
type exprRefuser struct {
	*refuser
	in    around
	stars map[Node]bool // starred expressions that may stand where they do
	bad   bool
}

// visit reports whether to go on below n.
func (e *exprRefuser) visit(n Node) bool {
	switch n := n.(type) {
	case *Tuple:
		e.allow(n.Elems)
		e.bad = e.bad || n.Parens && len(n.Elems) == 1 && e.lone(n)
	case *List:
		e.allow(n.Elems)
	case *Set:
		e.allow(n.Elems)
	case *Index:
		e.allow(n.Items)
	case *Param:
		if n.Kind == VarArgs && n.Ann != nil { // *args: *Ts
			e.allow([]Expr{n.Ann})
		}
	case *Starred:
		e.bad = e.bad || !e.stars[n]
	case *Call:
		e.bad = e.bad || misgiven(n.Args) || slices.ContainsFunc(n.Args, func(a Arg) bool { return a.Name != "" && e.bare(a.Value) })
	case *Compare:
		e.bad = e.bad || slices.Contains(n.Ops, "<>")
	case *Await:
		e.bad = e.bad || e.in.function && !e.in.async
	case *Yield:
		e.bad = e.bad || !e.in.function || e.in.async && n.From
	case *Comp:
		e.comp(n)
	case *Lambda:
		e.lambda(n)
		return false
	}
	return !e.bad
}

func (e *exprRefuser) allow(list []Expr) {
	for _, x := range list {
		if _, ok := x.(*Starred); !ok {
			continue
		}
		if e.stars == nil {
			e.stars = map[Node]bool{}
		}
		e.stars[x] = true
	}
}

// lone: a starred expression in parentheses that no comma makes a tuple.
func (e *exprRefuser) lone(t *Tuple) bool {
	s, ok := t.Elems[0].(*Starred)
	return ok && !strings.Contains(e.text[s.span.End:max(s.span.End, t.span.End)], ",")
}

func (e *exprRefuser) comp(c *Comp) {
	for _, cl := range c.Clauses {
		several, ok := cl.Iter.(*Tuple)
		if cl.Target != nil && !bindable(cl.Target, true) || ok && !several.Parens || cl.Async && c.Kind != CompGenerator && e.in.function && !e.in.async {
			e.bad = true
		}
	}
}

// lambda looks at what is in a lambda, which is a function of its own.
func (e *exprRefuser) lambda(x *Lambda) {
	if x.Misfit {
		e.bad = true
		return
	}
	inner := &exprRefuser{refuser: e.refuser, in: around{function: true}}
	visit := func(n Node) bool { return !inner.bad && inner.visit(n) }
	for _, p := range x.Params {
		Walk(p, visit)
	}
	if x.Body != nil {
		Walk(x.Body, visit)
	}
	e.bad = e.bad || inner.bad
}

// misgiven: arguments in an order that Python does not take, or one name twice.
func misgiven(args []Arg) bool {
	named, mapped := false, false
	for i, a := range args {
		switch {
		case a.Star == 2:
			mapped = true
		case a.Star == 1 && mapped, a.Star == 0 && a.Name == "" && (named || mapped):
			return true
		case a.Name != "":
			if !isName(a.Name) || slices.ContainsFunc(args[:i], func(b Arg) bool { return b.Name == a.Name }) {
				return true
			}
			named = true
		}
	}
	return false
}

// isName reports whether text can be the name of an argument.
func isName(text string) bool {
	return !isKeyword(text) && text != "__debug__" && strings.IndexFunc(text, func(c rune) bool { return c < 0x80 && !isIdentByte(byte(c)) }) < 0
}
