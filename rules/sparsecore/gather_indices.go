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
	indices, ok := infer.Elements(e.Call.Arg("indices"))
	if !ok {
		return
	}
	ref := e.Refs[0]
	if rank, known := ref.View.Rank(); known && rank != len(indices) {
		p.Report(e.Loc, "`%s` has %d dimensions and gets %d indices", ref.Name, rank, len(indices)).
			Says("ValueError: The number of indices does not match ref.ndim=%d", rank)
		return
	}
	for _, v := range indices {
		shape, known := infer.ShapeOfValue(v)
		if n, ok := shape.Rank(); known && ok && n != 1 {
			p.Report(e.Loc, "an index of `%s` has shape %s; each is a vector with one element a lane", e.Via, shape).
				Says("ValueError: Indices must be a 1-D array, got an index with shape %s", shape)
			return
		}
		size, sized := shape.Dim(0).Known()
		if l := lanes(p); e.Op == infer.OpGather && known && sized && l > 0 && size != l {
			p.Report(e.Loc, "`%s` gathers %d elements; a vector of this chip has %d", e.Via, size, l).
				Says("NotImplementedError: Gather only supports %s arrays of shapes [(%d,)], got (%d,)", ref.Type, l, size)
			return
		}
	}
}
