package infer

import "pallas-lsp/rules/jax"

// powerOf models jax.numpy.power: an integer exponent that is known to Python becomes integer_pow.
func powerOf(t *tracing) Value {
	pos, _ := t.call.Args.positional()
	if len(pos) < 2 {
		pos = t.named([2]string{"x1", "x2"})
	}
	if len(pos) < 2 {
		return t.unknown()
	}
	l, r := t.ip.resolve(pos[0].Value), t.ip.resolve(pos[1].Value)
	in, ok := t.operands(l, r)
	if !ok {
		return Unknown
	}
	x, y := in[0], in[1]
	if t.numpy {
		return t.apply2("jax.numpy.power", l, r, x, y)
	}
	if staticInt(r) {
		return t.toInteger(x, asInt(r))
	}
	if y.Traced && x.DType.IsFloat() && y.DType.IsInteger() {
		return t.floatToInt(x, y)
	}
	return t.apply2("jax.numpy.power", l, r, x, y)
}

// toInteger is x to the power of a Python int.
func (t *tracing) toInteger(x *Array, y *Int) Value {
	if k, known := y.Known(); known && k < 0 && x.DType.IsInteger() {
		t.fault("op-dtype", string(x.DType), x)
		return Unknown
	}
	if x.DType == jax.Bool {
		x = t.convert(x, jax.Int32, false)
	}
	out := t.result(x.Shape, x.DType, x.Weak, x)
	return t.bind("integer_pow", out, map[string]Value{"y": dimValue(y)}, x)
}

// floatToInt is x ** y for a float array and an integer one.
func (t *tracing) floatToInt(x, y *Array) Value {
	shape, fits := t.broadcastOf(x, y)
	if !fits {
		return Unknown
	}
	x, y = t.toRank(x, y)
	out := t.result(shape, x.DType, x.Weak, x, y)
	return t.bind("pow", out, nil, x, y)
}

func laxPow(t *tracing) Value {
	in, ok := t.operands(t.given("x", 0), t.given("y", 1))
	if !ok {
		return Unknown
	}
	shape, fits := t.broadcastOf(in...)
	if !fits {
		return Unknown
	}
	return t.bind("pow", t.result(shape, in[0].DType, in[0].Weak, in...), nil, in...)
}

func integerPow(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	return t.toInteger(x, asInt(t.given("y", 1)))
}
