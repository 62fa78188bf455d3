package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// gridConflict models jax/_src/pallas/pallas_call.py pallas_call.
var gridConflict = &rule.Rule{
	Name: "grid-spec-conflict",
	Page: page("grid_conflict.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.pallas_call": func(p *rule.Pass, c *infer.Call) {
			gs, ok := c.Arg("grid_spec").(*infer.GridSpec)
			if !ok {
				return
			}
			for _, name := range []string{"grid", "in_specs", "out_specs", "scratch_shapes"} {
				if v := c.Arg(name); v != nil && conflicts(name, v) {
					p.Report(here(p, c.ArgLoc(name), c.Loc), "`%s` is given beside `grid_spec`; it belongs inside the grid spec", name).
						Says("ValueError: If `grid_spec` is specified, then `%s` must be `%s`.", name, defaults[name]).
						Also(c.ArgLoc("grid_spec"), "the grid spec").
						Offer(intoGridSpec(p, c, gs, name)).
						At(c.Loc)
				}
			}
		},
	},
}

var defaults = map[string]string{"grid": "()", "in_specs": "no_block_spec", "out_specs": "no_block_spec", "scratch_shapes": "()"}

// conflicts: JAX refuses any spec, and a grid or scratch shapes that are true.
func conflicts(name string, v infer.Value) bool {
	switch v := v.(type) {
	case *infer.Opaque, *infer.Union:
		return false
	case *infer.API:
		return v.Name != "jax.experimental.pallas.no_block_spec"
	case *infer.Int:
		k, ok := v.Known()
		return name != "grid" || ok && k != 0
	case *infer.Tuple, *infer.List:
		t, ok := sequence(v)
		return name == "in_specs" || name == "out_specs" || ok && len(t.Head) > 0
	case infer.None:
		return name == "in_specs" || name == "out_specs"
	}
	return true
}
