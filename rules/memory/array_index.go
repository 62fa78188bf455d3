package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// listed are the accesses that an array of indices selects from, with the array's subscript. Numpy arrays are left out: that the kernel
// captures them comes first.
func listed(k *infer.Kernel, f func(e *infer.Event, x infer.IndexItem)) {
	for _, e := range accesses(k) {
		if e.Via != "indexing" || dropped(e) || e.Op == infer.OpStore && e.Aug != "" {
			continue
		}
		for _, x := range last(e) {
			if x.Kind != infer.IndexArray {
				continue
			}
			if a, ok := x.Value.(*infer.Array); ok && (a.NumPy || a.DType == "") {
				continue
			}
			f(e, x)
			break
		}
	}
}

// arrayIndex models jax/_src/pallas/mosaic/lowering.py _canonicalize_transforms_to_indexer.
var arrayIndex = &rule.Rule{
	Name: "ref-array-index",
	Page: page("array_index.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		listed(k, func(e *infer.Event, x infer.IndexItem) {
			p.Report(x.Loc, "%s is indexed by %s; a TensorCore loads and stores rectangles, by integers and slices", name(e.Refs[0]), list(x)).At(e.Loc).
				Says("ValueError: Cannot do int indexing on TPU")
		})
	},
}

// list says what the subscript is.
func list(x infer.IndexItem) string {
	if a, ok := x.Value.(*infer.Array); ok && a.DType == jax.Bool {
		return "a mask"
	}
	return "an array"
}
