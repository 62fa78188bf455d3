package silent

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// revisited: a block that the grid leaves is written back, and is not read in again when the grid comes back to it
// (jax/_src/pallas/mosaic/interpret/interpret_pallas_call.py _check_for_revisiting).
var revisited = &rule.Rule{
	Name: "output-block-revisited",
	Page: page("block_revisited.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		s := k.Site
		if s.API != "pallas_call" || !gridded(s) {
			return
		}
		for _, o := range outputs(k) {
			outer, inner, found := comesBack(s, o)
			if !found || !windowed(o) {
				continue
			}
			e := reread(k, o)
			if e == nil || !within(p, e.Loc) {
				continue
			}
			p.Report(e.Loc, "this adds to a block of %s that the grid leaves and comes back to: along axis %d the block stays, but axis %d inside it changes it, and what was there is not read in again",
				name(o.Ref), outer, inner).At(s.Loc).Also(specArg(p, s, o, "index_map"), "the index map").Also(gridArg(p, s, outer), "the axis that is summed over has to be the innermost")
		}
	}),
}

// comesBack finds an axis along which the operand's block stays, and one inside it along which it changes.
func comesBack(s *infer.Site, o *infer.Operand) (outer, inner int, found bool) {
	for outer = range s.Grid {
		if !several(s.Grid[outer]) || !stays(o, outer) {
			continue
		}
		for inner = outer + 1; inner < len(s.Grid); inner++ {
			if several(s.Grid[inner]) && moves(o, inner) {
				return outer, inner, true
			}
		}
	}
	return 0, 0, false
}

// reread is a load of the output whose value goes into what is stored to it again.
func reread(k *infer.Kernel, o *infer.Operand) *infer.Event {
	for _, e := range k.Flow() {
		if e.Op == infer.OpLoad && !e.Unused && e.Refs[0].Alloc.Sole() == o.Ref.Alloc && storedBack(k, e, o) {
			return e
		}
	}
	return nil
}

func storedBack(k *infer.Kernel, load *infer.Event, o *infer.Operand) bool {
	values, _ := flows(k, load.Value)
	return load.Aug != "" || slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool {
		return e.Op == infer.OpStore && e.Refs[0].Alloc.Sole() == o.Ref.Alloc && has(values, e.Value)
	})
}

// parallelRevisits: the steps of a parallel axis may be done by several cores, in any order
// (jax/_src/pallas/mosaic/core.py CompilerParams.dimension_semantics).
var parallelRevisits = &rule.Rule{
	Name: "parallel-dim-revisits-output",
	Page: page("parallel_revisits.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		s := k.Site
		if s.API != "pallas_call" || !gridded(s) {
			return
		}
		for axis, loc := range parallel(s) {
			if axis >= len(s.Grid) || !several(s.Grid[axis]) || !within(p, loc) {
				continue
			}
			for _, o := range outputs(k) {
				if !stays(o, axis) {
					continue
				}
				if e := reread(k, o); e != nil {
					p.Report(loc, "axis %d is \"parallel\", but its steps add to one block of %s: on a chip whose cores share the grid each has a sum of its own", axis, name(o.Ref)).
						At(s.Loc).Also(e.Loc, "added here")
				}
			}
		}
	}),
}

// parallel are the axes that the compiler parameters call parallel, and where they do.
func parallel(s *infer.Site) map[int]parse.Loc {
	out := map[int]parse.Loc{}
	params, ok := s.Params.(*infer.Params)
	if !ok || params.Call == nil {
		return out
	}
	t, ok := sequence(params.Call.Arg("dimension_semantics"))
	if !ok || t.Rest != nil {
		return out
	}
	for i, v := range t.Head {
		if isParallel(v) {
			loc := t.ElemLoc(i)
			if !loc.Valid() {
				loc = params.Call.ArgLoc("dimension_semantics")
			}
			out[i] = loc
		}
	}
	return out
}

func isParallel(v infer.Value) bool {
	switch v := v.(type) {
	case infer.Str:
		return v == "parallel"
	case *infer.API:
		return v.Name == "jax.experimental.pallas.tpu.PARALLEL" || v.Name == "jax.experimental.pallas.tpu.GridDimensionSemantics.PARALLEL"
	}
	return false
}
