package infer

import (
	"strings"

	"pallas-lsp/rules/jax"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.numpy.where":                     where,
		"jax.lax.select":                      laxSelect,
		"jax.lax.select_n":                    laxSelectN,
		"jax.numpy.clip":                      clip,
		"jax.lax.clamp":                       clamp,
		"jax.numpy.take":                      take,
		"jax.numpy.take_along_axis":           takeAlongAxis,
		"jax.lax.dynamic_slice":               dynamicSlice,
		"jax.lax.dynamic_slice_in_dim":        dynamicSliceInDim,
		"jax.lax.dynamic_index_in_dim":        dynamicIndexInDim,
		"jax.lax.dynamic_update_slice":        func(t *tracing) Value { return t.updated() },
		"jax.lax.dynamic_update_slice_in_dim": func(t *tracing) Value { return t.updated() },
		"jax.lax.dynamic_update_index_in_dim": func(t *tracing) Value { return t.updated() },
		"jax.lax.slice":                       laxSlice,
		"jax.lax.slice_in_dim":                sliceInDim,
		"jax.lax.index_in_dim":                indexInDim,
		"jax.lax.gather":                      func(t *tracing) Value { return t.opaqueOp("gather") },
		"jax.lax.scatter":                     func(t *tracing) Value { return t.sameAs("scatter") },
		"jax.lax.scatter_add":                 func(t *tracing) Value { return t.sameAs("scatter-add") },
		"jax.lax.psum":                        collective,
		"jax.lax.pmax":                        collective,
		"jax.lax.pmin":                        collective,
		"jax.lax.pmean":                       collective,
		"jax.lax.ppermute":                    collective,
	})
}

// opaqueOp binds a primitive whose result is not modelled beyond its type.
func (t *tracing) opaqueOp(prim string) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.bind(prim, t.sameType(x, -1), nil, x)
}

// collective is a reduction over a mesh axis of one array.
func collective(t *tracing) Value {
	x, ok := t.given("x", 0).(*Array)
	if !ok {
		return Unknown
	}
	d := x.DType
	if strings.HasSuffix(t.call.API, "psum") && d == jax.Bool {
		d = ""
	}
	if strings.HasSuffix(t.call.API, "pmean") {
		d = inexact(d)
	}
	return t.result(x.Shape, d, false, x)
}

// where models jax.numpy.where; with the condition alone it is nonzero.
func where(t *tracing) Value {
	cond, ok := t.array("condition", 0)
	if !ok {
		return Unknown
	}
	l, r := t.arg("x", 1), t.arg("y", 2)
	if l == nil && r == nil {
		return nonzero(t)
	}
	if l == nil || r == nil || isNone(l) || isNone(r) {
		return Unknown
	}
	in, ok := t.operands(l, r)
	if !ok {
		return Unknown
	}
	x, y := in[0], in[1]
	shape, fits := t.broadcastOf(cond, x, y)
	if !fits {
		return Unknown
	}
	if t.numpy {
		if cond.Traced || x.Traced || y.Traced {
			t.fault("numpy-on-traced", t.call.API, cond, x, y)
			return Unknown
		}
		return t.result(shape, numpyCommon(l, r, x, y), false, cond, x, y)
	}
	if !jax.Promotable(x.DType, y.DType, x.Weak, y.Weak) {
		t.fault("promotion", string(x.DType)+", "+string(y.DType), x, y)
		return Unknown
	}
	d, weak := t.ip.promote(x.DType, y.DType, x.Weak, y.Weak)
	if cond.DType != jax.Bool && cond.DType != "" {
		cond = t.bind("ne", t.result(cond.Shape, jax.Bool, false, cond), nil, cond)
	}
	x, y = t.convert(x, d, weak), t.convert(y, d, weak)
	out := t.result(shape, d, weak, cond, x, y)
	if x.Lin != nil && y.Lin != nil && keepsLin(out) {
		if eq, known := x.Lin.Equal(y.Lin); known && eq {
			out.Lin = x.Lin
		}
	}
	x, y = t.filledTo(x, shape), t.filledTo(y, shape)
	return t.bind("select_n", out, nil, cond, y, x)
}

// filledTo broadcasts an operand to a known shape, binding nothing where that is not known to be needed.
func (t *tracing) filledTo(x *Array, shape Shape) *Array {
	if eq, known := x.Shape.Equal(shape); shape.Dims == nil || x.Shape.Dims == nil || !known || eq {
		return x
	}
	out := *x
	out.Shape = shape
	if t.ip.kernel != nil { // what the kernel broadcasts itself is no constant of its own
		out.Traced, out.NumPy, out.Outside = true, false, false
	}
	return t.bind("broadcast_in_dim", &out, nil, x)
}

func laxSelect(t *tracing) Value {
	in, ok := t.operands(t.given("pred", 0), t.given("on_true", 1), t.given("on_false", 2))
	if !ok {
		return Unknown
	}
	return t.selected(in[0], in[1:])
}

func laxSelectN(t *tracing) Value {
	which, ok := t.array("which", 0)
	pos, open := t.call.Args.positional()
	if !ok || open || len(pos) < 2 {
		return Unknown
	}
	var cases []*Array
	for _, a := range pos[1:] {
		x, ok := t.operand(a.Value)
		if !ok {
			return Unknown
		}
		cases = append(cases, x)
	}
	return t.selected(which, cases)
}

// selected is select_n, whose cases have one shape and type.
func (t *tracing) selected(which *Array, cases []*Array) Value {
	out := cases[0]
	weak := out.Weak
	for _, x := range cases[1:] {
		if x.DType != out.DType && x.DType != "" && out.DType != "" {
			t.fault("op-dtype", string(out.DType)+", "+string(x.DType), out, x)
			return Unknown
		}
		if eq, known := out.Shape.Equal(x.Shape); known && !eq && allKnown(out.Shape, x.Shape) {
			t.fault("select-shape", shapesText(cases), arrayValues(cases)...)
			return Unknown
		}
		weak = weak && x.Weak
		if out.Shape.Dims == nil || out.DType == "" {
			out = x
		}
	}
	d := out.DType
	for _, x := range cases {
		if x.DType == "" {
			d = ""
		}
	}
	return t.bind("select_n", t.result(out.Shape, d, weak, append([]*Array{which}, cases...)...), nil, append([]*Array{which}, cases...)...)
}

func clip(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	lo, hi := t.bound("min", "a_min", 1), t.bound("max", "a_max", 2)
	out := Value(x)
	if lo != nil {
		if out = t.limitBy("jax.numpy.maximum", "max", lo, out); isOpaque(out) {
			return Unknown
		}
	}
	if hi != nil {
		if out = t.limitBy("jax.numpy.minimum", "min", hi, out); isOpaque(out) {
			return Unknown
		}
	}
	a, _ := out.(*Array)
	if a == x { // no bounds
		y := *x
		return &y
	}
	return out
}

// bound is a limit of clip, nil where there is none.
func (t *tracing) bound(name, old string, pos int) Value {
	v := t.arg(name, pos)
	if v == nil {
		v = t.arg(old, -1)
	}
	if v == nil || isNone(v) {
		return nil
	}
	return v
}

// limitBy applies one limit of clip.
func (t *tracing) limitBy(name, prim string, limit, x Value) Value {
	l, ok1 := t.operand(limit)
	a, ok2 := x.(*Array)
	if !ok1 || !ok2 {
		return Unknown
	}
	if isPython(limit) && !t.numpy { // jit has made it a traced scalar
		lit := *l
		d, weak := t.ip.promote(l.DType, a.DType, l.Weak, a.Weak)
		if d != "" {
			t.convert(&Array{Shape: Scalar, DType: lit.DType, Weak: lit.Weak, Traced: true}, d, weak)
		}
	}
	out := t.apply2(name, limit, x, l, a)
	return out
}

func clamp(t *tracing) Value {
	in, ok := t.operands(t.given("min", 0), t.given("x", 1), t.given("max", 2))
	if !ok {
		return Unknown
	}
	x := in[1]
	out := t.result(x.Shape, x.DType, x.Weak && in[0].Weak && in[2].Weak, in...)
	if x.Weak && out.DType != "" && !out.Weak {
		out.DType = ""
	}
	return t.bind("clamp", out, nil, in...)
}

func take(t *tracing) Value {
	x, ok := t.array("a", 0)
	if !ok {
		return Unknown
	}
	idx, ok := t.array("indices", 1)
	if !ok {
		return Unknown
	}
	axis := t.given("axis", 2)
	out := t.result(Shape{}, x.DType, x.Weak, x, idx)
	rank, known := x.Shape.Rank()
	if isNone(axis) {
		out.Shape = idx.Shape
	} else if !known {
	} else if k, ok := t.axisOf(axis, rank); ok && idx.Shape.Dims != nil {
		out.Shape = Shape{Dims: append(append(append([]*Int{}, x.Shape.Dims[:k]...), idx.Shape.Dims...), x.Shape.Dims[k+1:]...)}
	}
	return t.bind("gather", out, nil, x, idx)
}

func takeAlongAxis(t *tracing) Value {
	x, ok := t.array("arr", 0)
	if !ok {
		return Unknown
	}
	idx, ok := t.array("indices", 1)
	if !ok {
		return Unknown
	}
	out := t.result(Shape{}, x.DType, x.Weak, x, idx)
	t.bind("gather", out, nil, x, idx)
	axis := t.arg("axis", 2)
	if axis == nil || isNone(axis) {
		axis = N(-1)
	}
	rank, known := x.Shape.Rank()
	if !known {
		return out
	}
	if k, ok := t.axisOf(axis, rank); ok && idx.Shape.IsRank(rank) {
		out.Shape.Dims = make([]*Int, rank)
		for i := range out.Shape.Dims {
			out.Shape.Dims[i], _ = broadcastDim(x.Shape.Dims[i], idx.Shape.Dims[i])
			if i == k {
				out.Shape.Dims[i] = idx.Shape.Dims[i]
			}
		}
	}
	return out
}

func dynamicSlice(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	sizes := t.shape(t.given("slice_sizes", 2))
	for i, n := range sizes.Dims {
		size, ok1 := n.Known()
		dim, ok2 := x.Shape.Dim(i).Known()
		if ok1 && ok2 && size > dim {
			t.fault("slice-size", x.Shape.String()+", "+sizes.String(), x)
			return Unknown
		}
	}
	return t.bind("dynamic_slice", t.result(sizes, x.DType, x.Weak, x), nil, x)
}

// alongAxis is x with another size along an axis, which is argument `pos`.
func (t *tracing) alongAxis(x *Array, pos int, n *Int) (Shape, int, bool) {
	rank, ok := x.Shape.Rank()
	axis := t.arg("axis", pos)
	if axis == nil {
		axis = N(0)
	}
	if !ok {
		return Shape{}, 0, false
	}
	k, ok := t.axisOf(axis, rank)
	if !ok {
		return Shape{Dims: make([]*Int, rank)}, 0, false
	}
	dims := append([]*Int{}, x.Shape.Dims...)
	dims[k] = n
	return Shape{Dims: dims}, k, true
}

func dynamicSliceInDim(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	shape, _, _ := t.alongAxis(x, 3, asInt(t.given("slice_size", 2)))
	return t.bind("dynamic_slice", t.result(shape, x.DType, x.Weak, x), nil, x)
}

func dynamicIndexInDim(t *tracing) Value { return t.oneIndex("dynamic_slice") }

func indexInDim(t *tracing) Value { return t.oneIndex("slice") }

// oneIndex takes one index along an axis, and keeps the dimension or not.
func (t *tracing) oneIndex(prim string) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	shape, k, known := t.alongAxis(x, 2, N(1))
	keep, knowKeep := t.flag("keepdims", 3, true)
	if !known || !knowKeep {
		return t.bind(prim, t.sameType(x, -1), nil, x)
	}
	out := t.bind(prim, t.result(shape, x.DType, x.Weak, x), nil, x)
	if keep {
		return out
	}
	return t.squeezed(out, []int{k})
}

func (t *tracing) updated() Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	if _, ok := t.array("update", 1); !ok {
		return Unknown
	}
	return t.bind("dynamic_update_slice", t.result(x.Shape, x.DType, x.Weak, x), nil, x)
}

func laxSlice(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	lo, ok1 := t.listed(t.given("start_indices", 1))
	hi, ok2 := t.listed(t.given("limit_indices", 2))
	strides := t.given("strides", 3)
	step, ok3 := t.listed(strides)
	if !ok1 || !ok2 || len(lo) != len(hi) || !isNone(strides) && (!ok3 || len(step) != len(lo)) {
		return t.sameType(x, -1)
	}
	out := t.sameType(x, len(lo))
	for i := range lo {
		n := asInt(hi[i]).Sub(asInt(lo[i]))
		if ok3 {
			n = divideUp(n, asInt(step[i]))
		}
		out.Shape.Dims[i] = n
	}
	strided := false
	for _, v := range step {
		k, known := asInt(v).Known()
		strided = strided || known && k > 1
	}
	return t.bind("slice", out, map[string]Value{"strided": Bool(strided)}, x)
}

func sliceInDim(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	shape, k, known := t.alongAxis(x, 4, nil)
	out := t.result(shape, x.DType, x.Weak, x)
	if !known {
		return t.bind("slice", out, nil, x)
	}
	dim := x.Shape.Dims[k]
	lo, hi := t.sliceEnd("start_index", 1, dim, N(0)), t.sliceEnd("limit_index", 2, dim, dim)
	step := t.arg("stride", 3)
	if step == nil {
		step = N(1)
	}
	out.Shape.Dims[k] = divideUp(hi.Sub(lo), asInt(step))
	n, known := asInt(step).Known()
	return t.bind("slice", out, map[string]Value{"strided": Bool(known && n > 1)}, x)
}

// sliceEnd is a bound of slice_in_dim: from the end when negative.
func (t *tracing) sliceEnd(name string, pos int, dim, otherwise *Int) *Int {
	v := t.given(name, pos)
	if isNone(v) {
		return otherwise
	}
	n := asInt(v)
	if k, known := n.Known(); known && k < 0 {
		return dim.Add(n)
	}
	return n
}

// arrayCdiv is pl.cdiv of traced values (jax/_src/pallas/utils.py cdiv): lax.div(a + (b - 1), b).
func (ip *interp) arrayCdiv(fr *frame, a, b Value, c *Call) Value {
	t := &tracing{ip: ip, fr: fr, call: c}
	one := ip.binary(fr, "-", b, N(1), c.Loc)
	in, ok := t.operands(a, one, b)
	if !ok {
		return Unknown
	}
	sum, ok := t.apply2("jax.numpy.add", a, one, in[0], in[1]).(*Array)
	if !ok {
		return Unknown
	}
	out := t.apply2("jax.lax.div", sum, b, sum, in[2])
	c.Prims = t.prims
	return out
}

// divideUp is n / d rounded up.
func divideUp(n, d *Int) *Int {
	if d.Is(1) {
		return n
	}
	return n.Add(d).Sub(N(1)).FloorDiv(d)
}
