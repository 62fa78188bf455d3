package stage

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
)

// seenByBoth: the name means one and the same variable at both places, and is set once.
func seenByBoth(a, b *edit.Spot, name string) bool {
	for _, f := range a.Funcs() {
		if !binds(f, name) {
			continue
		}
		def, ok := f.(*parse.FuncDef)
		if !ok || !slices.Contains(b.Funcs(), f) || hiddenBelow(b, f, name) {
			return false
		}
		return setOnce(def, name)
	}
	return a.File.ModuleScope().Locals[name] && !hiddenBelow(b, nil, name)
}

func binds(f parse.Node, name string) bool {
	switch f := f.(type) {
	case *parse.FuncDef:
		return f.Scope != nil && f.Scope.Locals[name]
	case *parse.Lambda:
		return f.Locals[name]
	}
	return false
}

// hiddenBelow: a function around the spot that is inside outer binds the name again.
func hiddenBelow(s *edit.Spot, outer parse.Node, name string) bool {
	for _, f := range s.Funcs() {
		if f == outer {
			return false
		}
		if binds(f, name) {
			return true
		}
	}
	return false
}

// setOnce: the name is a parameter that nothing binds anew, or one statement sets it.
func setOnce(f *parse.FuncDef, name string) bool {
	for _, p := range f.Params {
		if p.Name == name {
			return !rebound(f, name)
		}
	}
	n := 0
	for _, s := range f.Body {
		parse.Walk(s, func(x parse.Node) bool {
			if a, ok := x.(*parse.Assign); ok {
				for _, t := range a.Targets {
					if edit.Mentions(t)[name] {
						n++
					}
				}
				return false
			}
			if _, ok := x.(*parse.AugAssign); ok && edit.Mentions(x)[name] {
				n = 2
			}
			return true
		})
	}
	return n == 1
}

// steadyParam: the name is a parameter of the innermost function around the spot and around loc, and nothing binds it anew.
func steadyParam(s *edit.Spot, name string, loc parse.Loc) bool {
	funcs := s.Funcs()
	if len(funcs) == 0 {
		return false
	}
	f, ok := funcs[0].(*parse.FuncDef)
	if !ok || loc.Start < f.Span().Start || loc.End > f.Span().End {
		return false
	}
	isParam := false
	for _, p := range f.Params {
		isParam = isParam || p.Name == name && p.Kind != parse.VarArgs && p.Kind != parse.VarKwargs
	}
	return isParam && !rebound(f, name)
}

// rebound: something in the function other than its parameters binds the name.
func rebound(f *parse.FuncDef, name string) bool {
	found := false
	bind := func(x parse.Expr) {
		if x == nil {
			return
		}
		parse.Walk(x, func(n parse.Node) bool {
			if v, ok := n.(*parse.Name); ok && v.ID == name {
				found = true
			}
			switch n.(type) {
			case *parse.Attr, *parse.Index:
				return false
			}
			return true
		})
	}
	for _, s := range f.Body {
		parse.Walk(s, func(n parse.Node) bool {
			switch n := n.(type) {
			case *parse.Assign:
				for _, t := range n.Targets {
					bind(t)
				}
			case *parse.AugAssign:
				bind(n.Target)
			case *parse.AnnAssign:
				bind(n.Target)
			case *parse.For:
				bind(n.Target)
			case *parse.With:
				for _, it := range n.Items {
					bind(it.Target)
				}
			case *parse.Walrus:
				bind(n.Target)
			case *parse.Delete:
				for _, t := range n.Targets {
					bind(t)
				}
			case *parse.Import, *parse.ImportFrom, *parse.Match, *parse.Handler, *parse.ClassDef:
				found = found || edit.Mentions(n)[name]
			case *parse.Global:
				for _, g := range n.Names {
					found = found || g == name
				}
			case *parse.FuncDef:
				found = found || n.Name == name
			}
			return true
		})
	}
	return found
}
