package infer

import (
	"math"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.numpy.dtype":         asDType,
		"jax.numpy.issubdtype":    issubdtype,
		"jax.numpy.result_type":   resultType,
		"jax.numpy.promote_types": resultType,
		"jax.numpy.iinfo":         typeInfo,
		"jax.numpy.finfo":         typeInfo,
		"jax.numpy.shape":         func(t *tracing) Value { return t.attrOf("shape") },
		"jax.numpy.ndim":          func(t *tracing) Value { return t.attrOf("ndim") },
		"jax.numpy.size":          sizeOf,
		"jax.numpy.astype":        astype,

		"jax.ShapeDtypeStruct":      shapeStruct,
		"jax.ShapeDtypeStruct.like": structLike,
		"jax.core.ShapedArray":      shapeStruct,
		"jax.dtypes.issubdtype":     issubdtype,
		"jax.dtypes.result_type":    resultType,
		"jax.dtypes.finfo":          typeInfo,
		"jax.dtypes.iinfo":          typeInfo,
		"jax.dtypes.itemsize_bits":  itemsizeBits,
		"jax.dtypes.bit_width":      itemsizeBits,

		"jax.lax.convert_element_type": convertElementType,
		"jax.lax.bitcast_convert_type": bitcastConvert,
		"jax.lax.dtype":                func(t *tracing) Value { return t.attrOf("dtype") },
		"jax.lax.reduce_precision":     func(t *tracing) Value { return t.sameAs("reduce_precision") },
	})
}

// dtypeArg is a dtype argument: otherwise when absent or None, empty when it is not known.
func (t *tracing) dtypeArg(name string, pos int, otherwise jax.DType) jax.DType {
	v := t.given(name, pos)
	if isNone(v) {
		return otherwise
	}
	return t.dtype(v)
}

// dtype reads a dtype as jax.numpy does, with 64-bit types narrowed, or as numpy does.
func (t *tracing) dtype(v Value) jax.DType {
	d, _ := t.ip.dtypeOf(v)
	if d = wideDType(v, d); t.numpy {
		return d
	}
	return t.ip.canonical(d)
}

// wideDType is the dtype with what numpy makes of Python's types.
func wideDType(v Value, d jax.DType) jax.DType {
	if a, ok := v.(*API); ok {
		switch a.Name {
		case "builtins.int":
			return jax.Int64
		case "builtins.float":
			return jax.Float64
		}
	}
	return d
}

// callDType makes an array of a scalar type: jnp.float32(x), np.int32(3).
func (ip *interp) callDType(fr *frame, d DTypeVal, args Args, at *callSite) Value {
	library := ip.libraryOf(fr, at)
	c := &Call{API: "jax.numpy." + string(d.DType), Loc: at.loc, Func: at.fn, Args: args, Kernel: ip.kernel, Node: at.node, Bound: map[string]*Arg{}}
	if ip.kernel != nil && library == "jax" {
		c.Path = ip.path.conds()
		ip.record(c)
	}
	f := func(t *tracing) Value {
		v := t.arg("x", 0)
		if v == nil {
			return Unknown
		}
		out := t.asArray(v, d.DType)
		if a, ok := out.(*Array); ok && library == "" { // numpy's or JAX's: who holds it decides whether it is traced
			b := *a
			b.Traced = traced(v)
			if d.DType != t.ip.canonical(d.DType) || d.DType != d.DType.Canonical() {
				b.DType = ""
			}
			return &b
		}
		return out
	}
	c.Result = arrayModel(f).run(ip, fr, c, library == "numpy" && !traced(c.Pos(0)))
	return c.Result
}

// libraryOf tells whose scalar type a call names: "jax", "numpy", or "" when that is not written.
func (ip *interp) libraryOf(fr *frame, at *callSite) string {
	if at == nil || at.node == nil || fr == nil {
		return ""
	}
	a, ok := at.node.Func.(*parse.Attr)
	if !ok {
		return ""
	}
	n, ok := a.X.(*parse.Name)
	if !ok {
		return ""
	}
	m, ok := ip.lookup(fr.env, n.ID).(*Module)
	switch {
	case !ok:
		return ""
	case m.Name == "numpy":
		return "numpy"
	case strings.HasPrefix(m.Name, "jax"):
		return "jax"
	}
	return ""
}

func (t *tracing) attrOf(name string) Value {
	v := orUnknown(t.call.Pos(0))
	switch v := t.ip.resolve(v).(type) {
	case *Array, *Ref, *ShapeStruct, *Opaque:
		return t.ip.attr(t.fr, v, name, parse.Loc{})
	case *Int, Float, Bool:
		a, _ := toArray(v)
		return t.ip.arrayAttr(a, name)
	}
	return Unknown
}

func sizeOf(t *tracing) Value {
	x, ok := t.first()
	if !ok || len(t.call.Args) > 1 {
		return Unknown
	}
	return sizeValue(x.Shape)
}

func asDType(t *tracing) Value {
	v := t.given("dtype", 0)
	if o, ok := v.(*Opaque); ok && o.Key != "" {
		if strings.HasSuffix(o.Key, ".dtype") {
			return o
		}
		return opaque("dtype(" + o.Key + ")")
	}
	d, _ := t.ip.dtypeOf(v)
	return dtypeValue(wideDType(v, d))
}

// abstractTypes are the families of numpy's type hierarchy.
var abstractTypes = map[string]func(d jax.DType) bool{
	"integer":           jax.DType.IsInteger,
	"signedinteger":     func(d jax.DType) bool { return d.Kind() == jax.KindInt },
	"unsignedinteger":   func(d jax.DType) bool { return d.Kind() == jax.KindUint },
	"floating":          jax.DType.IsFloat,
	"inexact":           func(d jax.DType) bool { return d.IsFloat() || d.Kind() == jax.KindComplex },
	"complexfloating":   func(d jax.DType) bool { return d.Kind() == jax.KindComplex },
	"number":            func(d jax.DType) bool { return d.IsInteger() || d.IsFloat() || d.Kind() == jax.KindComplex },
	"generic":           jax.DType.Known,
	"extended":          jax.DType.IsExtended,
	"prng_key":          func(d jax.DType) bool { return d.Kind() == jax.KindKey },
	"semaphore_dtype":   jax.DType.IsSemaphore,
	"dma_semaphore":     func(d jax.DType) bool { return d == jax.DMASem },
	"semaphore":         func(d jax.DType) bool { return d == jax.Sem },
	"barrier_semaphore": func(d jax.DType) bool { return d == jax.BarrierSem },
}

func issubdtype(t *tracing) Value {
	d := t.anyDType(t.given("arg1", 0))
	b := t.given("arg2", 1)
	if d == "" {
		if k, of := keyOf(t.given("arg1", 0)), valueKey(b); k != "" && of != "" {
			return opaque("issubdtype(" + k + "," + of + ")")
		}
		return Unknown
	}
	if a, ok := b.(*API); ok {
		if in := abstractTypes[a.Name[strings.LastIndexByte(a.Name, '.')+1:]]; in != nil && !strings.HasPrefix(a.Name, "builtins.") {
			return Bool(in(d))
		}
		return Unknown
	}
	if other, ok := t.ip.dtypeOf(b); ok {
		return Bool(d == other)
	}
	return Unknown
}

// anyDType is the type of a dtype, an array or a ref.
func (t *tracing) anyDType(v Value) jax.DType {
	switch v := t.ip.resolve(v).(type) {
	case *Array:
		return v.DType
	case *Ref:
		return v.Type
	case *ShapeStruct:
		return v.DType
	default:
		d, _ := t.ip.dtypeOf(v)
		return d
	}
}

// resultType models jax.numpy.result_type and promote_types, of arrays, scalars and dtypes.
func resultType(t *tracing) Value {
	pos, open := t.call.Args.positional()
	if open || len(pos) == 0 || t.numpy {
		return Unknown
	}
	var d jax.DType
	weak := false
	for i, a := range pos {
		x, ok := t.typed(a.Value)
		if !ok || x.DType == "" {
			return Unknown
		}
		if i == 0 {
			d, weak = x.DType, x.Weak
			continue
		}
		if !jax.Promotable(d, x.DType, weak, x.Weak) {
			return Unknown
		}
		d, weak = t.ip.promote(d, x.DType, weak, x.Weak)
	}
	return dtypeValue(d)
}

// typed is a value as something with a type.
func (t *tracing) typed(v Value) (*Array, bool) {
	v = t.ip.resolve(v)
	if a, ok := t.ip.asOperand(v); ok {
		return &Array{DType: t.ip.canonical(a.DType), Weak: a.Weak}, true
	}
	if a, ok := v.(*API); ok && strings.HasPrefix(a.Name, "builtins.") {
		d, ok := t.ip.dtypeOf(v)
		return &Array{DType: t.ip.widest(d), Weak: d != jax.Bool}, ok
	}
	d := t.ip.canonical(t.anyDType(v))
	return &Array{DType: d}, d != ""
}

// floatLimits are the largest finite values of floats, as exact numbers.
var floatLimits = map[jax.DType]float64{
	jax.Float32: math.MaxFloat32, jax.Float64: math.MaxFloat64, jax.Float16: 65504, jax.BFloat16: 3.3895313892515355e38,
	jax.Float8E4M3FN: 448, jax.Float8E5M2: 57344,
}

// typeInfo models finfo and iinfo: bits, min, max, dtype.
func typeInfo(t *tracing) Value {
	v := t.given("dtype", 0)
	d := t.anyDType(v)
	if d == "" {
		if k := keyOf(v); k != "" {
			_, name, _ := cutLast(t.call.API)
			return opaque(name + "(" + k + ")")
		}
		return Unknown
	}
	fields := map[string]Value{"bits": N(int64(d.Bits())), "dtype": DTypeVal{d}}
	if top, ok := floatLimits[d]; ok {
		fields["max"], fields["min"] = t.limit(d, top), t.limit(d, -top)
	}
	switch b := d.Bits(); {
	case d.Kind() == jax.KindInt && b <= 32:
		fields["max"], fields["min"] = N(1<<(b-1)-1), N(-(1 << (b - 1)))
	case d.Kind() == jax.KindUint && b <= 32:
		fields["max"], fields["min"] = N(1<<b-1), N(0)
	}
	return record(fields)
}

// limit is a bound of a float type: a numpy scalar of that type.
func (t *tracing) limit(d jax.DType, v float64) Value {
	return &Array{Shape: Scalar, DType: d, NumPy: true, Fill: Float(v), Loc: t.call.Loc}
}

// record is an object of which only some fields are known.
func record(fields map[string]Value) Value {
	o := &Instance{Class: &Class{Name: "", attrs: newEnv(nil, nil, nil)}, fields: map[string]*Cell{}, Open: true}
	for k, v := range fields {
		o.fields[k] = &Cell{v: v}
	}
	return o
}

func itemsizeBits(t *tracing) Value {
	if b := t.anyDType(orUnknown(t.call.Pos(0))).Bits(); b > 0 {
		return N(int64(b))
	}
	return Unknown
}

// shapeStruct models jax.ShapeDtypeStruct, which keeps 64-bit types.
func shapeStruct(t *tracing) Value {
	v := t.given("dtype", 1)
	d, _ := t.ip.dtypeOf(v)
	return &ShapeStruct{Shape: t.shape(t.given("shape", 0)), DType: wideDType(v, d), Loc: t.call.Loc}
}

// structLike models jax.ShapeDtypeStruct.like, which takes one array or type, and no ref.
func structLike(t *tracing) Value {
	v := t.ip.resolve(orUnknown(t.call.Pos(0)))
	if _, ref := v.(*Ref); ref {
		return Unknown
	}
	out := &ShapeStruct{Loc: t.call.Loc, Struct: true}
	if shape, d, ok := typeOf(v); ok {
		out.Shape, out.DType = shape, d
	}
	return out
}

// shape reads a shape argument.
func (t *tracing) shape(v Value) Shape {
	v = t.ip.resolve(v)
	if o, ok := v.(*Opaque); ok && isStaticInt(o) {
		return Shape{Dims: []*Int{asInt(o)}}
	}
	if items, ok := t.listed(v); ok {
		for _, e := range items {
			if traced(e) && t.ip.kernel != nil {
				t.fault("traced-shape", "", e)
				return Shape{}
			}
		}
	}
	return t.ip.shapeOf(v)
}

func astype(t *tracing) Value { return t.cast("x", "dtype") }

func convertElementType(t *tracing) Value { return t.cast("operand", "new_dtype") }

// cast changes the type; None means the default float type.
func (t *tracing) cast(operand, dtype string) Value {
	x, ok := t.array(operand, 0)
	if !ok {
		return Unknown
	}
	d := t.dtypeArg(dtype, 1, t.ip.widest(jax.Float32))
	if t.numpy && isNone(t.given(dtype, 1)) {
		d = jax.Float64
	}
	if d == "" { // the same type would bind nothing
		return t.result(x.Shape, "", false, x)
	}
	if x.DType == "" {
		out := t.result(x.Shape, d, false, x)
		out.Lin = convertLin(x, d)
		return out
	}
	if x.DType == d && !x.Weak && x.Captured() { // binds nothing: it is still the array from outside
		return x
	}
	out := *t.convert(x, d, false)
	out.Loc, out.NumPy = t.call.Loc, t.numpy && !out.Traced
	out.Traced = out.Traced || t.ip.kernel != nil && !t.numpy
	if x.Fill != nil && x.DType.IsFloat() == d.IsFloat() {
		out.Fill = x.Fill
	} else {
		out.Fill = nil
	}
	return &out
}

// viewAs is x.view(dtype).
func viewAs(t *tracing) Value { return t.bitcast(t.dtypeArg("dtype", 1, "")) }

func bitcastConvert(t *tracing) Value { return t.bitcast(t.dtypeArg("new_dtype", 1, "")) }

// bitcast models jax.lax.bitcast_convert_type: a narrower type adds a last dimension, a wider one takes it away.
func (t *tracing) bitcast(d jax.DType) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	out := t.result(Shape{}, d, false, x)
	t.bind("bitcast_convert_type", out, map[string]Value{"new_dtype": dtypeValue(d)}, x)
	from, to := x.DType.Bits(), d.Bits()
	switch {
	case from == 0 || to == 0 || x.Shape.Dims == nil:
	case from == to:
		out.Shape = x.Shape
	case t.call.Method != nil: // x.view scales the last dimension
		if n := len(x.Shape.Dims); n > 0 {
			out.Shape = Shape{Dims: append([]*Int{}, x.Shape.Dims...)}
			bits := x.Shape.Dims[n-1].Mul(N(int64(from)))
			if out.Shape.Dims[n-1] = nil; bits != nil && bits.divisible(int64(to)) {
				out.Shape.Dims[n-1] = bits.FloorDiv(N(int64(to)))
			}
		}
	case from > to:
		out.Shape = Shape{Dims: append(append([]*Int{}, x.Shape.Dims...), N(int64(from/to)))}
	default:
		if n := len(x.Shape.Dims); n > 0 {
			out.Shape = Shape{Dims: x.Shape.Dims[: n-1 : n-1]}
		}
	}
	return out
}

// sameAs binds one primitive that keeps shape and type.
func (t *tracing) sameAs(prim string) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.bind(prim, t.result(x.Shape, x.DType, x.Weak, x), nil, x)
}
