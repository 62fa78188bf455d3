package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// accesses calls f for each load and store of a SparseCore kernel that indexes a ref.
func accesses(k *infer.Kernel, f func(*infer.Event)) {
	if !compiled(k) {
		return
	}
	for _, e := range k.Events {
		if (e.Op == infer.OpLoad || e.Op == infer.OpStore) && e.Refs[0].Spaces.Only(jax.VMEM) {
			f(e)
		}
	}
}

// intAfterSlice models the index check of jax/_src/pallas/mosaic/sc_lowering.py for loads and stores.
var intAfterSlice = &rule.Rule{
	Name: "sc-int-index-after-slice",
	Page: page("int_after_slice.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		accesses(k, func(e *infer.Event) {
			sliced := false
			for _, x := range e.Index {
				n, known := x.Size.Known()
				switch x.Kind {
				case infer.IndexSlice, infer.IndexFull:
					if !known {
						return
					}
					sliced = sliced || n != 1
				case infer.IndexInt:
					if sliced {
						p.Report(e.Loc, "`%s` is indexed by an integer behind a slice; a SparseCore reads along the last dimension only", e.Refs[0].Name).
							Says("NotImplementedError: Integer indexing of refs that follows a non-trivial slice is not supported on SC").Offer(byIndices(p, e))
						return
					}
				default:
					return
				}
			}
		})
	},
}

// stridedAccess models the stride check of jax/_src/pallas/mosaic/sc_lowering.py _load_lowering_rule and _store_lowering_rule.
var stridedAccess = &rule.Rule{
	Name: "sc-strided-load",
	Page: page("strided.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		accesses(k, func(e *infer.Event) {
			for _, x := range e.Index {
				if s, ok := x.Step.Known(); ok && s != 1 && x.Kind == infer.IndexSlice {
					verb := map[infer.Op]string{infer.OpLoad: "Get", infer.OpStore: "Swap"}[e.Op]
					p.Report(e.Loc, "`%s` is accessed with a stride of %d; a SparseCore takes neighbours only", e.Refs[0].Name, s).
						Says("NotImplementedError: %s only supports slices with stride 1, got {strides}", verb).Offer(byIndices(p, e))
					return
				}
			}
		})
	},
}

// boolLoad models what Mosaic's verifier says of a vector load of booleans.
var boolLoad = &rule.Rule{
	Name: "sc-bool-load",
	Page: page("bool_load.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Core != jax.SCVectorSubcore {
			return
		}
		accesses(k, func(e *infer.Event) {
			if rank, known := e.Result.Rank(); e.Refs[0].Type == jax.Bool && e.RShape && known && rank > 0 {
				p.Report(e.Loc, "`%s` holds booleans; a vector subcore can't load or store those", e.Refs[0].Name).
					Says("VerificationError: 'tpu.vector_load' op Expected base and result element type to match.").Because(e.Refs[0].Why).
					Offer(asNumbers(p, k, e.Refs[0]))
			}
		})
	},
}
