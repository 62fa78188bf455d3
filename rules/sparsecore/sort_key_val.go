package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// sortKeyVal models jax/_src/pallas/mosaic/sc_primitives.py _masked_sort_abstract_eval.
var sortKeyVal = &rule.Rule{
	Name: "sc-sort-key-val",
	Page: page("sort_key_val.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plsc + "sort_key_val": func(p *rule.Pass, c *infer.Call) {
		keys, values := arrayArg(c, "keys"), arrayArg(c, "values")
		for _, x := range []*infer.Array{keys, values} {
			if x == nil {
				continue
			}
			n, ok := x.Shape.Dim(0).Known()
			l := lanes(p)
			rank, ranked := x.Shape.Rank()
			if ranked && rank != 1 || ok && l > 0 && n != l {
				p.Report(c.Loc, "`plsc.sort_key_val` sorts one vector; this has shape %s", x.Shape).
					Says("ValueError: keys shape %s must be (%d,)", x.Shape, l)
				return
			}
		}
		switch {
		case keys != nil && no(keys.DType, jax.Uint32, jax.Int32, jax.Float32):
			p.Report(c.Loc, "`plsc.sort_key_val` takes int32, uint32 or float32 keys; these are %s", keys.DType)
		case values != nil && values.DType.Known() && values.DType.Bits() != 32:
			p.Report(c.Loc, "`plsc.sort_key_val` takes 32-bit values; these are %s", values.DType)
		}
	}},
}
