package ops

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// value64 models the test of widths in jax/_src/pallas/mosaic/lowering.py _convert_element_type_lowering_rule, and what else makes vectors of 64
// bits. Scalars and constants of 64 bits come through as long as nothing is done to them.
var value64 = &rule.Rule{
	Name: "value-64bit",
	Page: page("value_64.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.X64 != infer.X64On || !onTensorCore(k) && !onSparseCore(k) {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if d := makes64(k, prim); d != "" && !c.Unused {
					p.Report(c.Loc, "with jax_enable_x64 %s gives %s, and a TPU kernel has no 64-bit types; ask for %s", callee(c), d, d.Canonical()).
						Says("NotImplementedError: 64-bit types are not supported")
					return
				}
			}
		})
	},
}

// makes64 is the 64-bit type that a primitive makes, and that the compiler refuses; empty: none.
func makes64(k *infer.Kernel, prim infer.Prim) jax.DType {
	if prim.Out == nil || prim.Out.DType == prim.Out.DType.Canonical() || prim.Out.DType.Kind() == jax.KindComplex {
		return ""
	}
	refused := false
	switch prim.Name {
	case "convert_element_type":
		refused = len(prim.In) == 1 && prim.In[0] != nil && prim.In[0].DType.Known() && prim.In[0].DType != prim.Out.DType && prim.In[0].Index64 == infer.IndexNot64
	case "iota", "argmax", "argmin", "dot_general":
		refused = k.Core == jax.TensorCore
	case "select_n":
		refused = k.Core == jax.TensorCore && len(prim.In) == 3 && prim.In[0] != nil && prim.In[0].Traced && constantsDiffer(prim.In[1], prim.In[2])
	}
	if !refused {
		return ""
	}
	return prim.Out.DType
}

// constantsDiffer: both are constants, not the same, so that a choice between them remains one.
func constantsDiffer(a, b *infer.Array) bool {
	return a != nil && b != nil && plainConstant(a.Fill) && plainConstant(b.Fill) && a.Fill != b.Fill
}

func plainConstant(v infer.Value) bool {
	switch v.(type) {
	case infer.Float, infer.Bool:
		return true
	}
	return false
}

// loopIndex64 models what Mosaic's lowering makes of the index of a loop whose bounds are Python's (jax/_src/pallas/mosaic/lowering.py
// _lower_jaxpr_to_for_loop): an int32, which then meets the int64 that JAX has traced.
var loopIndex64 = &rule.Rule{
	Name: "loop-index-64bit",
	Page: page("loop_index_64.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.X64 != infer.X64On || !onTensorCore(k) && !onSparseCore(k) {
			return
		}
		tell := func(loc parse.Loc) {
			p.Report(loc, "with jax_enable_x64 the index of a loop over Python numbers is int64 to JAX and int32 to Mosaic; give the loop `jnp.int32` bounds").
				Says("VerificationError: Pallas encountered an internal verification error")
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if meets(prim) && !c.Unused {
					tell(c.Loc)
					return
				}
			}
		})
		for _, e := range k.Events {
			if indexesBy(e) && !e.Unused {
				tell(e.Loc)
			}
		}
	},
}

// meets: the primitive computes with such an index and something else, or makes another integer of it.
func meets(prim infer.Prim) bool {
	indices, others := 0, 0
	for _, a := range prim.In {
		switch {
		case a == nil: // a number of Python's
			others++
		case a.Index64 == infer.IndexLoop:
			return true
		case a.Index64 != infer.IndexNot64:
			indices++
		default:
			others++
		}
	}
	if prim.Name == "convert_element_type" {
		return indices == 1 && prim.Out != nil && prim.Out.DType.IsInteger() && prim.Out.DType != jax.Int64
	}
	return indices == 1 && others == 1 && arithmetic[prim.Name]
}

var arithmetic = map[string]bool{
	"add": true, "sub": true, "mul": true, "rem": true, "max": true, "min": true, "eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true,
}

// indexesBy: a load or store is at an index that pl.loop has computed.
func indexesBy(e *infer.Event) bool {
	for _, it := range e.Index {
		v := it.Value
		if d, ok := v.(*infer.Dynamic); ok {
			v = d.Start
		}
		if a, ok := v.(*infer.Array); ok && a.Index64 == infer.IndexLoop {
			return true
		}
	}
	return false
}
