package kernel

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// outShapeType models jax/_src/pallas/core.py _convert_out_shape_to_aval.
var outShapeType = &rule.Rule{
	Name:    "out-shape-type",
	Page:    page("out_shape.md"),
	Unbinds: true,
	Site: func(p *rule.Pass, s *infer.Site) {
		name := "out_shape"
		if meshKernel(s) {
			name = "out_type"
		} else if s.API != "pallas_call" {
			return
		}
		what, loc := badType(s.OutShape, argLoc(p, s, name))
		if what == "" {
			return
		}
		p.Report(here(p, loc, argLoc(p, s, name)), "`%s` holds %s; every output is described by `jax.ShapeDtypeStruct(shape, dtype)`", name, what).
			Says("ValueError: Invalid out_shape type: <class '...'>").
			Offer(describe(p, s, argLoc(p, s, name))).
			At(s.Loc)
	},
}

// badType finds a leaf that has no shape and dtype.
func badType(v infer.Value, loc parse.Loc) (string, parse.Loc) {
	switch v := v.(type) {
	case *infer.Tuple, *infer.List:
		t, ok := sequence(v)
		if !ok {
			return "", loc
		}
		for i, e := range t.Head {
			l := t.ElemLoc(i)
			if !l.Valid() {
				l = loc
			}
			if what, at := badType(e, l); what != "" {
				return what, at
			}
		}
	case *infer.Int:
		return "an int", loc
	case infer.Float:
		return "a float", loc
	case infer.Bool:
		return "a bool", loc
	case infer.Str:
		return "a string", loc
	case infer.DTypeVal:
		return "a dtype", loc
	case *infer.SpaceVal:
		return "a memory space without shape and dtype", loc
	case *infer.BlockSpec:
		return "a BlockSpec", loc
	}
	return "", loc
}
