package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// lacks says for which integers a TensorCore's compiler has no vector operation.
type lacks struct{ signed8, unsigned8, signed16, unsigned16 bool }

// lacking are the primitives that are lacking for some. Asked of libtpu for v4, v5e, v6e and 7x.
var lacking = map[string]lacks{
	"add":         {true, true, false, false},
	"sub":         {true, true, false, false},
	"mul":         {true, true, false, false},
	"neg":         {true, true, false, false},
	"integer_pow": {true, true, false, false},
	"max":         {true, true, true, true},
	"min":         {true, true, true, true},
	"div":         {true, false, true, false},
	"rem":         {true, true, true, false},
	"abs":         {true, false, false, false},
}

// narrowArithmetic: what libtpu says of vectors of integers of 8 and 16 bits.
var narrowArithmetic = &rule.Rule{
	Name: "narrow-integer-arithmetic",
	Page: page("narrow.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				d := narrowOperand(prim)
				if d == "" || folds(c) {
					continue
				}
				p.Report(c.Loc, "%s of %s vectors: a TensorCore has no `%s` for them; convert to int32 with `.astype(jnp.int32)` before, and back after", callee(c), d, prim.Name).
					Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel")
				return
			}
		})
	},
}

// narrowOperand is the type of vectors for which the primitive is lacking; empty when it is not.
func narrowOperand(prim infer.Prim) jax.DType {
	row, ok := lacking[prim.Name]
	if !ok || prim.Out == nil {
		return ""
	}
	rank, known := prim.Out.Shape.Rank()
	d := prim.Out.DType
	if !known || rank == 0 {
		return ""
	}
	switch {
	case d == jax.Int8 && row.signed8, d == jax.Uint8 && row.unsigned8, d == jax.Int16 && row.signed16, d == jax.Uint16 && row.unsigned16:
		return d
	}
	return ""
}

// folds: the compiler may see that there is nothing to compute: an operand is 0 or 1 everywhere, or both are the same.
func folds(c *infer.Call) bool {
	var first infer.Value
	for i, a := range c.Args {
		switch v := a.Value.(type) {
		case *infer.Array:
			same := infer.Value(v) == first || i > 0 && a.Loc.Text() != "" && a.Loc.Text() == c.Args[0].Loc.Text()
			if v.Fill != nil || i > 0 && same && !doubles[c.API] {
				return true
			}
		case *infer.Int:
			if n, known := v.Known(); !known || n >= -1 && n <= 1 && i == 0 || n == 0 || n == 1 && !keepsOne[c.API] {
				return true
			}
		default:
			return true
		}
		if i == 0 {
			first = a.Value
		}
	}
	return false
}

// keepsOne are functions that compute something with 1 as the second operand.
var keepsOne = map[string]bool{"jax.numpy.add": true, "jax.numpy.subtract": true, "jax.numpy.maximum": true, "jax.numpy.minimum": true}

// doubles are functions that compute something of twice the same operand.
var doubles = map[string]bool{"jax.numpy.add": true, "jax.numpy.multiply": true}
