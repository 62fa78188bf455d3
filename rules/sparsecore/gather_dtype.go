package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// gatherDType models the dtype checks of jax/_src/pallas/mosaic/sc_primitives.py _gather_abstract_eval and _scatter_abstract_eval.
var gatherDType = &rule.Rule{
	Name: "plsc-gather-dtype",
	Page: page("gather_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Events {
			if e.Op != infer.OpGather && e.Op != infer.OpScatter {
				continue
			}
			ref := e.Refs[0]
			if no(ref.Type, jax.Int32, jax.Float32) {
				p.Report(e.Loc, "`%s` works on int32 and float32; `%s` is %s", e.Via, ref.Name, ref.Type).
					Says("TypeError: ref.dtype=%s must be int32 or float32", ref.Type)
				continue
			}
			if v := stored(e.Call); v != nil && e.Op == infer.OpScatter && no(v.DType, ref.Type) && ref.Type.Known() {
				p.Report(e.Loc, "%s values are scattered into `%s`, which is %s", v.DType, ref.Name, ref.Type).
					Says("TypeError: val.dtype=%s != ref.dtype=%s", v.DType, ref.Type).Offer(castTo(e.Call, "x", ref))
				continue
			}
			checkIndexDTypes(p, e)
		}
	},
}

// checkIndexDTypes models the verifier of the operations tpu.vector_load_idx and tpu.vector_store_idx.
func checkIndexDTypes(p *rule.Pass, e *infer.Event) {
	indices, ok := infer.Elements(e.Call.Arg("indices"))
	if !ok || !compiled(e.Kernel) {
		return
	}
	for i, v := range indices {
		x, ok := v.(*infer.Array)
		if !ok || !x.DType.Known() || x.DType.IsInteger() && x.DType.Bits() == 32 {
			continue
		}
		p.Report(e.Loc, "`%s` is given %s indices; they must be int32", e.Via, x.DType).
			Says("VerificationError: 'tpu.vector_load_idx' op operand #1 must be variadic of vector of 32-bit signless integer").Offer(integers(p, e.Call, i, len(indices)))
		return
	}
}
