package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scGatherElement models what libtpu's sc_tpu.enqueue_indirect_transfer wants of the data.
var scGatherElement = &rule.Rule{
	Name: "sc-dma-gather-element",
	Page: page("gather_element.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, g := range gathers(k) {
			if !g.sound() || g.step != len(g.ref.Steps)-1 {
				continue
			}
			if bits := g.ref.Type.Bits(); bits != 0 && bits != 32 {
				g.report(p, "%s selects %s elements; a gather or scatter moves 32-bit elements only", g.text(), g.ref.Type).
					Says("JaxRuntimeError: INTERNAL: 'sc_tpu.enqueue_indirect_transfer' op Not implemented: only 32-bit elements are supported.")
				continue
			}
			n, _ := g.ref.View.Rank()
			width, known := g.ref.View.Dim(-1).Known()
			if n < 2 || !known || width%128 == 0 || !g.ref.Spaces.Only(jax.HBM) || !tiled(k) {
				continue
			}
			g.report(p, "%s selects rows of %d elements; from and to HBM, rows of a gather or scatter are multiples of 128 elements wide", g.text(), width).
				Says("JaxRuntimeError: INTERNAL: 'sc_tpu.enqueue_indirect_transfer' op Not implemented: expected slice size (%d) to be aligned with tiling (128).", width).
				Offer(untiled(p, k))
		}
	},
}

// tiled: arrays in HBM are known to have the TensorCore's tiles, which is the default (CompilerParams use_tc_tiling_on_sc).
func tiled(k *infer.Kernel) bool {
	for k.Outer != nil {
		k = k.Outer
	}
	switch v := k.Site.Params.(type) {
	case nil, infer.None:
		return true
	case *infer.Params:
		switch on := v.Call.Arg("use_tc_tiling_on_sc").(type) {
		case nil, infer.None:
			return !v.Call.Open
		case infer.Bool:
			return bool(on)
		}
	}
	return false
}
