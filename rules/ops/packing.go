package ops

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// stochasticRound models jax/_src/pallas/mosaic/primitives.py _stochastic_round_abstract_eval.
var stochasticRound = &rule.Rule{
	Name: "stochastic-round-args",
	Page: page("stochastic_round.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		x, ok1 := array(c.Arg("x"))
		bits, ok2 := array(c.Arg("random_bits"))
		to, typed := c.Arg("target_dtype").(infer.DTypeVal)
		lowered := !c.Kernel.Interpreted() && c.Kernel.Core.IsTPU()
		switch {
		case ok1 && lowered && x.DType.Known() && x.DType != jax.Float32:
			p.Report(c.ArgLoc("x"), "stochastic rounding of %s; it rounds float32 only", x.DType).At(c.Loc).
				Says("ValueError: Only float32 input is supported.")
		case typed && lowered && to.DType.Known() && !slices.Contains(roundsTo, to.DType):
			p.Report(c.ArgLoc("target_dtype"), "stochastic rounding to %s; it rounds to bfloat16, to floats of 8 and 4 bits and to int4", to.DType).At(c.Loc).
				Says("ValueError: Unsupported target dtype: %s", to.DType)
		case !ok1 || !ok2:
		case differ(x.Shape, bits.Shape):
			p.Report(c.ArgLoc("random_bits"), "random bits of shape %s for values of shape %s", bits.Shape, x.Shape).At(c.Loc).
				Says("ValueError: The shape of `random_bits` must match the shape of `x` for stochastic_round, but got %s and %s", bits.Shape, x.Shape)
		case bits.DType != "" && bits.DType != jax.Uint32:
			p.Report(c.ArgLoc("random_bits"), "random bits of type %s; convert them to uint32", bits.DType).At(c.Loc).
				Says("ValueError: The dtype of `random_bits` must be uint32 for stochastic_round, but got %s", bits.DType)
		}
	}), "jax.experimental.pallas.tpu.stochastic_round"),
}

// roundsTo are the types that jax/_src/pallas/mosaic/lowering.py _stochastic_round_lowering_rule takes.
var roundsTo = []jax.DType{jax.BFloat16, "float8_e5m2", "float8_e4m3fn", "float8_e4m3b11fnuz", "float4_e2m1fn", "int4"}

// packElementwise models jax/_src/pallas/mosaic/primitives.py _pack_elementwise_abstract_eval.
var packElementwise = &rule.Rule{
	Name: "pack-elementwise-args",
	Page: page("pack_elementwise.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		xs, ok := sequence(c.Arg("xs"))
		to, known := c.Arg("packed_dtype").(infer.DTypeVal)
		if !ok || !known || len(xs) == 0 {
			return
		}
		first := xs[0].DType
		for _, x := range xs[1:] {
			if differ(x.Shape, xs[0].Shape) {
				p.Report(c.Loc, "sources of shapes %s are packed together", shapes(xs)).Says("ValueError: All sources must have the same shape")
				return
			}
			if first != "" && x.DType != "" && x.DType != first {
				p.Report(c.Loc, "sources of types %s and %s are packed together", first, x.DType).Says("ValueError: All sources must have the same dtype")
				return
			}
		}
		d := to.DType
		switch {
		case first == "" || d == "" || d.Bits() == 0:
		case !(first == jax.Float32 && d == jax.BFloat16) && !(first.IsInteger() && d.IsInteger()):
			p.Report(c.Loc, "%s is packed as %s; float32 is packed as bfloat16, integers as integers", first, d).
				Says("ValueError: Only f32 -> bf16 and int -> int are supported. Got %s and %s", first, d)
		case first.Bits()/d.Bits() != len(xs):
			p.Report(c.Loc, "%s for %d elements of %s in one of %s", count(len(xs), "source"), first.Bits()/d.Bits(), d, first).
				Says("ValueError: The number of sources must match the packing factor (%d), got %d", first.Bits()/d.Bits(), len(xs))
		}
	}), "jax.experimental.pallas.tpu.pack_elementwise"),
}

// sequence are the arrays of a tuple or list.
func sequence(v infer.Value) ([]*infer.Array, bool) {
	if l, ok := v.(*infer.List); ok {
		v = l.Content()
	}
	t, ok := v.(*infer.Tuple)
	if !ok || t.Rest != nil || len(t.Tail) > 0 {
		return nil, false
	}
	var out []*infer.Array
	for _, e := range t.Head {
		a, ok := array(e)
		if !ok {
			return nil, false
		}
		out = append(out, a)
	}
	return out, true
}

// unpackElementwise models jax/_src/pallas/mosaic/primitives.py _unpack_elementwise_abstract_eval.
var unpackElementwise = &rule.Rule{
	Name: "unpack-elementwise-args",
	Page: page("unpack_elementwise.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		x, ok := array(c.Arg("x"))
		packed, ok1 := c.Arg("packed_dtype").(infer.DTypeVal)
		to, ok2 := c.Arg("unpacked_dtype").(infer.DTypeVal)
		if !ok || !ok1 || !ok2 || packed.DType.Bits() == 0 || to.DType.Bits() == 0 {
			return
		}
		index, known := number(c.Arg("index"))
		factor := int64(to.DType.Bits() / packed.DType.Bits())
		switch {
		case x.DType.Bits() > 0 && x.DType.Bits() != to.DType.Bits():
			p.Report(c.Loc, "%s is unpacked to %s, which has another width", x.DType, to.DType).
				Says("ValueError: The bitwidth of `x` must match the bitwidth of `unpacked_dtype` for unpack_elementwise, but got %s and %s", x.DType, to.DType)
		case known && (index < 0 || index >= factor):
			p.Report(c.ArgLoc("index"), "index %d: one %s holds %d elements of %s", index, to.DType, factor, packed.DType).At(c.Loc).
				Says("ValueError: Index %d is out of bounds for packing factor %d", index, factor)
		}
	}), "jax.experimental.pallas.tpu.unpack_elementwise"),
}
