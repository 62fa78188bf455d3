package ops

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// name is what the author calls the ref.
func name(r *infer.Ref) string {
	if r.Name == "" {
		return "this ref"
	}
	return "`" + r.Name + "`"
}

// of shows a type with a shape: float32[8, 128].
func of(d jax.DType, s infer.Shape) string { return typed(&infer.Array{DType: d, Shape: s}) }

// target is the left side of a store.
func target(e *infer.Event) string { return written(e.Loc, name(e.Refs[0])) }

// shapeFrom is where the author decided the shape of a ref: the block, the scratch entry.
func shapeFrom(r *infer.Ref) parse.Loc {
	switch {
	case r.Operand != nil && r.Operand.Spec != nil:
		return r.Operand.Spec.Loc
	case r.Mem != nil:
		return r.Mem.Loc
	}
	return parse.Loc{}
}

// assigned is the expression that a statement stores, when that is a statement of its own.
func assigned(p *rule.Pass, e *infer.Event) (*edit.Spot, parse.Expr) {
	if e.Aug != "" || e.Node == nil {
		return nil, nil
	}
	spot, ok := edit.Find(p.File, e.Loc.Chunk, e.Node)
	if !ok {
		return nil, nil
	}
	st, _ := spot.Stmt()
	a, ok := st.(*parse.Assign)
	if !ok || len(a.Targets) != 1 || parse.Node(a.Targets[0]) != e.Node {
		return nil, nil
	}
	return spot, a.Value
}

// bare is the ref of a store that a name stands for, so that code can ask it for its shape; empty for others.
func bare(e *infer.Event) string {
	x, ok := e.Node.(*parse.Index)
	if !ok {
		return ""
	}
	n, ok := x.X.(*parse.Name)
	if !ok {
		return ""
	}
	return n.ID
}

// spread fills the region with a scalar.
func spread(p *rule.Pass, e *infer.Event, v *infer.Array) *rule.Fix {
	spot, value := assigned(p, e)
	ref := ""
	if spot != nil {
		ref = bare(e)
	}
	if ref == "" || !v.Shape.IsRank(0) {
		return nil
	}
	shape := ref + ".shape"
	if !whole(e) {
		if _, known := e.Result.Known(); !known {
			return nil
		}
		shape = e.Result.String()
	}
	names := &edit.Names{Spot: spot}
	call := names.Name("jax.numpy", "full") + "(" + shape + ", " + spot.Text(value) + ", " + ref + ".dtype)"
	return &rule.Fix{Title: "Fill it with `jnp.full`", Safety: rule.Safe, Edits: append(names.Edits, rule.Edit{Loc: spot.Loc(value), New: call})}
}

// whole: the store selects all of the ref.
func whole(e *infer.Event) bool {
	for _, x := range e.Index {
		if x.Kind != infer.IndexFull {
			return false
		}
	}
	return true
}

// converted casts the value to the type of the ref.
func converted(p *rule.Pass, e *infer.Event) *rule.Fix {
	spot, value := assigned(p, e)
	if spot == nil {
		return nil
	}
	ref := bare(e)
	v, isArray := e.Value.(*infer.Array)
	if ref == "" || !isArray || !v.Traced {
		return nil
	}
	text := spot.Text(value)
	if !postfix(value) {
		text = "(" + text + ")"
	}
	if strings.Contains(text, "\n") {
		return nil
	}
	return &rule.Fix{Title: "Convert it to `" + ref + "`'s dtype", Safety: rule.Unsafe,
		Edits: []rule.Edit{{Loc: spot.Loc(value), New: text + ".astype(" + ref + ".dtype)"}}}
}

// postfix: an attribute can be written after the expression as it stands.
func postfix(x parse.Expr) bool {
	switch x.(type) {
	case *parse.Name, *parse.Attr, *parse.Call, *parse.Index:
		return true
	}
	return false
}
