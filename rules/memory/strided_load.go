package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// stridedLoad models what Mosaic's lowering of tpu.strided_load and tpu.strided_store refuses.
var stridedLoad = &rule.Rule{
	Name: "strided-load-lane",
	Page: page("strided_load.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, e := range accesses(k) {
			r := e.Refs[0]
			if !r.Spaces.Only(jax.VMEM) || dropped(e) || squeezed(r) || len(r.Steps) > 0 || e.Op == infer.OpStore && e.Aug != "" || !strided(e.Index) {
				continue
			}
			if what, says := stride(e, r); what != "" {
				p.Report(e.Loc, "%s with a stride %s", map[infer.Op]string{infer.OpLoad: "a load", infer.OpStore: "a store"}[e.Op], what).
					Says("MosaicError: INTERNAL: Mosaic failed to compile TPU kernel: %s", says)
			}
		}
	},
}

// strided: a subscript is known to skip elements.
func strided(index []infer.IndexItem) bool {
	for _, x := range index {
		if step, known := x.Step.Known(); known && x.Kind == infer.IndexSlice && step > 1 {
			return true
		}
	}
	return false
}

// stride says what is refused of a strided access; empty when nothing is known to be.
func stride(e *infer.Event, r *infer.Ref) (what, says string) {
	n, known := r.View.Rank()
	width, sized := r.View.Dim(-1).Known()
	bits := r.Type.Bits()
	switch {
	case !known:
		return "", ""
	case n == 1:
		return "needs two dimensions: lanes can't be skipped", "not implemented: Strided load with 1D vector"
	case sized && width > 128:
		return "needs a ref whose last dimension is at most 128, not " + r.View.Dim(-1).String(), "Not Implemented: The last dim size is not 128 in original base memref"
	case e.Op == infer.OpStore && bits > 0 && bits < 32 && r.Type != jax.Bool:
		return "is for elements of 32 bits, not " + r.Type.String(), "not implemented: Strided store with non 32-bit data"
	}
	for _, x := range e.Index {
		step, _ := x.Step.Known()
		start, static := x.Start.Known()
		switch {
		case x.Dim != n-1:
		case x.Kind == infer.IndexSlice && step > 1:
			return "can't skip lanes, in the last dimension", "Not Implemented: Stride on last dim is not 1"
		case (x.Kind == infer.IndexSlice || x.Kind == infer.IndexInt) && static && start != 0:
			return "starts at the first lane of the last dimension", "Not Implemented: Index on last dim is not 0"
		}
	}
	return "", ""
}
