package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// computed calls f for each subscript that is a place in a VMEM ref of a TensorCore kernel computed while it runs, counting dimensions from
// the end: -1 is the last one.
func computed(k *infer.Kernel, f func(e *infer.Event, x infer.IndexItem, dim int)) {
	if !onTensorCore(k) || k.Site.API != "pallas_call" {
		return
	}
	for _, e := range accesses(k) {
		r := e.Refs[0]
		n, known := rank(e)
		if !r.Spaces.Only(jax.VMEM) || !known || dropped(e) || e.Op == infer.OpStore && e.Aug != "" || !tileDims(r) || len(r.Steps) > 1 || len(r.Steps) == 1 && !folded(e) {
			continue
		}
		for _, x := range last(e) {
			if x.Dim >= 0 && (x.Kind == infer.IndexInt || x.Kind == infer.IndexSlice) {
				f(e, x, x.Dim-n)
			}
		}
	}
}

// rank is the number of dimensions of what the last indexing of an access applies to.
func rank(e *infer.Event) (int, bool) {
	if folded(e) {
		return e.Refs[0].Steps[0].From.Rank()
	}
	return e.Refs[0].View.Rank()
}

// tileDims: the last two dimensions that the kernel sees are those of the memory behind the block.
func tileDims(r *infer.Ref) bool {
	if !squeezed(r) {
		return true
	}
	spec := r.Operand.Spec
	if spec == nil || len(spec.Dims) < 2 {
		return false
	}
	for _, d := range spec.Dims[len(spec.Dims)-2:] {
		if d.Kind == "squeezed" || d.Kind == "unknown" {
			return false
		}
	}
	return true
}

// dynamicLane: Mosaic loads and stores from the first lane of a tile, and refuses a start of which it can't prove that.
var dynamicLane = &rule.Rule{
	Name: "dynamic-lane-slice",
	Page: page("dynamic_lane.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		computed(k, func(e *infer.Event, x infer.IndexItem, dim int) {
			if dim != -1 || !x.Start.Unproven(128) {
				return
			}
			p.Report(x.Loc, "this computed place in the last dimension is not known to be a multiple of 128, where a tile starts").At(e.Loc).
				Says("MosaicError: INTERNAL: Mosaic failed to compile TPU kernel: E2003: CompileTimeMosaicUnprovenMemoryAccessAlignment: cannot statically prove that index in dimension %d is a multiple of 128", x.Dim).
				Offer(aligned(p, x, 128))
		})
	},
}
