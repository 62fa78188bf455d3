package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// lojaxMixed models jax/_src/pallas/mosaic/primitives.py _dma_start_to_lojax: once an operand is of a hijax type, both ends must be, and the
// semaphores must not. A ref is high if and only if its element type derives from HiType.
var lojaxMixed = &rule.Rule{
	Name: "dma-lojax-mixed-high",
	Page: page("lojax_mixed.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range starts(k) {
			src, dst := e.Refs[source], e.Refs[destination]
			if src == nil || dst == nil {
				continue
			}
			slot, high := destination, src
			switch {
			case src.High && ordinary(dst):
			case dst.High && ordinary(src):
				slot, high = source, dst
			default:
				continue
			}
			report(p, e, slot, "%s holds values of `%s`, a type of its own, and %s holds %s; a copy between the two has no lowering",
				name(high), typeName(high), text(e.Locs[slot], "the other end"), e.Refs[slot].Type).
				Says("NotImplementedError: dma_start not implemented in LoJAX yet.").
				Also(high.Alloc.Loc, "%s gets its element type here", name(high)).
				Offer(stage.Like(p, e)...)
		}
	},
}

// ordinary: the ref certainly holds numbers.
func ordinary(r *infer.Ref) bool { return !r.High && r.Type != "" && !r.Type.IsExtended() }

func typeName(r *infer.Ref) string {
	if r.HiType == nil {
		return "HiType"
	}
	return r.HiType.Name
}
