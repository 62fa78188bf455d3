package trace

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// cast offers to convert the stored value to the dtype of the ref, where the store is an assignment on its own.
func cast(p *rule.Pass, e *infer.Event, r *infer.Ref) *rule.Fix {
	value := assigned(e)
	if value == nil {
		return nil
	}
	if v, isArray := e.Value.(*infer.Array); isArray && e.Kernel.Core.IsSparseCore() && v.DType.Bits() != r.Type.Bits() {
		return nil // a SparseCore changes no widths
	}
	target := e.Node.(*parse.Index).X
	name := parse.Loc{Chunk: e.Loc.Chunk, Span: target.Span()}.Text()
	edits := edit.Append(e.Loc.Chunk, value, ".astype("+name+".dtype)")
	return &rule.Fix{Title: "Convert to `" + name + ".dtype`", Safety: rule.Unsafe, Edits: edits}
}

// fill makes an array of the scalar that is stored to the whole of a ref.
func fill(p *rule.Pass, x *infer.Fault, v *infer.Array) *rule.Fix {
	for _, e := range x.Kernel.Stores() {
		if e.Loc != x.Loc || e.Aug != "" || !v.Shape.IsRank(0) || !whole(e) {
			continue
		}
		value := assigned(e)
		index, ok := e.Node.(*parse.Index)
		if value == nil || !ok {
			return nil
		}
		n, ok := index.X.(*parse.Name)
		spot, found := edit.Find(p.File, e.Loc.Chunk, value)
		if !ok || !found {
			return nil
		}
		names := &edit.Names{Spot: spot}
		text := names.Name("jax.numpy", "full") + "(" + n.ID + ".shape, " + spot.Text(value) + ", " + n.ID + ".dtype)"
		return &rule.Fix{Title: "Fill `" + n.ID + "` with `jnp.full`", Safety: rule.Safe, Edits: append(names.Edits, rule.Edit{Loc: spot.Loc(value), New: text})}
	}
	return nil
}

// whole: the store selects all of the ref.
func whole(e *infer.Event) bool {
	for _, x := range e.Index {
		if x.Kind != infer.IndexFull {
			return false
		}
	}
	return e.RShape
}

// assigned is the expression on the right of the assignment whose one target the store is.
func assigned(e *infer.Event) (value parse.Expr) {
	target, ok := e.Node.(*parse.Index)
	if !ok || e.Loc.Chunk == nil {
		return nil
	}
	for _, s := range e.Loc.Chunk.Stmts {
		parse.Walk(s, func(n parse.Node) bool {
			if a, ok := n.(*parse.Assign); ok && len(a.Targets) == 1 && a.Targets[0] == parse.Expr(target) {
				value = a.Value
			}
			return value == nil
		})
	}
	return value
}
