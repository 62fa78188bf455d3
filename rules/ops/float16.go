package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// float16: libtpu has no vectors of float16 for a TensorCore, on any chip.
var float16 = &rule.Rule{
	Name: "dtype-float16",
	Page: page("float16.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		told := map[*infer.Alloc]bool{}
		for _, e := range k.Events {
			if e.Op != infer.OpLoad && e.Op != infer.OpStore || len(e.Refs) == 0 || e.Refs[0] == nil || e.Unused || !decided(e.Path) {
				continue
			}
			r := e.Refs[0]
			rank, known := e.Result.Rank()
			if r.Type != jax.Float16 || !known || rank == 0 || !r.Spaces.Only(jax.VMEM) || told[r.Alloc] {
				continue
			}
			told[r.Alloc] = true
			p.Report(e.Loc, "`%s` holds float16, which a TensorCore has no vectors of; use bfloat16 or float32, or convert outside of the kernel", r.Name).
				Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel ... Invalid vector type for load").Because(r.Why)
		}
		if len(told) > 0 {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if prim.Name == "convert_element_type" && prim.Out != nil && prim.Out.DType == jax.Float16 && len(prim.Out.Shape.Dims) > 0 {
					p.Report(c.Loc, "%s makes float16, which a TensorCore has no vectors of; use bfloat16, or convert outside of the kernel", callee(c)).
						Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel")
					return
				}
			}
		})
	},
}
