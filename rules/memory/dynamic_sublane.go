package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// dynamicSublane: rows of narrow types are packed, and Mosaic refuses a start of which it can't prove that a tile of rows begins there.
var dynamicSublane = &rule.Rule{
	Name: "dynamic-sublane-slice",
	Page: page("dynamic_sublane.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		computed(k, func(e *infer.Event, x infer.IndexItem, dim int) {
			d := e.Refs[0].Type
			tile := map[int]int64{16: 8, 8: 32}[d.Bits()]
			if dim != -2 || tile == 0 || d == jax.Bool {
				return
			}
			need := tile
			if rows, known := e.Refs[0].View.Dim(-2).Known(); !known || rows < tile || len(e.Refs[0].Steps) > 0 {
				need = 2 // fewer rows have smaller tiles
			}
			if !x.Start.Unproven(need) {
				return
			}
			p.Report(x.Loc, "this computed row of %s is not known to be a multiple of %d, where a tile of packed rows starts", d, tile).At(e.Loc).
				Says("MosaicError: INTERNAL: Mosaic failed to compile TPU kernel: E2003: CompileTimeMosaicUnprovenMemoryAccessAlignment: cannot statically prove that index in dimension %d is a multiple of %d", x.Dim, tile).
				Offer(aligned(p, x, tile))
		})
	},
}
