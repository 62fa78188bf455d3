package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// gatherIndices models jax/_src/pallas/mosaic/sc_primitives.py _indexed_shape and the shape check of the lowering.
var gatherIndices = &rule.Rule{
	Name: "plsc-gather-indices",
	Page: page("gather_indices.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !compiled(k) {
			return
		}
		for _, e := range k.Events {
			if e.Op == infer.OpGather || e.Op == infer.OpScatter {
				checkIndices(p, e)
			}
		}
	},
}

func checkIndices(p *rule.Pass, e *infer.Event) {
	ref := e.Refs[0]
	if _, one := e.Call.Arg("indices").(*infer.Array); one {
		p.Report(e.Loc, "`%s` wants a list of index vectors, one for each dimension of `%s`; this is one array", e.Via, ref.Name).
			Says("TypeError: object of type 'ShapedArray' has no len()").Offer(listed(e.Call))
		return
	}
	indices, ok := infer.Elements(e.Call.Arg("indices"))
	if !ok {
		return
	}
	if rank, known := ref.View.Rank(); known && rank != len(indices) {
		p.Report(e.Loc, "`%s` has %d dimensions and gets %d indices", ref.Name, rank, len(indices)).
			Says("ValueError: The number of indices does not match ref.ndim=%d", rank)
		return
	}
	for i, v := range indices {
		shape, known := infer.ShapeOfValue(v)
		if n, ok := shape.Rank(); known && ok && n != 1 {
			d := p.Report(e.Loc, "an index of `%s` has shape %s; each is a vector with one element a lane", e.Via, shape).
				Says("ValueError: Indices must be a 1-D array, got an index with shape %s", shape)
			if n == 0 {
				d.Offer(everyLane(p, e.Call, i, indices))
			}
			return
		}
		size, sized := shape.Dim(0).Known()
		if l := lanes(p); e.Op == infer.OpGather && known && sized && l > 0 && size != l {
			p.Report(e.Loc, "`%s` gathers %d elements; a vector of this chip has %d", e.Via, size, l).
				Says("NotImplementedError: Gather only supports %s arrays of shapes [(%d,)], got (%d,)", ref.Type, l, size)
			return
		}
	}
	if len(indices) > 0 {
		checkElements(p, e, indices)
	}
}

// checkElements compares the value and the mask with what the indices select.
func checkElements(p *rule.Pass, e *infer.Event, indices []infer.Value) {
	first, known := infer.ShapeOfValue(indices[0])
	if !known {
		return
	}
	for _, v := range indices[1:] {
		if s, known := infer.ShapeOfValue(v); known {
			if eq, known := s.Equal(first); known && !eq {
				p.Report(e.Loc, "the indices of `%s` have shapes %s and %s; all must be as long", e.Via, first, s).
					Says("ValueError: Indices must have the same size, got %s and %s", first.Dim(0), s.Dim(0))
				return
			}
		}
	}
	if x := stored(e.Call); x != nil && e.Op == infer.OpScatter {
		if eq, known := x.Shape.Equal(first); known && !eq {
			p.Report(e.Call.ArgLoc("x"), "`%s` scatters shape %s by indices of shape %s; there must be one element for each index", name(e.Call), x.Shape, first).At(e.Loc).
				Says("ValueError: x.shape=%s does not match expected shape %s", x.Shape, first)
			return
		}
	}
	checkMask(p, e.Call, first, "expected shape %s does not match mask.shape=%s")
}

// listed makes a list of the one index that is given.
func listed(c *infer.Call) *rule.Fix {
	a := c.Bound["indices"]
	if a == nil || !a.Loc.Valid() {
		return nil
	}
	start, end := a.Loc, a.Loc
	start.End, end.Start = start.Start, end.End
	return &rule.Fix{Title: "Make a list of it", Safety: rule.Safe, Edits: []rule.Edit{{Loc: start, New: "["}, {Loc: end, New: "]"}}}
}
