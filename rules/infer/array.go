package infer

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// Prim is one JAX primitive that a call binds. In and Out are as far as they are known: Out is nil for a primitive of which only
// the name is certain. Params are some of its parameters under JAX's names.
type Prim struct {
	Name   string
	In     []*Array
	Out    *Array
	Params map[string]Value
}

// tracing follows one call of an array function: what it binds, in order, as JAX's tracer would see it.
type tracing struct {
	ip    *interp
	fr    *frame
	call  *Call
	numpy bool // numpy's function, not JAX's
	prims []Prim
}

// arrayModel is the model of a function of arrays.
type arrayModel func(t *tracing) Value

// arrays registers models of array functions: those of jax.numpy serve numpy's functions of the same name too.
func arrays(m map[string]arrayModel) {
	for name, f := range m {
		apis[name] = f.model(false)
		if rest, ok := strings.CutPrefix(name, "jax.numpy."); ok {
			apis["numpy."+rest] = f.model(true)
		}
	}
}

func (f arrayModel) model(numpy bool) model {
	return func(ip *interp, fr *frame, c *Call) Value { return f.run(ip, fr, c, numpy) }
}

// run follows a call. An argument that is one of several values is taken for each of them, and what they give is joined; what is
// wrong with only one of them is no fault.
func (f arrayModel) run(ip *interp, fr *frame, c *Call, numpy bool) Value {
	if numpy && traced(ip.resolve(orUnknown(c.Pos(0)))) {
		_, name, _ := cutLast(c.API)
		if !numpyDelegates[name] {
			ip.fault("numpy-on-traced", c.Loc, c.API, c.Pos(0))
			return Unknown
		}
		numpy = false
	}
	alts := expand(c)
	if len(alts) == 1 {
		t := &tracing{ip: ip, fr: fr, call: c, numpy: numpy}
		v := f(t)
		if !numpy || traced(v) {
			c.Prims = t.prims
		}
		return v
	}
	var out Value
	faults := len(ip.world.Faults)
	for _, a := range alts {
		out = join(out, f(&tracing{ip: ip, fr: fr, call: a, numpy: numpy}))
	}
	ip.world.Faults = ip.world.Faults[:faults]
	return orUnknown(out)
}

func traced(v Value) bool {
	a, ok := v.(*Array)
	return ok && a.Traced
}

const maxCalls = 12 // ways to take the alternatives of a call's arguments

// expand is the call once for each choice among the alternatives of its arguments.
func expand(c *Call) []*Call {
	out := []*Call{c}
	for i := range c.Args {
		u, ok := c.Args[i].Value.(*Union)
		if !ok {
			continue
		}
		var next []*Call
		for _, have := range out {
			for _, v := range u.Alts {
				next = append(next, have.replace(i, v))
			}
		}
		if len(next) > maxCalls {
			next = nil
			for _, have := range out {
				next = append(next, have.replace(i, Unknown))
			}
		}
		out = next
	}
	return out
}

// replace is the call with another value for its i-th argument.
func (c *Call) replace(i int, v Value) *Call {
	out := *c
	out.Args = append(Args(nil), c.Args...)
	out.Args[i].Value = v
	out.Bound = make(map[string]*Arg, len(c.Bound))
	for name, a := range c.Bound {
		out.Bound[name] = a
		for k := range c.Args {
			if a == &c.Args[k] {
				out.Bound[name] = &out.Args[k]
			}
		}
	}
	return &out
}

// arg is an argument by name or position: nil when it was not given, Unknown when that is not known.
func (t *tracing) arg(name string, pos int) Value {
	v := t.call.getOr(name, pos, nil)
	if v == nil {
		return nil
	}
	return t.ip.resolve(v)
}

// given is arg, with None for an argument that was not given.
func (t *tracing) given(name string, pos int) Value {
	if v := t.arg(name, pos); v != nil {
		return v
	}
	return None{}
}

// flag is a boolean argument: its value and whether that is known.
func (t *tracing) flag(name string, pos int, otherwise bool) (value, known bool) {
	v := t.arg(name, pos)
	if v == nil {
		return otherwise, true
	}
	return t.ip.truth(v)
}

// array is an argument as an array; false when it is none, or JAX refuses it.
func (t *tracing) array(name string, pos int) (*Array, bool) {
	v := t.arg(name, pos)
	if v == nil {
		return nil, false
	}
	return t.operand(v)
}

// operand is a value as an operand: a ref is refused, what is not known is an array of which nothing is known.
func (t *tracing) operand(v Value) (*Array, bool) {
	v = t.ip.resolve(v)
	if r, ok := v.(*Ref); ok {
		t.ip.fault("ref-as-array", t.call.Loc, t.call.API, r)
		return nil, false
	}
	if a, ok := t.ip.asOperand(v); ok && !t.numpy {
		if d := t.ip.canonical(a.DType); d != a.DType {
			b := *a
			b.DType = d
			return &b, true
		}
		return a, true
	}
	if a, ok := toArray(v); ok {
		if isPython(v) {
			b := *a
			b.DType, b.Weak, b.NumPy = numpyScalar(v, a.DType), false, true
			return &b, true
		}
		return a, true
	}
	if o, ok := v.(*Opaque); ok {
		return t.ip.opaqueArray(o), true
	}
	if items, ok := t.listed(v); ok && t.numpy {
		a, ok := t.fromList(items, "").(*Array)
		return a, ok
	}
	return nil, false
}

// operands are several values as operands.
func (t *tracing) operands(vs ...Value) ([]*Array, bool) {
	out := make([]*Array, len(vs))
	all := true
	for i, v := range vs {
		a, ok := t.operand(v)
		all = all && ok
		out[i] = a
	}
	return out, all
}

// opaqueArray is an array of which at most the identity of the shape is known.
func (ip *interp) opaqueArray(o *Opaque) *Array {
	if isStaticInt(o) {
		return &Array{Shape: Scalar, DType: ip.widest(jax.Int32), Weak: true, Lin: asInt(o)}
	}
	if o.Key == "" {
		return &Array{Lin: o.Lin}
	}
	return &Array{Shape: ip.shapeOf(opaque(o.Key + ".shape")), Lin: asInt(o)}
}

// isStaticInt reports whether an opaque value is certainly a Python int: a dimension of some array, or arithmetic on dimensions.
func isStaticInt(o *Opaque) bool {
	if o.Lin != nil {
		for _, t := range o.Lin.Terms {
			if !isDimension(t.Atom) {
				return false
			}
		}
		return true
	}
	return isDimension(o.Key)
}

// isDimension: x.shape[i], len(x), x.ndim and x.size are ints whatever x is.
func isDimension(key string) bool {
	if rest, ok := strings.CutSuffix(key, "]"); ok {
		i := strings.LastIndex(rest, ".shape[")
		return i >= 0 && !strings.ContainsAny(rest[i+len(".shape["):], "[]().")
	}
	if rest, ok := strings.CutPrefix(key, "prod("); ok {
		return strings.HasSuffix(rest, ".shape)") && strings.Count(rest, ")") == 1
	}
	if rest, ok := strings.CutPrefix(key, "axis_size("); ok {
		return strings.IndexByte(rest, ')') == len(rest)-1
	}
	return isHardwareNumber(key) || strings.HasSuffix(key, ".ndim") || strings.HasPrefix(key, "len(") && strings.IndexByte(key, ')') == len(key)-1
}

// isArrayLike reports whether a value takes part in arithmetic as an array: arrays, and refs, which are refused there.
func isArrayLike(v Value) bool {
	switch v.(type) {
	case *Array, *Ref:
		return true
	}
	return false
}

// toArray is a value as JAX sees it in array arithmetic: Python's numbers are weakly typed scalars (jax/_src/dtypes.py). False for
// what is no array.
func toArray(v Value) (*Array, bool) {
	switch v := v.(type) {
	case *Array:
		return v, true
	case *Int:
		return &Array{Shape: Scalar, DType: jax.Int32, Weak: true, Lin: v, Fill: v}, true
	case Bool:
		return &Array{Shape: Scalar, DType: jax.Bool, Fill: v}, true
	case Float:
		return &Array{Shape: Scalar, DType: jax.Float32, Weak: true, Fill: v}, true
	}
	if _, ok := v.(Complex); ok {
		return &Array{Shape: Scalar, DType: jax.Complex64, Weak: true}, true
	}
	return nil, false
}

// isPython reports whether a value is a Python number, which binds no primitive of its own.
func isPython(v Value) bool {
	switch v := v.(type) {
	case *Int, Bool, Float, Complex:
		return true
	case *Opaque:
		return isStaticInt(v)
	}
	return false
}

// boundSince are primitives that older releases do not have, or bind otherwise: what they bind instead is not noted.
var boundSince = map[string]string{"stack": "0.10", "unstack": "0.10", "tile": "0.9", "empty": "0.11", "log2": "0.12", "scan_count": "0.12"}

// weakSince are functions whose results older releases did not make weak.
var weakSince = map[string]string{"jax.numpy.floor_divide": "0.10", "jax.numpy.log2": "0.12"}

// programSince are functions for floats that older releases composed of other primitives than the table says.
var programSince = map[string]string{"jax.numpy.hypot": "0.12", "jax.numpy.heaviside": "0.10", "jax.numpy.floor_divide": "0.10"}

// bind notes that a primitive is bound, and gives its result.
func (t *tracing) bind(name string, out *Array, params map[string]Value, in ...*Array) *Array {
	if v, ok := boundSince[name]; ok && !t.ip.rel.AtLeast(v) {
		return out
	}
	t.prims = append(t.prims, Prim{Name: name, In: in, Out: out, Params: params})
	return out
}

// result is the array that an operation on others gives.
func (t *tracing) result(shape Shape, d jax.DType, weak bool, in ...*Array) *Array {
	out := &Array{Shape: shape, DType: d, Weak: weak && d != "", Loc: t.call.Loc, NumPy: t.numpy}
	for _, a := range in {
		switch {
		case a == nil:
		case a.Traced:
			out.Traced, out.NumPy = true, false
		case t.numpy && !a.NumPy: // JAX's or numpy's
			out.NumPy, out.DType = false, ""
		}
	}
	if t.ip.kernel != nil && !t.numpy {
		out.Traced = true
	}
	return out
}

// unknown is an array of which nothing is known.
func (t *tracing) unknown(in ...*Array) *Array {
	return t.result(Shape{}, "", false, in...)
}

// fault notes that JAX refuses the call.
func (t *tracing) fault(kind, detail string, values ...Value) {
	t.ip.fault(kind, t.call.Loc, detail, values...)
}

// sub follows another function inside this one, with the arguments given.
func (t *tracing) sub(f arrayModel, args ...Arg) Value {
	c := *t.call
	c.Args, c.Bound, c.Prims = args, map[string]*Arg{}, nil
	for i := range args {
		if args[i].Name != "" {
			c.Bound[args[i].Name] = &args[i]
		}
	}
	in := &tracing{ip: t.ip, fr: t.fr, call: &c, numpy: t.numpy}
	v := f(in)
	t.prims = append(t.prims, in.prims...)
	return v
}

// operator follows an operator: a call of an API that no call expression makes.
func (ip *interp) operator(fr *frame, api string, f arrayModel, loc parse.Loc, vs ...Value) Value {
	c := &Call{API: api, Loc: loc, Func: loc, Kernel: ip.kernel, Args: make(Args, 0, len(vs))}
	for _, v := range vs {
		c.Args = append(c.Args, Arg{Value: v, Loc: loc})
	}
	if ip.kernel != nil {
		c.Path = ip.path.conds()
		ip.record(c)
	}
	c.Result = f.run(ip, fr, c, ip.allNumPy(vs))
	return c.Result
}

// allNumPy: the operator is numpy's own, since one operand is a numpy array and none is JAX's.
func (ip *interp) allNumPy(vs []Value) bool {
	some := false
	for _, v := range vs {
		switch v := ip.resolve(v).(type) {
		case *Array:
			if !v.NumPy {
				return false
			}
			some = true
		case *Int, Bool, Float:
		default:
			return false
		}
	}
	return some
}
