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
			if v, ok := e.Value.(*infer.Array); ok && e.Op == infer.OpScatter && !v.Weak && no(v.DType, ref.Type) && ref.Type.Known() {
				p.Report(e.Loc, "%s values are scattered into `%s`, which is %s", v.DType, ref.Name, ref.Type).
					Says("TypeError: val.dtype=%s != ref.dtype=%s", v.DType, ref.Type)
			}
		}
	},
}
