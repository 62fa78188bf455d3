package edit

import "pallas-lsp/parse"

// Targets calls f for each expression that an assignment to the target assigns to: names, and the subscripts and attributes among them.
func Targets(target parse.Node, f func(parse.Node)) {
	switch t := target.(type) {
	case *parse.Tuple:
		for _, x := range t.Elems {
			Targets(x, f)
		}
	case *parse.List:
		for _, x := range t.Elems {
			Targets(x, f)
		}
	case *parse.Starred:
		Targets(t.X, f)
	default:
		f(t)
	}
}

// Binds are the names that a statement binds in the scope that it stands in, once for each time, in no order that matters. Bodies of functions,
// lambdas and classes have scopes of their own; comprehensions bind nothing but what := gives a name.
func Binds(s parse.Node) (names []string) {
	add := func(n parse.Node) {
		if name, ok := n.(*parse.Name); ok {
			names = append(names, name.ID)
		}
	}
	parse.Walk(s, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.FuncDef:
			names = append(names, n.Name)
			return false
		case *parse.ClassDef:
			names = append(names, n.Name)
			return false
		case *parse.Lambda:
			return false
		case *parse.Assign:
			for _, t := range n.Targets {
				Targets(t, add)
			}
		case *parse.AugAssign:
			Targets(n.Target, add)
		case *parse.AnnAssign:
			Targets(n.Target, add)
		case *parse.For:
			Targets(n.Target, add)
		case *parse.Walrus:
			add(n.Target)
		case *parse.With:
			for _, it := range n.Items {
				if it.Target != nil {
					Targets(it.Target, add)
				}
			}
		case *parse.Global, *parse.Import, *parse.ImportFrom, *parse.Handler, *parse.Match:
			for name := range Mentions(n) {
				names = append(names, name)
			}
		}
		return true
	})
	return names
}
