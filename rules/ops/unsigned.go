package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scUnsigned is what libtpu's infer-vector-layout pass says of arith.extui on a vector subcore, where the elements are not booleans.
var scUnsigned = &rule.Rule{
	Name: "sc-unsigned-widening",
	Page: page("sc_unsigned.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) || k.Core != jax.SCVectorSubcore || !layoutPasses(k) {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if from, to, bad := widensUnsigned(prim); bad && !c.Unused {
					p.Report(c.Loc, "%s widens vectors of %s to %s; a vector subcore widens signed integers, take int%d and mask", callee(c), from, to, from.Bits()).
						Says("JaxRuntimeError: INTERNAL: Not implemented: non-i1 inputs")
					return
				}
			}
		})
	},
}

// widensUnsigned: the primitive makes wider integers of a vector of unsigned ones that only the run knows.
func widensUnsigned(prim infer.Prim) (from, to jax.DType, bad bool) {
	if prim.Name != "convert_element_type" || len(prim.In) != 1 || prim.In[0] == nil || prim.Out == nil || !prim.In[0].Traced || prim.In[0].Fill != nil {
		return "", "", false
	}
	from, to = prim.In[0].DType, prim.Out.DType
	rank, known := prim.Out.Shape.Rank()
	return from, to, known && rank > 0 && measured8[from] && to.IsInteger() && to.Bits() <= 32 && to.Bits() > from.Bits()
}

var measured8 = map[jax.DType]bool{jax.Uint8: true, jax.Uint16: true}
