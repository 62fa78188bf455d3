package parse

import (
	"fmt"
	"sort"
	"strings"
)

// A compact printer of the syntax tree for the tests.

func sexpr(stmts []Stmt) string {
	var out []string
	for _, s := range stmts {
		out = append(out, sexprStmt(s))
	}
	return strings.Join(out, " ")
}

func list(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return "(" + strings.Join(kept, " ") + ")"
}

func group(name string, stmts []Stmt) string {
	if len(stmts) == 0 {
		return ""
	}
	return list(name, sexpr(stmts))
}

func async(b bool) string {
	if b {
		return "async"
	}
	return ""
}

func opt(name string, x Expr) string {
	if x == nil {
		return ""
	}
	return name + ":" + sexprExpr(x)
}

func exprList(xs []Expr) string {
	var out []string
	for _, x := range xs {
		out = append(out, sexprExpr(x))
	}
	return strings.Join(out, " ")
}

func sexprStmt(s Stmt) string {
	switch s := s.(type) {
	case *ExprStmt:
		return sexprExpr(s.X)
	case *Assign:
		return list("=", exprList(s.Targets), sexprExpr(s.Value))
	case *AugAssign:
		return list(s.Op+"=", sexprExpr(s.Target), sexprExpr(s.Value))
	case *AnnAssign:
		return list("ann", sexprExpr(s.Target), sexprExpr(s.Ann), opt("value", s.Value))
	case *FuncDef:
		return list(async(s.Async), "def", s.Name, brackets(s.TypeParams), sexprParams(s.Params), opt("->", s.Returns), decorators(s.Decorators), sexpr(s.Body))
	case *ClassDef:
		return list("class", s.Name, brackets(s.TypeParams), "["+sexprArgs(s.Bases)+"]", decorators(s.Decorators), sexpr(s.Body))
	case *Return:
		return list("return", maybe(s.X))
	case *If:
		return list("if", sexprExpr(s.Cond), group("then", s.Then), group("else", s.Else))
	case *For:
		return list(async(s.Async), "for", sexprExpr(s.Target), sexprExpr(s.Iter), group("do", s.Body), group("else", s.Else))
	case *While:
		return list("while", sexprExpr(s.Cond), group("do", s.Body), group("else", s.Else))
	case *With:
		var items []string
		for _, i := range s.Items {
			items = append(items, list(sexprExpr(i.Context), opt("as", i.Target)))
		}
		return list(async(s.Async), "with", strings.Join(items, " "), group("do", s.Body))
	case *Try:
		out := []string{"try", group("do", s.Body)}
		for _, h := range s.Handlers {
			out = append(out, list("except", maybe(h.Type), h.Name, group("do", h.Body)))
		}
		return list(append(out, group("else", s.Else), group("finally", s.Finally))...)
	case *Import:
		return list("import", aliasList(s.Names))
	case *ImportFrom:
		return list("from", strings.Repeat(".", s.Level)+s.Module, aliasList(s.Names))
	case *Raise:
		return list("raise", maybe(s.X), opt("from", s.Cause))
	case *Assert:
		return list("assert", sexprExpr(s.Cond), maybe(s.Msg))
	case *Delete:
		return list("del", exprList(s.Targets))
	case *Global:
		if s.Nonlocal {
			return list("nonlocal", strings.Join(s.Names, " "))
		}
		return list("global", strings.Join(s.Names, " "))
	case *Simple:
		return [...]string{"pass", "break", "continue"}[s.Kind]
	case *Match:
		out := []string{"match", sexprExpr(s.Subject)}
		for _, c := range s.Cases {
			out = append(out, list("case", sexprPattern(c.Pattern), opt("if", c.Guard), group("do", c.Body)))
		}
		return list(out...)
	case *TypeAlias:
		return list("type", s.Name, brackets(s.TypeParams), sexprExpr(s.Value))
	case *UnknownStmt:
		return list("?stmt", sexpr(s.Body))
	}
	return fmt.Sprintf("<%T>", s)
}

func brackets(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "<" + strings.Join(names, " ") + ">"
}

func decorators(xs []Expr) string {
	var out []string
	for _, x := range xs {
		out = append(out, "@"+sexprExpr(x))
	}
	return strings.Join(out, " ")
}

func aliasList(names []Alias) string {
	var out []string
	for _, a := range names {
		s := a.Name
		if a.As != "" {
			s += ":" + a.As
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func maybe(x Expr) string {
	if x == nil {
		return ""
	}
	return sexprExpr(x)
}

func sexprParams(params []*Param) string {
	var out []string
	for _, p := range params {
		s := [...]string{"/", "", "*", "kw ", "**"}[p.Kind] + p.Name
		if p.Ann != nil {
			s += ":" + sexprExpr(p.Ann)
		}
		if p.Default != nil {
			s += "=" + sexprExpr(p.Default)
		}
		out = append(out, s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func sexprArgs(args []Arg) string {
	var out []string
	for _, a := range args {
		s := strings.Repeat("*", a.Star) + sexprExpr(a.Value)
		if a.Name != "" {
			s = a.Name + "=" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func sexprExpr(x Expr) string {
	switch x := x.(type) {
	case nil:
		return "<nil>"
	case *Name:
		return x.ID
	case *Const:
		return [...]string{"None", "True", "False", "..."}[x.Kind]
	case *Int:
		if x.Big {
			return "big"
		}
		return fmt.Sprint(x.Value)
	case *Float:
		if x.Imaginary {
			return fmt.Sprintf("%gj", x.Value)
		}
		return fmt.Sprintf("%gf", x.Value)
	case *Str:
		switch {
		case x.F:
			return list("f", exprList(x.Parts))
		case x.Bytes:
			return fmt.Sprintf("b%q", x.Value)
		}
		return fmt.Sprintf("%q", x.Value)
	case *Attr:
		return list(".", sexprExpr(x.X), x.Name)
	case *Call:
		return list("call", sexprExpr(x.Func), sexprArgs(x.Args))
	case *Index:
		name := "index"
		if x.Tuple {
			name = "index,"
		}
		return list(name, sexprExpr(x.X), exprList(x.Items))
	case *Slice:
		return list(":", part(x.Lo), part(x.Hi), part(x.Step))
	case *Tuple:
		if x.Parens {
			return list("tuple()", exprList(x.Elems))
		}
		return list("tuple", exprList(x.Elems))
	case *List:
		return list("list", exprList(x.Elems))
	case *Set:
		return list("set", exprList(x.Elems))
	case *Dict:
		var out []string
		for _, i := range x.Items {
			if i.Key == nil {
				out = append(out, "**"+sexprExpr(i.Value))
			} else {
				out = append(out, sexprExpr(i.Key)+":"+sexprExpr(i.Value))
			}
		}
		return list("dict", strings.Join(out, " "))
	case *Binary:
		return list(x.Op, sexprExpr(x.L), sexprExpr(x.R))
	case *BoolOp:
		return list(x.Op, sexprExpr(x.L), sexprExpr(x.R))
	case *Unary:
		return list(x.Op, sexprExpr(x.X))
	case *Compare:
		out := []string{"cmp", sexprExpr(x.First)}
		for i, op := range x.Ops {
			out = append(out, op, sexprExpr(x.Rest[i]))
		}
		return list(out...)
	case *Lambda:
		return list("lambda", sexprParams(x.Params), sexprExpr(x.Body))
	case *IfExp:
		return list("ifexp", sexprExpr(x.Cond), sexprExpr(x.Then), sexprExpr(x.Else))
	case *Comp:
		return sexprComp(x)
	case *Starred:
		return "*" + sexprExpr(x.X)
	case *Walrus:
		return list(":=", x.Target.ID, sexprExpr(x.Value))
	case *Await:
		return list("await", sexprExpr(x.X))
	case *Yield:
		if x.From {
			return list("yield-from", maybe(x.X))
		}
		return list("yield", maybe(x.X))
	case *UnknownExpr:
		return list("?", exprList(x.Parts))
	}
	return fmt.Sprintf("<%T>", x)
}

func part(x Expr) string {
	if x == nil {
		return "_"
	}
	return sexprExpr(x)
}

func sexprComp(x *Comp) string {
	out := []string{[...]string{"listcomp", "setcomp", "dictcomp", "gen"}[x.Kind], maybe(x.Key), sexprExpr(x.Elt)}
	for _, c := range x.Clauses {
		if c.Iter == nil {
			out = append(out, list("if", sexprExpr(c.Cond)))
			continue
		}
		out = append(out, list(async(c.Async), "for", sexprExpr(c.Target), sexprExpr(c.Iter)))
	}
	return list(out...)
}

func sexprPatterns(ps []Pattern) string {
	var out []string
	for _, p := range ps {
		out = append(out, sexprPattern(p))
	}
	return strings.Join(out, " ")
}

func sexprPattern(p Pattern) string {
	switch p := p.(type) {
	case *PatternValue:
		return sexprExpr(p.X)
	case *PatternCapture:
		if p.Name == "" {
			return "_"
		}
		return "$" + p.Name
	case *PatternAs:
		return list("as", sexprPattern(p.Pattern), p.Name)
	case *PatternOr:
		return list("|", sexprPatterns(p.Alternatives))
	case *PatternSeq:
		return list("seq", sexprPatterns(p.Elems))
	case *PatternStar:
		return "*" + p.Name
	case *PatternClass:
		var kw []string
		for _, k := range p.Keywords {
			kw = append(kw, k.Name+"="+sexprPattern(k.Pattern))
		}
		return list("cls", sexprExpr(p.Class), sexprPatterns(p.Args), strings.Join(kw, " "))
	case *PatternMapping:
		var out []string
		for i, k := range p.Keys {
			out = append(out, sexprExpr(k)+":"+sexprPattern(p.Values[i]))
		}
		if p.Rest != "" {
			out = append(out, "**"+p.Rest)
		}
		return list("map", strings.Join(out, " "))
	case *PatternUnknown:
		return "?pattern"
	}
	return fmt.Sprintf("<%T>", p)
}

func setOf(m map[string]bool) string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

func allStmts(f *File) []Stmt {
	var out []Stmt
	for _, c := range f.Chunks {
		out = append(out, c.Stmts...)
	}
	return out
}
