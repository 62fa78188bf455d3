package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// boundedSlice models jax/_src/pallas/mosaic/lowering.py lower_jaxpr_into_pipelined_module.
var boundedSlice = &rule.Rule{
	Name: "bounded-slice-in-pallas-call",
	Page: page("bounded_slice.md"),
	Site: windows(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		for _, d := range o.Spec.Dims {
			name := map[string]string{"bounded_slice": "BoundedSlice", "indirect": "Indirect"}[d.Kind]
			if name == "" {
				continue
			}
			p.Report(specArg(p, s, o, "block_shape"), "the block of %s has a `pl.%s` dimension, which pallas_call can't pipeline; pltpu.emit_pipeline can", o.Title(), name).
				Says("NotImplementedError: Unsupported block dimension type: <class 'jax._src.pallas.core.%s'> for block shape: ...", name)
			return
		}
	}),
}

// elementMixed models the same function's check of Element dimensions.
var elementMixed = &rule.Rule{
	Name: "element-mixed",
	Page: page("element_mixed.md"),
	Site: windows(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		element, blocked := false, -1
		for i, d := range o.Spec.Dims {
			switch d.Kind {
			case "element":
				element = true
			case "blocked":
				blocked = i
			case "squeezed":
			default:
				return
			}
		}
		if !element || blocked < 0 {
			return
		}
		p.Report(specArg(p, s, o, "block_shape"), "the block of %s mixes `pl.Element` with plain dimensions (dimension %d); all must be `pl.Element` or none, squeezed ones aside", o.Title(), blocked).
			Says("NotImplementedError: All block dimensions must be Elements or none of them can be Elements.").
			Offer(allElements(p, o))
	}),
}

// windows calls f for every block with a shape that the pipeline around a pallas_call moves: there is a grid, and the operand is not
// left where it is.
func windows(f func(*rule.Pass, *infer.Site, *infer.Operand)) func(*rule.Pass, *infer.Site) {
	return each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if o.Spec != nil && s.GridKnown && len(s.Grid) > 0 && o.Ref.Spaces.Never(jax.ANY, jax.HBM, jax.Semaphore) {
			f(p, s, o)
		}
	})
}
