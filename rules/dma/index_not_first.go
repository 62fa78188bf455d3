package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexNotFirst: jax/_src/pallas/mosaic/sc_lowering.py _extract_indirect_offsets_from_indices takes a list of indices from the first subscript
// only; elsewhere it goes on to tpu.memref_slice, whose verifier wants integers. A TensorCore's lowering takes no list at all.
var indexNotFirst = &rule.Rule{
	Name: "dma-indexed-by-list",
	Page: page("index_not_first.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTPU(k) {
			return
		}
		for _, e := range starts(k) {
			for _, slot := range []int{source, destination} {
				if e.Refs[slot] == nil {
					continue
				}
				for _, s := range e.Refs[slot].Steps {
					for i, x := range s.Index {
						if x.Kind == infer.IndexArray && (i > 0 || !k.Core.IsSparseCore()) && !numpy(x.Value) {
							listed(p, k, e, slot)
						}
					}
				}
			}
		}
	},
}

func listed(p *rule.Pass, k *infer.Kernel, e *infer.Event, slot int) {
	format := "%s is indexed by a list of numbers; a TensorCore copies rectangles, by integers and slices"
	if k.Core.IsSparseCore() {
		format = "%s is indexed by a list of numbers behind the first dimension; gathers and scatters select along the first one"
	}
	report(p, e, slot, format, text(e.Locs[slot], name(e.Refs[slot]))).
		Says("VerificationError: Pallas encountered an internal verification error. ... 'tpu.memref_slice' op operand must be variadic of 32-bit signless integer")
}

// numpy: the kernel captures a constant, which is refused before anything else.
func numpy(v infer.Value) bool {
	a, ok := v.(*infer.Array)
	return ok && a.NumPy
}
