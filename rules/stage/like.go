package stage

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
)

// likeOperand is "x.shape, x.dtype" for an operand x, or what an output's type says of itself, where the site can write that; else empty.
func (pl *plan) likeOperand(k *infer.Kernel, h *holder) string {
	o := pl.ref.Operand
	if o == nil || o.Ref == nil || len(pl.ref.Steps) > 0 || pl.ref.Alloc.Kernel != k || len(pl.runs(k)) == 0 {
		return ""
	}
	if pl.ref.Role == infer.Output {
		return pl.likeOutput(o, h)
	}
	if pl.ref.Role != infer.Input || o.Spec != nil && !o.Spec.NoBlock {
		return ""
	}
	for _, same := range pl.runs(k) {
		if same.Site.CallLoc != k.Site.CallLoc {
			return ""
		}
	}
	for _, a := range k.Site.Operands {
		name, ok := a.Node.(*parse.Name)
		if ok && isArray(a.Value) && isArray(o.Value) && a.Value == o.Value && a.Loc.Chunk == h.call.Chunk && steadyParam(h.call, name.ID, a.Loc) {
			return name.ID + ".shape, " + name.ID + ".dtype"
		}
	}
	return ""
}

func isArray(v infer.Value) bool {
	switch v.(type) {
	case *infer.Array, *infer.Opaque:
		return true
	}
	return false
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

// likeOutput repeats the arguments of the output's ShapeDtypeStruct, when that stands in the same function, or in the call itself.
func (pl *plan) likeOutput(o *infer.Operand, h *holder) string {
	t, ok := o.Value.(*infer.ShapeStruct)
	if !ok || o.Spec != nil && !o.Spec.NoBlock {
		return ""
	}
	spot, ok := edit.FindAt(pl.pass.File, t.Loc, func(n parse.Node) bool { _, isCall := n.(*parse.Call); return isCall })
	if !ok || spot.Chunk != h.call.Chunk || !sameCall(spot, h.call) {
		return ""
	}
	args := spot.Node().(*parse.Call).Args
	if len(args) != 2 || args[0].Star != 0 || args[1].Star != 0 || args[0].Name != "" && args[0].Name != "shape" || args[1].Name != "" && args[1].Name != "dtype" {
		return ""
	}
	return spot.Text(args[0].Value) + ", " + spot.Text(args[1].Value)
}

// sameCall: both are written within one call expression, with no function between, so that names mean the same.
func sameCall(a, b *edit.Spot) bool {
	fa, fb := a.Funcs(), b.Funcs()
	if len(fa) != len(fb) || len(fa) > 0 && fa[0] != fb[0] {
		return false
	}
	sa, _ := a.Stmt()
	sb, _ := b.Stmt()
	return sa == sb
}
