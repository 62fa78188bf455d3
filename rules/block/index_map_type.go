package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// indexMapType models the checks of types in jax/_src/pallas/core.py BlockSpec.to_block_mapping.
var indexMapType = &rule.Rule{
	Name: "index-map-non-integer",
	Page: page("index_map_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		for _, o := range s.Blocks() {
			n, want, ok := resultCount(s, o)
			if !ok || n != want || o.Spec.Dims == nil {
				continue
			}
			for i, v := range o.Map.Values() {
				if what := notAnIndex(v, o.Spec.Dims[i].Kind); what != "" {
					p.Report(here(p, returnLoc(o.Map), o.Spec.Loc, s.Loc), "the index map of %s returns %s for dimension %d; it must return integer scalars", o.Title(), what, i).
						Says("ValueError: Index map function %s for %s must return integer scalars. Output[%d] has type ...", o.Map.Func.Name, o.Origin(), i).
						Offer(wholeIndex(p, s, o, i)).
						At(s.Loc)
					break
				}
			}
		}
	},
}

// notAnIndex says what a component is, when it can be no block index.
func notAnIndex(v infer.Value, kind string) string {
	if kind != "blocked" && kind != "squeezed" && kind != "element" {
		return ""
	}
	switch v := v.(type) {
	case infer.Float:
		return "a float"
	case infer.Bool:
		return "a bool"
	case *infer.Ref:
		return "the ref `" + v.Name + "` itself, not a value loaded from it,"
	case *infer.Dynamic, *infer.SliceVal:
		return "a slice"
	case *infer.Array:
		if n, ok := v.Shape.Rank(); ok && n > 0 {
			return "an array " + v.Shape.String()
		}
		if v.DType != "" && v.DType != jax.Int32 && v.DType != jax.Int64 && !v.NumPy {
			return "a " + string(v.DType)
		}
	}
	return ""
}
