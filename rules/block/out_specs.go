package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// outSpecsStructure models the comparison of out_specs and out_shape in jax/_src/pallas/core.py get_grid_mapping.
var outSpecsStructure = &rule.Rule{
	Name: "out-specs-structure",
	Page: page("out_specs.md"), Unbinds: true,
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" || s.OutSpecs == nil || s.OutShape == nil {
			return
		}
		specs := asTuple(s.OutSpecs)
		d := compareTrees(specs, asTuple(s.OutShape), "", -1)
		if d == nil {
			return
		}
		loc := argLoc(p, s, "out_specs")
		if t, ok := specs.(*infer.Tuple); ok && d.index >= 0 {
			loc = here(p, t.ElemLoc(d.index), loc)
		}
		path := ""
		if d.at != "" {
			path = "at " + d.at + ", "
		}
		p.Report(loc, "`out_specs%s` is %s, but `out_shape%s` is %s; the two must have the same structure", d.at, d.left, d.at, d.right).
			Says("ValueError: Pytree for `out_specs` and `out_shape` do not match. There are 1 mismatches, including: * %s`out_specs` is %s but `out_shape` is %s", path, d.left, d.right).
			Also(argLoc(p, s, "out_shape"), "out_shape").
			Offer(unwrapSpec(p, s), wrapSpec(p, s)).
			At(s.Loc)
	},
}

// unwrapSpec takes the one spec out of its list where out_shape is a single type.
func unwrapSpec(p *rule.Pass, s *infer.Site) *rule.Fix {
	t, ok := sequence(s.OutSpecs)
	if !ok || len(t.Head) != 1 || t.Rest != nil || len(t.Tail) > 0 || form(s.OutShape) != "a leaf" {
		return nil
	}
	loc, inner := argLoc(p, s, "out_specs"), t.ElemLoc(0)
	if loc == s.Loc || inner == t.Loc || text(p, inner) == "" || t.Loc != loc {
		return nil
	}
	return &rule.Fix{Title: "Give the spec itself", Safety: rule.Safe, Edits: []rule.Edit{{Loc: loc, New: text(p, inner)}}}
}
