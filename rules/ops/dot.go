package ops

import (
	"strings"

	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// product is a dot_general that a call binds.
type product struct {
	call      *infer.Call
	l, r, out *infer.Array
	precision infer.Value
}

// eachProduct calls f for each matrix product that a TensorCore kernel makes.
func eachProduct(k *infer.Kernel, f func(d product)) {
	if !onTensorCore(k) {
		return
	}
	eachLowered(k, func(c *infer.Call) {
		for _, prim := range c.Prims {
			if prim.Name == "dot_general" && len(prim.In) == 2 && prim.In[0] != nil && prim.In[1] != nil && prim.Out != nil {
				f(product{c, prim.In[0], prim.In[1], prim.Out, prim.Params["precision"]})
			}
		}
	})
}

// unsigned is the type of an operand of unsigned integers; empty when there is none.
func (d product) unsigned() jax.DType {
	for _, x := range []*infer.Array{d.l, d.r} {
		if x.DType.Kind() == jax.KindUint {
			return x.DType
		}
	}
	return ""
}

// dotRank models jax/_src/pallas/mosaic/lowering.py _dot_general_lowering_rule, whose first assertion wants an array as the result.
var dotRank = &rule.Rule{
	Name: "dot-rank",
	Page: page("dot_rank.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		eachProduct(k, func(d product) {
			if d.out.Shape.IsRank(0) && d.unsigned() == "" {
				p.Report(d.call.Loc, "%s of %s and %s gives a scalar; the matrix unit gives arrays: use `jnp.sum(x * y)`", callee(d.call), d.l.Shape, d.r.Shape).
					Says("AssertionError")
			}
		})
	},
}

// dotUnsigned models the first check of jax/_src/pallas/mosaic/lowering.py _dot_general_lowering_rule.
var dotUnsigned = &rule.Rule{
	Name: "dot-unsigned",
	Page: page("dot_unsigned.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		eachProduct(k, func(d product) {
			if t := d.unsigned(); t != "" {
				p.Report(d.call.Loc, "%s of %s: the matrix unit takes integers for signed ones; convert to a signed type first", callee(d.call), t).
					Says("NotImplementedError: Unsigned integer dtype %s is not supported for dot_general (matmul) on the Pallas Mosaic TPU backend because dot_general interprets all integer inputs as signed. Consider casting to a signed type before the dot operation.", t)
			}
		})
	},
}

// dotAccumulator models the verifier of the operation tpu.matmul.
var dotAccumulator = &rule.Rule{
	Name: "dot-accumulator-dtype",
	Page: page("dot_accumulator.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		eachProduct(k, func(d product) {
			bits := d.out.DType.Bits()
			if bits == 0 || bits >= 32 || d.out.DType == jax.Float16 || d.out.Shape.IsRank(0) || d.unsigned() != "" || matrixVector(d) {
				return
			}
			want := "jnp.float32"
			if d.out.DType.IsInteger() {
				want = "jnp.int32"
			}
			p.Report(d.call.Loc, "%s of %s and %s gives %s, but the matrix unit adds up in 32 bits: pass `preferred_element_type=%s`", callee(d.call), d.l.DType, d.r.DType, d.out.DType, want).
				Says("VerificationError: Pallas encountered an internal verification error. ... 'tpu.matmul' op Expected matmul acc to be 32-bit").
				Offer(preferred(p, d, want))
		})
	},
}

// preferred makes the product add up in 32 bits, and gives the result the type that it had. A precision that is refused then leaves nothing
// to offer.
func preferred(p *rule.Pass, d product, want string) *rule.Fix {
	if d.twoPrecisions() || d.partsOfNothing() != "" {
		return nil
	}
	obj, _ := p.Release.Lookup(d.call.API)
	if obj == nil || !hasParam(obj, "preferred_element_type") || d.call.Method != nil || d.call.Bound["preferred_element_type"] != nil {
		return nil
	}
	fix := setFlag(d.call, "preferred_element_type", want)
	if fix != nil {
		fix.Title = "Add up in 32 bits, then convert back"
		fix.Edits = append(fix.Edits, after(d.call, ".astype(jnp."+string(d.out.DType)+")"))
	}
	return fix
}

// matrixVector: JAX multiplies and adds up instead, in whatever type, when the right side is one row and both are contracted along
// their rows; also when that is not known.
func matrixVector(d product) bool {
	if d.l.Shape.Dims == nil || d.r.Shape.Dims == nil {
		return true
	}
	if !d.l.Shape.IsRank(2) || !d.r.Shape.IsRank(2) {
		return false
	}
	n, known := d.r.Shape.Dims[0].Known()
	return !known || n == 1
}

// dotInteger: what libtpu multiplies.
var dotInteger = &rule.Rule{
	Name: "dot-integer-width",
	Page: page("dot_integer.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		eachProduct(k, func(d product) {
			a := d.l.DType
			if a != d.r.DType || a != jax.Int32 && a != jax.Int16 && a != jax.Bool || d.out.Shape.IsRank(0) || d.out.DType.Bits() != 32 {
				return
			}
			p.Report(d.call.Loc, "%s of %s: the matrix unit multiplies floats and integers of 8 bits; convert to float32 first", callee(d.call), a).
				Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel")
		})
	},
}

// dotPrecision models the checks of jax/_src/pallas/mosaic/lowering.py _dot_general_lowering_rule, and what libtpu takes.
var dotPrecision = &rule.Rule{
	Name: "dot-precision",
	Page: page("dot_precision.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		eachProduct(k, func(d product) {
			if d.out.Shape.IsRank(0) || d.unsigned() != "" || d.out.DType.Bits() != 32 || matrixVector(d) {
				return
			}
			if d.twoPrecisions() {
				p.Report(d.call.Loc, "%s with a precision for each side; a kernel has one for both", callee(d.call)).
					Says("NotImplementedError: Per-operand dot precision unsupported").
					Offer(edit.WithoutArg(p, d.call, "precision", rule.Unsafe))
				return
			}
			if name := d.partsOfNothing(); name != "" {
				p.Report(d.call.Loc, "%s of %s with precision %s, which splits float32 into parts: there is nothing to split; leave the precision out", callee(d.call), d.narrow(), name).
					Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel ... Bad lhs type").
					Offer(edit.WithoutArg(p, d.call, "precision", rule.Unsafe))
			}
		})
	},
}

// precisions are the names of the precisions of both sides, as far as they are known.
func (d product) precisions() (l, r string) {
	if t, ok := d.precision.(*infer.Tuple); ok && len(t.Head) == 2 {
		return precisionName(t.Head[0]), precisionName(t.Head[1])
	}
	name := precisionName(d.precision)
	return name, name
}

func (d product) twoPrecisions() bool {
	l, r := d.precisions()
	return l != "" && r != "" && l != r
}

// partsOfNothing is the precision that wants the parts of operands which have none; empty when all is well.
func (d product) partsOfNothing() string {
	name, _ := d.precisions()
	if d.narrow() != "" && (name == "HIGHEST" || name == "HIGH") {
		return name
	}
	return ""
}

// narrow is the type of an operand of floats of less than 32 bits; empty when there is none.
func (d product) narrow() jax.DType {
	for _, x := range []*infer.Array{d.l, d.r} {
		if bits := x.DType.Bits(); x.DType.IsFloat() && bits < 32 && x.DType != jax.Float16 {
			return x.DType
		}
	}
	return ""
}

// precisionName is a member of jax.lax.Precision; empty when the value is none or not known.
func precisionName(v infer.Value) string {
	switch v := v.(type) {
	case *infer.API:
		i := strings.LastIndexByte(v.Name, '.')
		if strings.HasSuffix(v.Name[:max(i, 0)], "Precision") {
			return v.Name[i+1:]
		}
	case infer.Str:
		switch strings.ToLower(string(v)) {
		case "highest", "float32":
			return "HIGHEST"
		case "high", "tensorfloat32", "bfloat16_3x":
			return "HIGH"
		case "default", "bfloat16", "fastest":
			return "DEFAULT"
		}
	}
	return ""
}
