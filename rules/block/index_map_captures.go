package block

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexMapCaptures models the check of constants in jax/_src/pallas/core.py BlockSpec.to_block_mapping; pipelines may capture.
var indexMapCaptures = &rule.Rule{
	Name: "index-map-captures-array",
	Page: page("index_map_captures.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" || given(s.Call.Arg("debug")) {
			return
		}
		for _, o := range s.Blocks() {
			if n, want, ok := resultCount(s, o); !ok || n != want {
				continue
			}
			a, loc := captured(o.Map)
			if a == nil {
				continue
			}
			p.Report(here(p, loc, o.Spec.Loc, s.Loc), "the index map of %s uses an array from outside, %s[%s]; prefetch it as a scalar operand instead", o.Title(), a.DType, dims(a)).
				Says("ValueError: Index map function %s for %s must not capture constants: [...]", o.Map.Func.Name, o.Origin()).
				Also(a.Loc, "the array is made here").
				At(s.Loc)
		}
	},
}

// captured is an array from outside that the index map computes with, and where.
func captured(m *infer.MapRun) (*infer.Array, parse.Loc) {
	for _, c := range m.Kernel.Calls {
		if a := c.Constant(); a != nil {
			return a, c.Loc
		}
		for _, prim := range c.Prims {
			for _, a := range prim.In {
				if a.Captured() {
					return a, c.Loc
				}
			}
		}
	}
	for _, v := range m.Values() {
		if a, ok := v.(*infer.Array); ok && a.Captured() {
			return a, returnLoc(m)
		}
	}
	return nil, parse.Loc{}
}

func dims(a *infer.Array) string {
	t := a.Shape.String()
	return strings.TrimSuffix(t[1:len(t)-1], ",")
}

// given: an argument was given, and is neither None nor False.
func given(v infer.Value) bool {
	switch v := v.(type) {
	case nil, infer.None:
		return false
	case infer.Bool:
		return bool(v)
	}
	return true
}
