package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scMixedWidth is what libtpu's infer-vector-layout pass says of conversions on a vector subcore (measured for all pairs of float32, bfloat16,
// int32, int16, int8 and uint8).
var scMixedWidth = &rule.Rule{
	Name: "sc-mixed-bitwidth",
	Page: page("mixed_width.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) || k.Core != jax.SCVectorSubcore || !layoutPasses(k) {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if from, to, bad := mixes(prim); bad && !c.Unused {
					p.Report(c.Loc, "%s converts vectors from %s to %s; between integers and floats a vector subcore keeps the width, go by %s", callee(c), from, to, between(from, to)).
						Says("JaxRuntimeError: INTERNAL: Operands must have consistent bitwidth (except i1), found %d vs %d", to.Bits(), from.Bits())
					return
				}
			}
		})
	},
}

// mixes: the primitive converts a vector that only the run knows between an integer and a float of different widths.
func mixes(prim infer.Prim) (from, to jax.DType, bad bool) {
	if prim.Name != "convert_element_type" || len(prim.In) != 1 || prim.In[0] == nil || prim.Out == nil || !prim.In[0].Traced || prim.In[0].Fill != nil {
		return "", "", false
	}
	from, to = prim.In[0].DType, prim.Out.DType
	rank, known := prim.Out.Shape.Rank()
	if !known || rank == 0 || from.Bits() == to.Bits() {
		return "", "", false
	}
	return from, to, measured[from] && measured[to] && from.IsFloat() != to.IsFloat()
}

var measured = map[jax.DType]bool{jax.Float32: true, jax.BFloat16: true, jax.Int32: true, jax.Int16: true, jax.Int8: true, jax.Uint8: true}

// between is the type that lies between the two: of the kind of one and the width of the other.
func between(from, to jax.DType) jax.DType {
	float, integer := from, to
	if to.IsFloat() {
		float, integer = to, from
	}
	switch {
	case float == jax.Float32:
		return jax.Int32
	case integer == jax.Int32:
		return jax.Float32
	}
	return jax.Int16
}

// layoutPasses: the kernel runs Mosaic's layout passes, which is the default.
func layoutPasses(k *infer.Kernel) bool {
	switch v := k.Root().Site.Params.(type) {
	case nil, infer.None:
		return !k.Root().Site.Call.Open
	case *infer.Params:
		switch on := v.Call.Arg("needs_layout_passes").(type) {
		case nil:
			return !v.Call.Open
		case infer.Bool:
			return bool(on)
		}
	}
	return false
}
