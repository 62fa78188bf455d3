package block

import (
	"strconv"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexMapArity models the call of the index map in jax/_src/pallas/core.py BlockSpec.to_block_mapping.
var indexMapArity = &rule.Rule{
	Name: "index-map-arity",
	Page: page("index_map_arity.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		for _, o := range s.Blocks() {
			if s.API == "emit_pipeline" && !cuts(o) && !steps(s) {
				continue
			}
			if f := arityFault(o.Map); f != nil {
				reportArity(p, s, o, f)
			}
		}
	},
}

// steps: the pipeline certainly makes more than one step on some core, or how many is worked out at run time. Then it traces the index
// map also of a block that is all of the ref (jax/_src/pallas/mosaic/pipeline.py _spec_has_trivial_windowing).
func steps(s *infer.Site) bool {
	axes, _ := sequence(s.GridArg)
	long, one := 0, 0
	for i, n := range s.Grid {
		if axes != nil && i < len(axes.Head) {
			if _, traced := axes.Head[i].(*infer.Array); traced {
				long++
				continue
			}
		}
		if k, ok := n.Known(); ok && k == 1 {
			one++
		} else if ok {
			long++
		}
	}
	if s.Split() {
		return long > 1 || one > 0 && one == len(s.Grid) // one axis is cut, and one that is shorter than the cores at run time
	}
	for _, name := range []string{"core_axis", "core_axis_name", "num_cores", "core_id"} {
		if given(s.Call.Arg(name)) {
			return long > 1
		}
	}
	return long > 1 || long > 0 && !s.Call.Open
}

// arityFault: the index map can't be called with the grid's indices and the prefetched refs.
func arityFault(m *infer.MapRun) *infer.Fault {
	if m == nil || m.Func == nil {
		return nil
	}
	for _, f := range m.Faults {
		switch f.Kind {
		case "missing-argument", "too-many-arguments", "unknown-argument":
			if len(f.Values) > 0 && f.Values[0] == infer.Value(m.Func) && f.Loc == m.Operand.Spec.Loc {
				return f
			}
		}
	}
	return nil
}

func reportArity(p *rule.Pass, s *infer.Site, o *infer.Operand, f *infer.Fault) {
	given := plural(len(s.Grid), "grid index")
	if len(s.Grid) != 1 {
		given = plural(len(s.Grid), "grid indice")
	}
	if s.Prefetch > 0 {
		given += " and " + plural(s.Prefetch, "prefetched ref")
	}
	does := "does not take them"
	if f.Kind == "missing-argument" {
		does = "needs `" + f.Detail + "` too"
	}
	d := p.Report(here(p, o.Map.Func.Loc(), o.Spec.Loc, s.Loc), "the index map of %s is called with %s and %s", o.Title(), given, does).
		Says("TypeError: %s", arityText(o.Map, f)).
		Offer(takeIndices(p, s, o)).
		At(s.Loc)
	if loc := argLoc(p, s, "grid"); loc != s.Loc {
		d.Also(loc, "grid %s", gridText(s.Grid))
	}
	if o.Spec.Loc != (parse.Loc{}) && o.Map.Func.Def != nil {
		d.Also(o.Spec.Loc, "the BlockSpec that uses it")
	}
}

func arityText(m *infer.MapRun, f *infer.Fault) string {
	if f.Kind == "missing-argument" {
		return m.Func.Name + "() missing a required positional argument: '" + f.Detail + "'"
	}
	were := " were given"
	if len(m.Args) == 1 {
		were = " was given"
	}
	return m.Func.Name + "() takes " + plural(len(m.Func.Params), "positional argument") + " but " + strconv.Itoa(len(m.Args)) + were
}
