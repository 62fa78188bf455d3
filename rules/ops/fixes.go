package ops

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
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
