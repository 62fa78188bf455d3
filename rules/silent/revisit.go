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
			if !found || !windowed(o) || mayRevisit(o) {
				continue
			}
			e := unwritten(k, o.Ref.Alloc, along(k, outer))
			if e == nil || !within(p, e.Loc) {
				continue
			}
			p.Report(e.Loc, "this adds to a block of %s that the grid leaves and comes back to: along axis %d the block stays, but axis %d inside it changes it, and what was there is not read in again",
				name(o.Ref), outer, inner).At(s.Loc).Also(specArg(p, s, o, "index_map"), "the index map").Also(gridArg(p, s, outer), "the axis that is summed over has to be the innermost")
		}
		for _, a := range allocated(k) {
			mixed(p, k, a)
		}
	}),
}

// along is the second step along an axis of the grid.
func along(k *infer.Kernel, axis int) step {
	s := first(k)
	s[axis] = 1
	return s
}

// mixed reports scratch that is carried along one axis of the grid, and started anew along another inside it.
func mixed(p *rule.Pass, k *infer.Kernel, a *infer.Alloc) {
	s := k.Site
	for outer := range s.Grid {
		e := unwritten(k, a, along(k, outer))
		if e == nil || !several(s.Grid[outer]) || !within(p, e.Loc) || !constant(k, a) {
			continue
		}
		for inner := outer + 1; inner < len(s.Grid); inner++ {
			if !several(s.Grid[inner]) || !anew(k, a, along(k, inner)) {
				continue
			}
			p.Report(e.Loc, "%s is added to along axis %d of the grid, but axis %d inside it starts it anew: what was added in one step of the outer axis is gone in the next",
				name(e.Refs[0]), outer, inner).At(s.Loc).Also(gridArg(p, s, outer), "the axis that is summed over has to be the innermost")
			return
		}
	}
}

// anew: in the step, all of the memory is stored to before anything of it is read.
func anew(k *infer.Kernel, a *infer.Alloc, s step) bool {
	for _, e := range k.Flow() {
		sure, maybe := s.done(e)
		switch {
		case !maybe:
		case mayRead(e, a):
			return false
		case mayWrite(e, a):
			return sure && e.Op == infer.OpStore && e.Accessed().Whole
		}
	}
	return false
}

// constant: every access to the memory is to the same place in every step.
func constant(k *infer.Kernel, a *infer.Alloc) bool {
	return !slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool {
		if !mayRead(e, a) && !mayWrite(e, a) {
			return false
		}
		return e.Op != infer.OpLoad && e.Op != infer.OpStore || !e.Accessed().Constant()
	})
}

// mayRevisit: the pipeline mode may ask for blocks that can be visited again (jax/_src/pallas/core.py RevisitMode).
func mayRevisit(o *infer.Operand) bool {
	if o.Spec == nil || o.Spec.Mode == nil {
		return false
	}
	switch m := o.Spec.Mode.(type) {
	case infer.None:
		return false
	case *infer.Params:
		v := m.Call.Arg("revisit")
		_, none := v.(infer.None)
		return m.Call.Open || v != nil && !none
	}
	return true
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
			for _, a := range carriers(k, axis) {
				if e := unwritten(k, a, along(k, axis)); e != nil {
					p.Report(loc, "axis %d is \"parallel\", but its steps hand %s on from one to the next: on a chip whose cores share the grid each has its own", axis, name(e.Refs[0])).
						At(s.Loc).Also(e.Loc, "read here, as the step before left it").
						Offer(inOrder(p, loc))
					break
				}
			}
		}
	}),
}

// carriers is the memory that keeps its content along the axis: the kernel's own, and blocks of outputs that stay.
func carriers(k *infer.Kernel, axis int) []*infer.Alloc {
	out := allocated(k)
	for _, o := range outputs(k) {
		if stays(o, axis) && windowed(o) {
			out = append(out, o.Ref.Alloc)
		}
	}
	return out
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
