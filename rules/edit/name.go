package edit

import (
	"strconv"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
)

// Mentions are the names that occur in a node in any role: read, bound, as a parameter, a definition or an import. A new name that is not
// among them changes the meaning of nothing inside.
func Mentions(n parse.Node) map[string]bool {
	out := map[string]bool{}
	parse.Walk(n, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Name:
			out[n.ID] = true
		case *parse.Param:
			out[n.Name] = true
		case *parse.FuncDef:
			out[n.Name] = true
		case *parse.ClassDef:
			out[n.Name] = true
		case *parse.Handler:
			out[n.Name] = true
		case *parse.Global:
			for _, name := range n.Names {
				out[name] = true
			}
		case *parse.Import, *parse.ImportFrom:
			for _, b := range parse.ImportBindings(n.(parse.Stmt)) {
				out[b.Name] = true
			}
		case *parse.PatternCapture:
			out[n.Name] = true
		case *parse.PatternAs:
			out[n.Name] = true
		case *parse.PatternStar:
			out[n.Name] = true
		case *parse.PatternMapping:
			out[n.Rest] = true
		}
		return true
	})
	return out
}

// Free returns base, or base with a number after it, such that it is not among the taken names, and takes it.
func Free(taken map[string]bool, base string) string {
	name := base
	for i := 2; taken[name] || keywords[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	taken[name] = true
	return name
}

var keywords = map[string]bool{
	"False": true, "None": true, "True": true, "and": true, "as": true, "assert": true, "async": true, "await": true, "break": true, "class": true,
	"continue": true, "def": true, "del": true, "elif": true, "else": true, "except": true, "finally": true, "for": true, "from": true, "global": true,
	"if": true, "import": true, "in": true, "is": true, "lambda": true, "nonlocal": true, "not": true, "or": true, "pass": true, "raise": true,
	"return": true, "try": true, "while": true, "with": true, "yield": true,
}

// Rename renames a variable or parameter of a function wherever it means that variable: in the function and in the functions inside that
// don't bind the name themselves. It is false when the name is global or nonlocal there, or the new name occurs in it.
func Rename(c *parse.Chunk, fn *parse.FuncDef, from, to string) ([]rule.Edit, bool) {
	if fn.Scope == nil || !fn.Scope.Locals[from] || Mentions(fn)[to] {
		return nil, false
	}
	var out []rule.Edit
	put := func(span parse.Span) { out = append(out, rule.Edit{Loc: parse.Loc{Chunk: c, Span: span}, New: to}) }
	ok := true
	for _, p := range fn.Params {
		if p.Name == from {
			put(p.NameSpan)
		}
	}
	var visit func(parse.Node) bool
	visit = func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Name:
			if n.ID == from {
				put(n.Span())
			}
		case *parse.Global, *parse.Import, *parse.ImportFrom, *parse.Handler, *parse.Match, *parse.ClassDef:
			ok = ok && !Mentions(n)[from]
		case *parse.FuncDef:
			if n.Name == from {
				put(n.NameSpan)
			}
			if n.Scope != nil && n.Scope.Locals[from] {
				for _, d := range n.Decorators {
					parse.Walk(d, visit)
				}
				return false
			}
		case *parse.Lambda:
			return !n.Locals[from]
		case *parse.Comp:
			ok = ok && !bindsInComp(n, from)
		}
		return true
	}
	for _, s := range fn.Body {
		parse.Walk(s, visit)
	}
	return out, ok
}

func bindsInComp(c *parse.Comp, name string) bool {
	for _, cl := range c.Clauses {
		if cl.Target != nil && Mentions(cl.Target)[name] {
			return true
		}
	}
	return false
}
