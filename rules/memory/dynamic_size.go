package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// dynamicSize: the value of a load has a static shape (jax/_src/state/indexing.py DShapedArray is no type of a value). Copies may have a size
// that is computed.
var dynamicSize = &rule.Rule{
	Name: "dynamic-ds-size",
	Page: page("dynamic_size.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range accesses(k) {
			for _, x := range last(e) {
				d, ok := x.Value.(*infer.Dynamic)
				if !ok {
					continue
				}
				if size, ok := d.Size.(*infer.Array); ok && size.Traced {
					p.Report(x.Loc, "the size of this slice is computed in the kernel; a load or store has a size that is known while tracing").At(e.Loc).
						Says("AssertionError: DShapedArray(shape=(ShapedArray(int32[])")
				}
			}
		}
	},
}
