package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// eachBound calls f for the primitives that the calls of a TensorCore kernel bind and whose operand is known, up to the first of a call that f
// has something to say about.
func eachBound(k *infer.Kernel, f func(*infer.Call, infer.Prim) bool) {
	if !onTensorCore(k) {
		return
	}
	eachLowered(k, func(c *infer.Call) {
		for _, prim := range c.Prims {
			if len(prim.In) > 0 && prim.In[0] != nil && f(c, prim) {
				return
			}
		}
	})
}

// reduceInteger models the dtype check of jax/_src/pallas/mosaic/lowering.py reduce_lowering_rule.
var reduceInteger = &rule.Rule{
	Name: "reduce-integer",
	Page: page("reduce_integer.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		eachBound(k, func(c *infer.Call, prim infer.Prim) bool {
			switch prim.Name {
			case "reduce_sum", "reduce_max", "reduce_min":
			default:
				return false
			}
			d := prim.In[0].DType
			if !d.IsInteger() && d != jax.Bool || d == jax.Int32 || d.Bits() > 32 {
				return false
			}
			says := "Reductions over " + string(d) + " not implemented."
			if d.Kind() == jax.KindUint {
				says = "Reductions over unsigned integers not implemented."
			}
			p.Report(c.Loc, "%s reduces %s; of the integers a TensorCore reduces int32 only: convert with `.astype(jnp.int32)` before, and back after", callee(c), d).
				Says("NotImplementedError: %s", says).
				Offer(asInt32(p, c, prim.Name, d))
			return true
		})
	},
}

// argmaxDType models jax/_src/pallas/mosaic/lowering.py _reduce_index_helper, and what libtpu has instructions for.
var argmaxDType = &rule.Rule{
	Name: "argmax-dtype",
	Page: page("argmax_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		eachBound(k, func(c *infer.Call, prim infer.Prim) bool {
			if prim.Name != "argmax" && prim.Name != "argmin" {
				return false
			}
			d := prim.In[0].DType
			switch {
			case d == "" || d == jax.Float32:
				return false
			case d == jax.BFloat16 && (p.Chip == nil || p.Chip.Generation >= 6):
				return false
			case d == jax.BFloat16:
				p.Report(c.Loc, "%s of bfloat16: a TPU %s finds positions among float32 only; convert with `.astype(jnp.float32)` first", callee(c), p.Chip.Name).
					Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel ... Target does not support this comparison").
					Offer(widened(p, c, jax.Float32))
			default:
				p.Report(c.Loc, "%s of %s: a TensorCore finds positions among floats only; convert with `.astype(jnp.float32)` first", callee(c), d).
					Says("NotImplementedError: Unsupported combination of input dtype (%s) and index_dtype (int32) for reduce_index", d).
					Offer(widened(p, c, jax.Float32))
			}
			return true
		})
	},
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) { // finds the first true condition by argmax
		if prims, _ := p.Release.Binds(c.API, jax.KindBool, -1); len(c.Args) < 2 || !contains(prims, "argmax") {
			return
		}
		p.Report(c.Loc, "%s finds the first true condition with an argmax of booleans, which a TensorCore does not; nest `jnp.where` instead", callee(c)).
			Says("NotImplementedError: Unsupported combination of input dtype (bool) and index_dtype (int32) for reduce_index")
	}), "jax.numpy.select"),
}

func contains(list []string, x string) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// scalarExtract models jax/_src/pallas/mosaic/lowering.py _squeeze_lowering_rule, also where a reduction to a scalar ends in it.
var scalarExtract = &rule.Rule{
	Name: "scalar-extract-dtype",
	Page: page("scalar_extract.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !k.Core.IsTPU() || k.Interpreted() {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			d := extracted(k, c)
			if d == "" || d.IsExtended() || d.Bits() == 0 || d.ItemSize() >= 4 {
				return
			}
			p.Report(c.Loc, "%s takes a %s scalar out of a vector; only 32-bit elements become scalars: convert the vector first", taken(c), d).
				Says("ValueError: Only arrays with 32-bit element types can be converted to scalars, but got: %s. Try casting the input before squeezing the scalar.", d).
				Offer(extractWide(p, c, d))
		})
	},
}

// taken is what the author wrote: the function, or the subscripts.
func taken(c *infer.Call) string {
	if c.API == getItem {
		return written(c.Loc, "this")
	}
	return callee(c)
}

// extracted is the type of the scalar that a call takes out of a vector; empty when it takes none.
func extracted(k *infer.Kernel, c *infer.Call) jax.DType {
	if len(c.Prims) == 0 {
		return ""
	}
	if c.Prims[len(c.Prims)-1].Name == "squeeze" {
		if x, ok := array(c.Result); ok && x.Shape.IsRank(0) {
			return x.DType
		}
		return ""
	}
	for _, prim := range c.Prims {
		extreme := prim.Name == "reduce_max" || prim.Name == "reduce_min"
		if extreme && prim.Out != nil && prim.Out.Shape.IsRank(0) && prim.In[0] != nil && prim.In[0].DType.IsFloat() && k.Core == jax.TensorCore {
			return prim.In[0].DType
		}
	}
	return ""
}
