package sparsecore

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// withLayoutPasses leaves the layout passes on, where nothing in the kernel is known to need them off.
func withLayoutPasses(p *rule.Pass, k *infer.Kernel) *rule.Fix {
	for _, c := range k.Calls {
		if reducesVector(c) || c.API == plsc+"pack" || c.API == plsc+"unpack" {
			return nil
		}
	}
	for k.Outer != nil {
		k = k.Outer
	}
	v, ok := k.Site.Params.(*infer.Params)
	if !ok {
		return nil
	}
	title := "Leave `needs_layout_passes` at its default"
	if a := k.Site.Call.Bound["compiler_params"]; a != nil && len(v.Call.Args) == 1 && a.Loc == v.Call.Loc {
		edits, ok := edit.DropArg(p.File, k.Site.Call, "compiler_params")
		return edit.Fix(ok, title, rule.Unsafe, edits)
	}
	edits, ok := edit.DropArg(p.File, v.Call, "needs_layout_passes")
	return edit.Fix(ok, title, rule.Unsafe, edits)
}

// asNumbers keeps booleans of a buffer as int32, where the kernel only loads them.
func asNumbers(p *rule.Pass, k *infer.Kernel, r *infer.Ref) *rule.Fix {
	if r.Mem == nil || r.Mem.Call == nil || r.Mem.Call.Bound["dtype"] == nil || r.Role != infer.Scratch && r.Role != infer.Scoped {
		return nil
	}
	loc := r.Mem.Call.Bound["dtype"].Loc
	names := edit.NamesAt(p.File, loc)
	if _, ok := edit.ExprAt(p.File, loc); !ok || names == nil {
		return nil
	}
	edits := []rule.Edit{{Loc: loc, New: names.Name("jax.numpy", "int32")}}
	for _, e := range k.Events {
		for i, x := range e.Refs {
			if x == nil || x.Alloc != r.Alloc || e.Op == infer.OpAlloc {
				continue
			}
			node, ok := e.Node.(*parse.Index)
			if !ok || i > 0 || e.Op != infer.OpLoad || e.Aug != "" || e.Via != "indexing" {
				return nil
			}
			edits = append(edits, edit.Around(parse.Loc{Chunk: e.Loc.Chunk, Span: node.Span()}, before(p, e, node), after(p, e, node))...)
		}
	}
	return edit.Fix(true, "Keep int32 in `"+r.Name+"`, compare with 0", rule.Unsafe, append(names.Edits, edits...))
}

// before and after are what makes a comparison with 0 of a load.
func before(p *rule.Pass, e *infer.Event, x *parse.Index) string {
	if alone(p, e, x) {
		return ""
	}
	return "("
}

func after(p *rule.Pass, e *infer.Event, x *parse.Index) string {
	if alone(p, e, x) {
		return " != 0"
	}
	return " != 0)"
}

// alone: the load is all that is assigned or passed on.
func alone(p *rule.Pass, e *infer.Event, x *parse.Index) bool {
	spot, ok := edit.Find(p.File, e.Loc.Chunk, x)
	if !ok || spot.Up(1) == nil {
		return false
	}
	switch up := spot.Up(1).Node().(type) {
	case *parse.Assign, *parse.Return:
		return true
	case *parse.Call:
		return up.Func != parse.Expr(x)
	}
	return false
}

// firstElement takes the first element of a counter of one dimension.
func firstElement(p *rule.Pass, loc parse.Loc, r *infer.Ref) *rule.Fix {
	x, ok := edit.ExprAt(p.File, loc)
	if !ok || !r.View.IsRank(1) {
		return nil
	}
	return edit.Fix(true, "Take `"+loc.Text()+".at[0]`", rule.Unsafe, edit.Append(loc.Chunk, x, ".at[0]"))
}

// inSMEM allocates a counter in SMEM, where nothing else uses it.
func inSMEM(p *rule.Pass, k *infer.Kernel, r *infer.Ref) *rule.Fix {
	if r.Mem == nil || r.Mem.Mesh != nil {
		return nil
	}
	for _, e := range k.Events {
		for _, x := range e.Refs {
			if x != nil && x.Alloc == r.Alloc && e.Op != infer.OpAlloc {
				return nil
			}
		}
	}
	return edit.Space(p, r.Mem.Loc, "SMEM")
}

// integers converts an index to int32.
func integers(p *rule.Pass, c *infer.Call, i, n int) *rule.Fix {
	a := c.Bound["indices"]
	if a == nil {
		return nil
	}
	loc := indexAt(p, a, i, n)
	if !loc.Valid() {
		return nil
	}
	return edit.Cast(p, loc, "int32")
}

// alike converts the one of two operands that plsc.pack does not take, else the second.
func alike(p *rule.Pass, c *infer.Call, a, b jax.DType) *rule.Fix {
	switch {
	case a == jax.Float32 || a == jax.Int32:
		return edit.Cast(p, c.ArgLoc("b"), string(a))
	case b == jax.Float32 || b == jax.Int32:
		return edit.Cast(p, c.ArgLoc("a"), string(b))
	}
	return nil
}

// counted converts booleans to numbers that a scan takes.
func counted(p *rule.Pass, c *infer.Call, x *infer.Array) *rule.Fix {
	if x.DType != jax.Bool {
		return nil
	}
	return edit.Cast(p, c.ArgLoc("x"), "int32")
}
