package infer

import (
	"strings"

	"pallas-lsp/rules/jax"
)

// numpyDelegates are the functions of numpy that call the method of that name of what is no numpy array; the others convert it, which fails
// for tracers.
var numpyDelegates = names("sum prod max amax min amin mean std var any all argmax argmin cumsum cumprod reshape ravel transpose swapaxes squeeze take " +
	"repeat sort argsort clip round diagonal trace shape ndim size result_type")

func names(list string) map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields(list) {
		out[n] = true
	}
	return out
}

// numpyUnary is an elementwise function of numpy: of the type only what is the same in JAX for floats is known.
func (t *tracing) numpyUnary(name string, x *Array) Value {
	if x.Traced {
		t.fault("numpy-on-traced", name, x)
		return Unknown
	}
	out := t.result(x.Shape, t.always(name, "a"), false, x)
	if p, ok := lookupElementwise(name, "a", jax.Float32, false); ok && out.DType == "" && x.DType.IsFloat() && p.resultDType(jax.Float32) == jax.Float32 {
		out.DType = x.DType
	}
	if base := strings.TrimPrefix(name, "jax.numpy."); x.DType == jax.Bool {
		return out
	} else if base == "negative" || base == "positive" || base == "abs" || base == "square" || base == "sign" {
		out.DType = x.DType
	}
	return out
}

// numpyKeeps are the functions that give the common type of their operands.
var numpyKeeps = map[string]bool{
	"add": true, "subtract": true, "multiply": true, "floor_divide": true, "remainder": true, "mod": true, "maximum": true, "minimum": true, "power": true,
	"bitwise_and": true, "bitwise_or": true, "bitwise_xor": true, "left_shift": true, "right_shift": true, "fmax": true, "fmin": true,
}

// numpyBinary is an elementwise function of numpy for two operands.
func (t *tracing) numpyBinary(name string, shape Shape, l, r Value, a, b *Array) Value {
	if a.Traced || b.Traced {
		if t.call.Node != nil {
			t.fault("numpy-on-traced", name, a, b)
		}
		return Unknown
	}
	d := t.always(name, "aa")
	base := strings.TrimPrefix(name, "jax.numpy.")
	common := numpyCommon(l, r, a, b)
	switch {
	case numpyKeeps[base] && common != jax.Bool:
		d = common
	case (base == "divide" || base == "true_divide") && common.IsFloat():
		d = common
	case (base == "divide" || base == "true_divide") && common.IsInteger() && common.Bits() >= 32:
		d = jax.Float64
	}
	out := t.result(shape, d, false, a, b)
	out.Lin = linBinary(name, out, a, b)
	return out
}

// numpyCommon is numpy's type of arithmetic: Python's numbers give way where they can (NEP 50).
func numpyCommon(l, r Value, a, b *Array) jax.DType {
	switch {
	case isPython(l) && isPython(r):
		return numpyPromote(a.DType, b.DType)
	case isPython(l):
		return numpyWith(b.DType, l)
	case isPython(r):
		return numpyWith(a.DType, r)
	}
	return numpyPromote(a.DType, b.DType)
}

func numpyWith(d jax.DType, v Value) jax.DType {
	_, float := v.(Float)
	switch {
	case d.IsFloat(), d.IsInteger() && !float:
		return d
	case d.IsInteger() && float:
		return jax.Float64
	}
	return ""
}

// numpyPromote is numpy.promote_types for the types that numpy has itself.
func numpyPromote(a, b jax.DType) jax.DType {
	if a == b {
		return a
	}
	if a.Bits() == 0 || b.Bits() == 0 || exotic(a) || exotic(b) {
		return ""
	}
	if a == jax.Bool {
		return b
	}
	if b == jax.Bool {
		return a
	}
	if a.Bits() < b.Bits() {
		a, b = b, a
	}
	switch {
	case a.Kind() == b.Kind():
		return a
	case a.IsFloat() && b.IsInteger():
		return floatFor(a, b)
	case b.IsFloat() && a.IsInteger():
		return floatFor(b, a)
	case a.Kind() == jax.KindInt && b.Kind() == jax.KindUint && a.Bits() > b.Bits():
		return a
	}
	return ""
}

func floatFor(f, n jax.DType) jax.DType {
	switch need := n.Bits() * 2; {
	case f.Bits() >= need || f == jax.Float64:
		return f
	case need == 32:
		return jax.Float32
	}
	return jax.Float64
}

// exotic are the types that ml_dtypes adds to numpy.
func exotic(d jax.DType) bool {
	switch d {
	case jax.Float16, jax.Float32, jax.Float64, jax.Bool, jax.Int8, jax.Int16, jax.Int32, jax.Int64, jax.Uint8, jax.Uint16, jax.Uint32, jax.Uint64:
		return false
	}
	return true
}
