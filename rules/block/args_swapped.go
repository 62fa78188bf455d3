package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// argsSwapped models jax/_src/pallas/core.py _canonicalize_block_shape, which iterates over what it is given.
var argsSwapped = &rule.Rule{
	Name: "blockspec-args-swapped",
	Page: page("args_swapped.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.BlockSpec": func(p *rule.Pass, c *infer.Call) {
			if !isFunction(c.Arg("block_shape")) {
				return
			}
			p.Report(c.Loc, "the first argument of `BlockSpec` is the block shape, the second the index map; here a function comes first").
				Says("TypeError: 'function' object is not iterable").
				Offer(swapArgs(p, c))
		},
	},
}

func isFunction(v infer.Value) bool {
	switch v.(type) {
	case *infer.Func, *infer.Partial, *infer.Bound, *infer.Wrapped:
		return true
	}
	return false
}

// swapArgs exchanges the two where both are given by position, and the second is no function too.
func swapArgs(p *rule.Pass, c *infer.Call) *rule.Fix {
	if isFunction(c.Arg("index_map")) {
		return nil
	}
	if len(c.Args) < 2 || c.Args[0].Name != "" || c.Args[1].Name != "" || c.Args[0].Star+c.Args[1].Star > 0 {
		return nil
	}
	a, b := c.Args[0].Loc, c.Args[1].Loc
	first, second := text(p, a), text(p, b)
	if first == "" || second == "" {
		return nil
	}
	return &rule.Fix{Title: "Put the block shape before the index map", Safety: rule.Safe, Edits: []rule.Edit{{Loc: a, New: second}, {Loc: b, New: first}}}
}
