package infer

import (
	"math"
	"strings"

	"pallas-lsp/rules/jax"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.numpy.zeros":             func(t *tracing) Value { return t.filled(N(0), "broadcast_in_dim") },
		"jax.numpy.ones":              func(t *tracing) Value { return t.filled(N(1), "broadcast_in_dim") },
		"jax.numpy.empty":             func(t *tracing) Value { return t.filled(nil, "empty") },
		"jax.numpy.full":              full,
		"jax.lax.full":                full,
		"jax.lax.empty":               func(t *tracing) Value { return t.filled(nil, "empty") },
		"jax.numpy.zeros_like":        func(t *tracing) Value { return t.like(N(0), 1) },
		"jax.numpy.ones_like":         func(t *tracing) Value { return t.like(N(1), 1) },
		"jax.numpy.empty_like":        func(t *tracing) Value { return t.like(nil, 1) },
		"jax.numpy.full_like":         fullLike,
		"jax.lax.full_like":           fullLike,
		"jax.numpy.array":             jnpArray,
		"jax.numpy.asarray":           asarray,
		"jax.numpy.ascontiguousarray": asarray,
		"jax.numpy.copy":              copyArray,
		"jax.numpy.arange":            arange,
		"jax.numpy.linspace":          linspace,
		"jax.numpy.eye":               eye,
		"jax.numpy.identity":          eye,
		"jax.numpy.tri":               eye,
		"jax.numpy.tril":              triangle,
		"jax.numpy.triu":              triangle,
		"jax.lax.iota":                laxIota,
		"jax.lax.broadcasted_iota":    broadcastedIota,
	})
}

// defaultFloat is the type of floats that nobody chose.
func (t *tracing) defaultFloat() jax.DType {
	if t.numpy {
		return jax.Float64
	}
	return t.ip.widest(jax.Float32)
}

// fillValue is the value of every element as Python writes it for the type.
func fillValue(v Value, d jax.DType) Value {
	n, ok := v.(*Int)
	if !ok {
		return v
	}
	k, known := n.Known()
	if known && d.IsFloat() {
		return Float(k)
	}
	if known && d == jax.Bool {
		return Bool(k != 0)
	}
	return v
}

// constant binds what makes an array of one value: nothing for a scalar (jax/_src/lax/lax.py full).
func (t *tracing) constant(out *Array, prim string) *Array {
	if out.Shape.Dims != nil && !out.Shape.IsRank(0) {
		t.bind(prim, out, nil)
	}
	return out
}

// filled models zeros, ones and empty.
func (t *tracing) filled(fill Value, prim string) Value {
	d := t.dtypeArg("dtype", 1, t.defaultFloat())
	out := t.result(t.shape(t.given("shape", 0)), d, false)
	out.Fill = fillValue(fill, d)
	return t.constant(out, prim)
}

func full(t *tracing) Value {
	shape := t.shape(t.given("shape", 0))
	fill, ok := t.array("fill_value", 1)
	if !ok {
		return Unknown
	}
	d := t.dtypeArg("dtype", 2, "")
	weak := false
	if isNone(t.given("dtype", 2)) {
		d, weak = fill.DType, fill.Weak
		if t.numpy {
			d, weak = numpyScalar(t.arg("fill_value", 1), d), false
		}
	}
	out := t.result(shape, d, weak, fill)
	out.Fill = fillValue(fill.Fill, d)
	if fill.Shape.IsRank(0) {
		t.convert(fill, d, weak)
	}
	return t.constant(out, "broadcast_in_dim")
}

// numpyScalar is the type that numpy gives a Python number.
func numpyScalar(v Value, d jax.DType) jax.DType {
	switch v.(type) {
	case *Int:
		return jax.Int64
	case Float:
		return jax.Float64
	}
	return d
}

// like models zeros_like and its kin, which take refs too; pos is the position of dtype.
func (t *tracing) like(fill Value, pos int) Value {
	name := "a"
	if strings.HasPrefix(t.call.API, "jax.lax.") {
		name = "x"
	}
	x, ok := t.typeOf(t.given(name, 0))
	if !ok {
		return Unknown
	}
	d, weak, shape := x.DType, x.Weak, x.Shape
	if v := t.given("dtype", pos); !isNone(v) {
		d, weak = t.dtype(v), false
	}
	if v := t.given("shape", pos+1); !isNone(v) {
		shape = t.shape(v)
	}
	if t.numpy && x.Traced {
		t.fault("numpy-on-traced", t.call.API, x)
		return Unknown
	}
	prim := "broadcast_in_dim"
	if strings.HasSuffix(t.call.API, ".empty_like") {
		prim = "empty"
	}
	out := t.result(shape, d, weak)
	out.Fill = fillValue(fill, d)
	return t.constant(out, prim)
}

// typeOf is shape and type of an array, a ref or a ShapeDtypeStruct.
func (t *tracing) typeOf(v Value) (*Array, bool) {
	switch v := t.ip.resolve(v).(type) {
	case *Ref:
		return &Array{Shape: v.View, DType: v.Type}, true
	case *ShapeStruct:
		return &Array{Shape: v.Shape, DType: t.ip.canonical(v.DType)}, true
	default:
		return t.operand(v)
	}
}

func fullLike(t *tracing) Value {
	v := t.given("fill_value", 1)
	a, ok := t.operand(v)
	if !ok {
		return Unknown
	}
	if a.Shape.IsRank(0) {
		return t.like(a.Fill, 2)
	}
	return t.like(nil, 2)
}

func copyArray(t *tracing) Value {
	if t.numpy {
		return t.asArray(t.given("a", 0), "")
	}
	return t.sameAs("copy")
}

func jnpArray(t *tracing) Value {
	v := t.given("object", 0)
	if a, ok := v.(*Array); ok && !t.numpy && !a.NumPy && !isLiteral(a) && isNone(t.given("dtype", 1)) {
		return t.sameAs("copy")
	}
	return t.newArray(v)
}

func asarray(t *tracing) Value { return t.newArray(t.given("a", 0)) }

func (t *tracing) newArray(v Value) Value {
	if d := t.given("dtype", 1); !isNone(d) {
		out := t.asArray(v, t.dtype(d))
		if a, ok := out.(*Array); ok && t.dtype(d) == "" {
			b := *a
			b.DType, b.Weak, b.Lin, b.Fill = "", false, nil, nil
			return &b
		}
		return out
	}
	return t.asArray(v, "")
}

// asArray is a value as an array of a type, or of its own type when d is empty: numbers, arrays and nested lists of them.
func (t *tracing) asArray(v Value, d jax.DType) Value {
	v = t.ip.resolve(v)
	if items, ok := t.listed(v); ok {
		return t.fromList(items, d)
	}
	x, ok := t.operand(v)
	if !ok {
		return Unknown
	}
	if t.numpy {
		out := *x
		out.NumPy, out.Weak, out.Loc = !x.Traced, false, t.call.Loc
		if out.DType = numpyScalar(v, x.DType); d != "" {
			out.DType, out.Lin = d, convertLin(x, d)
		}
		if _, opaque := v.(*Opaque); opaque && d == "" {
			out.DType, out.Lin = "", nil
		}
		return &out
	}
	out := *x
	if d != "" {
		out = *t.convert(x, t.ip.canonical(d), false)
		out.Fill = nil
		if x.DType.IsFloat() == d.IsFloat() {
			out.Fill = x.Fill
		}
	}
	out.Loc, out.NumPy = t.call.Loc, false
	out.Traced = out.Traced || t.ip.kernel != nil
	return &out
}

// fromList stacks the elements of a list.
func (t *tracing) fromList(items []Value, d jax.DType) Value {
	shape, kind, ok := t.listType(items, 0)
	if !ok {
		return t.unknown()
	}
	if d == "" {
		d = kind
	}
	return t.result(Shape{Dims: append([]*Int{N(int64(len(items)))}, shape.Dims...)}, d, false, t.leaves(items, 0)...)
}

// listType is shape and type of each element of a list.
func (t *tracing) listType(items []Value, depth int) (Shape, jax.DType, bool) {
	if len(items) == 0 {
		return Scalar, t.defaultFloat(), true
	}
	if depth > 6 {
		return Shape{}, "", false
	}
	var shape Shape
	var d jax.DType
	weak := false
	for i, it := range items {
		var s Shape
		var k jax.DType
		w := false
		if inner, ok := t.listed(it); ok {
			in, kind, ok := t.listType(inner, depth+1)
			if !ok {
				return Shape{}, "", false
			}
			s, k, w = Shape{Dims: append([]*Int{N(int64(len(inner)))}, in.Dims...)}, kind, t.pythonOnly(inner, depth+1)
		} else {
			a, ok := t.operand(it)
			if !ok || a.Shape.Dims == nil {
				return Shape{}, "", false
			}
			s, k, w = a.Shape, a.DType, a.Weak
			if t.numpy {
				k = numpyScalar(it, k)
			}
		}
		if i == 0 {
			shape, d, weak = s, k, w
			continue
		}
		eq, known := shape.Equal(s)
		if !known || !eq {
			return Shape{}, "", false
		}
		d, weak = t.promoted(d, k, weak, w)
	}
	return shape, d, true
}

// promoted is the common type of two elements.
func (t *tracing) promoted(a, b jax.DType, weakA, weakB bool) (jax.DType, bool) {
	if t.numpy {
		if a == b {
			return a, false
		}
		return numpyPromote(a, b), false
	}
	return t.ip.promote(a, b, weakA, weakB)
}

// pythonOnly: a nested list of Python numbers, which is weak among arrays.
func (t *tracing) pythonOnly(items []Value, depth int) bool {
	for _, it := range items {
		if inner, ok := t.listed(it); ok {
			if depth > 6 || !t.pythonOnly(inner, depth+1) {
				return false
			}
			continue
		}
		if _, isArray := it.(*Array); isArray {
			return false
		}
	}
	return len(items) > 0
}

// leaves are the arrays inside a nested list.
func (t *tracing) leaves(items []Value, depth int) []*Array {
	var out []*Array
	for _, it := range items {
		if inner, ok := t.listed(it); ok && depth < 6 {
			out = append(out, t.leaves(inner, depth+1)...)
		} else if a, ok := it.(*Array); ok {
			out = append(out, a)
		}
	}
	return out
}

func arange(t *tracing) Value {
	start, stop, step := Value(N(0)), t.given("start", 0), t.given("step", 2)
	two := false
	if v := t.given("stop", 1); !isNone(v) {
		start, stop, two = stop, v, true
	}
	if isNone(step) {
		step = N(1)
	}
	var d jax.DType
	weak := false
	for i, v := range []Value{start, stop, step} {
		if i == 0 && !two || i == 2 && isNone(t.given("step", 2)) {
			continue
		}
		x, ok := t.operand(v)
		if !ok {
			return Unknown
		}
		if x.Traced && t.ip.kernel != nil {
			t.fault("traced-shape", "", x)
			return Unknown
		}
		if d == "" && !weak {
			d, weak = numpyOr(t, v, x.DType), true
		} else {
			d, _ = t.promoted(d, numpyOr(t, v, x.DType), true, true)
		}
	}
	d = t.dtypeArg("dtype", 3, d)
	out := t.result(Shape{Dims: []*Int{rangeLength(start, stop, step)}}, d, false)
	if !isNone(t.given("step", 2)) && !t.ip.rel.AtLeast("0.10") { // a constant then
		return out
	}
	t.bind("iota", out, map[string]Value{"dimension": N(0)})
	if !isNone(t.given("step", 2)) {
		t.bind("mul", nil, nil)
	}
	if k, known := number(start); !isNone(t.given("step", 2)) || known && k != 0 {
		t.bind("add", nil, nil)
	}
	return out
}

// numpyOr is the type of an argument of arange; numpy's scalars are not modelled there.
func numpyOr(t *tracing, v Value, d jax.DType) jax.DType {
	switch {
	case t.numpy && !isPython(v):
		return ""
	case t.numpy:
		return numpyScalar(v, d)
	}
	return d
}

// rangeLength is the number of elements of arange.
func rangeLength(start, stop, step Value) *Int {
	a, ok1 := number(start)
	b, ok2 := number(stop)
	s, ok3 := number(step)
	if ok1 && ok2 && ok3 && s != 0 {
		if n := math.Ceil((b - a) / s); n < 1<<40 {
			return N(int64(max(n, 0)))
		}
		return nil
	}
	if !staticInt(start) || !staticInt(stop) || !ok3 || s != 1 {
		return nil
	}
	return asInt(stop).Sub(asInt(start))
}

// staticInt: the value is a Python int for certain.
func staticInt(v Value) bool {
	switch v := v.(type) {
	case *Int:
		return true
	case *Opaque:
		return isStaticInt(v)
	}
	return false
}

func linspace(t *tracing) Value {
	in, ok := t.operands(t.given("start", 0), t.given("stop", 1))
	if !ok {
		return Unknown
	}
	n := t.arg("num", 2)
	if n == nil {
		n = N(50)
	}
	shape, fits := t.broadcastOf(in...)
	if !fits || !isNone(t.given("retstep", 4)) || !isNone(t.given("axis", 6)) {
		return Unknown
	}
	d := t.defaultFloat()
	if p, _ := t.ip.promote(in[0].DType, in[1].DType, in[0].Weak, in[1].Weak); p == "" {
		d = ""
	} else if p.IsFloat() && !t.numpy {
		d = p
	}
	d = t.dtypeArg("dtype", 5, d)
	if shape.Dims == nil {
		return t.result(Shape{}, d, false, in...)
	}
	out := t.result(Shape{Dims: append([]*Int{asInt(n)}, shape.Dims...)}, d, false, in...)
	t.bind("iota", nil, nil)
	return out
}

// eye models eye, identity and tri.
func eye(t *tracing) Value {
	first, second := "N", "M"
	if strings.HasSuffix(t.call.API, ".identity") {
		first, second = "n", ""
	}
	n := asInt(t.given(first, 0))
	m, pos := n, 1
	if second != "" {
		pos = 3
		if v := t.given(second, 1); !isNone(v) {
			m = asInt(v)
		}
	}
	d := t.dtypeArg("dtype", pos, t.defaultFloat())
	out := t.result(Shape{Dims: []*Int{n, m}}, d, false)
	t.bind("iota", t.result(out.Shape, t.ip.widest(jax.Int32), false), nil)
	return out
}

func triangle(t *tracing) Value {
	x, ok := t.array("m", 0)
	if !ok {
		return Unknown
	}
	out := t.result(x.Shape, x.DType, x.Weak, x)
	if t.numpy && !x.Shape.IsRank(2) && !x.Shape.IsRank(3) { // numpy makes a matrix of a vector
		out.Shape = Shape{}
	}
	var square *Array
	if rank, known := x.Shape.Rank(); known && rank >= 2 {
		square = t.result(Shape{Dims: x.Shape.Dims[rank-2:]}, t.ip.widest(jax.Int32), false)
	}
	t.bind("iota", square, nil)
	for _, p := range []string{"add", "iota", "ge", "broadcast_in_dim", "select_n"} {
		t.bind(p, nil, nil)
	}
	return out
}

func laxIota(t *tracing) Value {
	out := t.result(Shape{Dims: []*Int{asInt(t.given("size", 1))}}, t.dtypeArg("dtype", 0, ""), false)
	return t.bind("iota", out, map[string]Value{"dimension": N(0)})
}

func broadcastedIota(t *tracing) Value {
	shape, dim := t.shape(t.given("shape", 1)), t.given("dimension", 2)
	if k, known := asInt(dim).Known(); known && shape.Dims != nil && (k < 0 || k >= int64(len(shape.Dims))) {
		t.fault("axis-range", itoa(int(k)), N(int64(len(shape.Dims))))
		return Unknown
	}
	out := t.result(shape, t.dtypeArg("dtype", 0, ""), false)
	return t.bind("iota", out, map[string]Value{"dimension": dim})
}
