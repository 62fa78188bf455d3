package ops

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// replaced writes another value for an argument.
func replaced(c *infer.Call, name, value, title string) *rule.Fix {
	a := c.Bound[name]
	if a == nil || !a.Loc.Valid() {
		return nil
	}
	return &rule.Fix{Title: title, Safety: rule.Safe, Edits: []rule.Edit{{Loc: a.Loc, New: value}}}
}

// setFlag passes a keyword argument, or changes the one that is passed.
func setFlag(c *infer.Call, name, value string) *rule.Fix {
	title := "Pass `" + name + "=" + value + "`"
	if a := c.Bound[name]; a != nil {
		if !a.Loc.Valid() {
			return nil
		}
		return &rule.Fix{Title: title, Safety: rule.Unsafe, Edits: []rule.Edit{{Loc: a.Loc, New: value}}}
	}
	if c.Node == nil {
		return nil
	}
	edits, ok := edit.AddArgs(c.Loc.Chunk, c.Node, name+"="+value)
	if !ok {
		return nil
	}
	return &rule.Fix{Title: title, Safety: rule.Unsafe, Edits: edits}
}

// after appends text to the expression of a call.
func after(c *infer.Call, text string) rule.Edit {
	end := c.Loc
	end.Span = parse.Span{Start: c.Loc.End, End: c.Loc.End}
	return rule.Edit{Loc: end, New: text}
}

// extractWide converts a vector to float32 before a scalar is taken out of it, and the scalar back.
func extractWide(p *rule.Pass, c *infer.Call, d jax.DType) *rule.Fix {
	if d != jax.BFloat16 || c.Open {
		return nil
	}
	loc := c.Loc
	x, ok := edit.ExprAt(p.File, loc)
	if !ok {
		return nil
	}
	var vector parse.Expr
	switch x := x.(type) {
	case *parse.Index:
		vector = x.X
	case *parse.Call:
		if _, isArray := c.Pos(0).(*infer.Array); !isArray || len(x.Args) == 0 || x.Args[0].Star > 0 || x.Args[0].Name != "" {
			return nil
		}
		vector = x.Args[0].Value
	default:
		return nil
	}
	names := edit.NamesAt(p.File, loc)
	wide, narrow := names.Name("jax.numpy", "float32"), names.Name("jax.numpy", string(d))
	edits := append(edit.Append(loc.Chunk, vector, ".astype("+wide+")"), edit.Append(loc.Chunk, x, ".astype("+narrow+")")...)
	return edit.Fix(true, "Convert the vector first", rule.Unsafe, append(names.Edits, edits...))
}

// printable converts what a placeholder gets to a type that it takes.
func printable(p *rule.Pass, loc parse.Loc, d jax.DType) *rule.Fix {
	if d.IsFloat() {
		return edit.Cast(p, loc, "float32")
	}
	return edit.Cast(p, loc, "int32")
}
