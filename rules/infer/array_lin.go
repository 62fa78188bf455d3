package infer

import (
	"pallas-lsp/rules/jax"
)

// keepsLin: scalars of this type hold their linear form; narrower ones may wrap around.
func keepsLin(a *Array) bool {
	switch a.DType {
	case jax.Int32, jax.Int64, "":
		return a.Shape.IsRank(0) || a.Shape.Dims == nil // what may be an integer is one by identity
	}
	return false
}

func convertLin(a *Array, d jax.DType) *Int {
	if d == jax.Int32 || d == jax.Int64 {
		if a.DType.IsInteger() || a.DType == jax.Bool || a.DType == "" { // unknown: by identity, as int() of an opaque value
			return a.Lin
		}
	}
	if v, ok := a.Lin.Known(); ok && d.IsInteger() && v >= 0 && v < 128 {
		return a.Lin
	}
	return nil
}

func linUnary(name string, x, out *Array) *Int {
	if !keepsLin(out) || x.Lin == nil {
		return nil
	}
	switch name {
	case "jax.numpy.negative", "jax.lax.neg":
		return N(0).Sub(x.Lin)
	case "jax.numpy.positive", "jax.lax.stop_gradient", "jax.lax.optimization_barrier":
		return x.Lin
	case "jax.numpy.abs", "jax.numpy.absolute", "jax.lax.abs":
		if v, ok := x.Lin.Known(); ok {
			return N(max(v, -v))
		}
	}
	return nil
}

// linOps are the functions through which a linear form goes.
var linOps = map[string]func(a, b *Int) *Int{
	"jax.numpy.add": (*Int).Add, "jax.lax.add": (*Int).Add,
	"jax.numpy.subtract": (*Int).Sub, "jax.lax.sub": (*Int).Sub,
	"jax.numpy.multiply": (*Int).Mul, "jax.lax.mul": (*Int).Mul,
	"jax.numpy.floor_divide": (*Int).FloorDiv,
	"jax.numpy.remainder":    (*Int).Mod, "jax.numpy.mod": (*Int).Mod,
	"jax.lax.div":       truncated("/", func(a, b int64) int64 { return a / b }),
	"jax.lax.rem":       truncated(" rem ", func(a, b int64) int64 { return a % b }),
	"jax.numpy.minimum": extremum("min", func(a, b int64) int64 { return min(a, b) }), "jax.lax.min": extremum("min", func(a, b int64) int64 { return min(a, b) }),
	"jax.numpy.maximum": extremum("max", func(a, b int64) int64 { return max(a, b) }), "jax.lax.max": extremum("max", func(a, b int64) int64 { return max(a, b) }),
	"jax.numpy.left_shift": bitwise("<<"), "jax.lax.shift_left": bitwise("<<"),
	"jax.numpy.right_shift": bitwise(">>"), "jax.lax.shift_right_arithmetic": bitwise(">>"),
	"jax.numpy.bitwise_and": bitwise("&"), "jax.lax.bitwise_and": bitwise("&"),
	"jax.numpy.bitwise_or": bitwise("|"), "jax.lax.bitwise_or": bitwise("|"),
	"jax.numpy.bitwise_xor": bitwise("^"), "jax.lax.bitwise_xor": bitwise("^"),
}

func linBinary(name string, out, a, b *Array) *Int {
	f := linOps[name]
	if f == nil || !keepsLin(out) || a.Lin == nil || b.Lin == nil {
		return nil
	}
	n := f(a.Lin, b.Lin)
	if _, known := n.Known(); known && !out.Shape.IsRank(0) { // x - x is 0 only of a scalar
		return nil
	}
	return n
}

// truncated is division as C has it; between unknowns it is an unknown of its own, since it differs from Python's below zero.
func truncated(op string, f func(a, b int64) int64) func(a, b *Int) *Int {
	return func(a, b *Int) *Int {
		x, ok1 := a.Known()
		y, ok2 := b.Known()
		if ok2 && y == 0 {
			return nil
		}
		if ok1 && ok2 {
			return N(f(x, y))
		}
		return opAtom(" lax"+op, a, b)
	}
}

func extremum(op string, f func(a, b int64) int64) func(a, b *Int) *Int {
	return func(a, b *Int) *Int {
		x, ok1 := a.Known()
		y, ok2 := b.Known()
		if ok1 && ok2 {
			return N(f(x, y))
		}
		if eq, known := a.Equal(b); known && eq {
			return a
		}
		return atomOf(op, a, b)
	}
}

// atomOf is an unknown named by a function of others.
func atomOf(op string, a, b *Int) *Int {
	x, y := a.Key(), b.Key()
	if x == "" || y == "" || len(x)+len(y) > 200 {
		return nil
	}
	return atom(op + "(" + x + "," + y + ")")
}

func bitwise(op string) func(a, b *Int) *Int {
	return func(a, b *Int) *Int {
		n, ok := intBinary(op, a, b)
		if !ok {
			return nil
		}
		return n
	}
}
