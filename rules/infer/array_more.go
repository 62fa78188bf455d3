package infer

import (
	"strings"

	"pallas-lsp/rules/jax"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.numpy.divmod":         divmodArrays,
		"jax.numpy.ldexp":          func(t *tracing) Value { return t.firstOf("x1") },
		"jax.numpy.select":         selectArrays,
		"jax.numpy.diff":           diff,
		"jax.numpy.meshgrid":       meshgrid,
		"jax.numpy.diag":           diag,
		"jax.numpy.diagonal":       diagonal,
		"jax.numpy.trace":          trace,
		"jax.numpy.average":        average,
		"jax.numpy.median":         median,
		"jax.numpy.quantile":       quantile,
		"jax.numpy.percentile":     quantile,
		"jax.numpy.searchsorted":   searchsorted,
		"jax.numpy.array_equal":    func(t *tracing) Value { return t.scalarBool() },
		"jax.numpy.allclose":       func(t *tracing) Value { return t.scalarBool() },
		"jax.numpy.nonzero":        nonzero,
		"jax.numpy.flatnonzero":    nonzero,
		"jax.numpy.hsplit":         func(t *tracing) Value { return t.splitAlong(N(1)) },
		"jax.numpy.vsplit":         func(t *tracing) Value { return t.splitAlong(N(0)) },
		"jax.numpy.dstack":         dstack,
		"jax.numpy.column_stack":   columnStack,
		"jax.numpy.cumulative_sum": func(t *tracing) Value { return t.cumulative("cumsum") },
		"jax.numpy.matvec":         func(t *tracing) Value { return t.product("x1", "x2", matmulDims) },
		"jax.numpy.vecdot":         vecdot,
		"jax.numpy.indices":        indices,
		"jax.numpy.resize":         func(t *tracing) Value { return t.reshapedTo("new_shape") },
		"jax.nn.glu":               glu,
		"jax.lax.complex":          func(t *tracing) Value { return t.firstOf("x") },

		"jax.numpy.linalg.cholesky":         func(t *tracing) Value { return t.solver("cholesky") },
		"jax.numpy.linalg.inv":              func(t *tracing) Value { return t.solver("lu") },
		"jax.numpy.linalg.det":              func(t *tracing) Value { return t.noted("lu") },
		"jax.numpy.linalg.slogdet":          func(t *tracing) Value { return t.noted("lu") },
		"jax.numpy.linalg.solve":            func(t *tracing) Value { return t.noted("lu") },
		"jax.numpy.linalg.qr":               func(t *tracing) Value { return t.noted("qr") },
		"jax.numpy.linalg.svd":              func(t *tracing) Value { return t.noted("svd") },
		"jax.numpy.linalg.eigh":             func(t *tracing) Value { return t.noted("eigh") },
		"jax.lax.reduce_window":             reduceWindow,
		"jax.lax.conv_general_dilated":      func(t *tracing) Value { return t.noted("conv_general_dilated") },
		"jax.lax.conv":                      func(t *tracing) Value { return t.noted("conv_general_dilated") },
		"jax.ad_checkpoint.checkpoint_name": func(t *tracing) Value { return t.sameAs("name") },

		"jax.random.bernoulli":        bernoulli,
		"jax.random.categorical":      categorical,
		"jax.random.permutation":      permutation,
		"jax.random.truncated_normal": func(t *tracing) Value { return t.random(3, 4, jax.Float32) },
		"jax.random.rademacher":       func(t *tracing) Value { return t.random(1, 2, jax.Int32) },
		"jax.random.key_data":         keyData,
		"jax.random.wrap_key_data":    wrapKeyData,

		"jax.experimental.pallas.tpu.einshape": einshape,
	})
	apis["numpy.prod"] = numpyProd
}

// noted binds a primitive of which only the name is modelled.
func (t *tracing) noted(prim string) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	t.bind(prim, nil, nil, x)
	return Unknown
}

// solver binds a primitive of linear algebra that keeps the shape of a float matrix.
func (t *tracing) solver(prim string) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	out := t.result(x.Shape, x.DType, false, x)
	if x.DType != jax.Float32 || t.numpy {
		out.DType = ""
	}
	t.bind(prim, nil, nil, x)
	return out
}

// windowPrims are what reduce_window becomes for functions that it knows.
var windowPrims = map[string]string{"jax.lax.add": "reduce_window_sum", "jax.lax.max": "reduce_window_max", "jax.lax.min": "reduce_window_min"}

func reduceWindow(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	if f, ok := t.given("computation", 2).(*API); ok {
		if prim, ok := windowPrims[f.Name]; ok {
			t.bind(prim, nil, nil, x)
		}
	}
	rank, known := x.Shape.Rank()
	if !known {
		rank = -1
	}
	return t.sameType(x, rank)
}

// firstOf is an array of the shape that the operands broadcast to and the type of the first.
func (t *tracing) firstOf(name string) Value {
	pos, _ := t.call.Args.positional()
	if len(pos) != 2 || len(t.call.Args) != 2 {
		return t.unknown()
	}
	in, ok := t.operands(pos[0].Value, pos[1].Value)
	if !ok {
		return Unknown
	}
	shape, fits := t.broadcastOf(in...)
	if !fits {
		return Unknown
	}
	d := in[0].DType
	if !d.IsFloat() || name == "x" || in[0].Weak || t.numpy {
		d = ""
	}
	return t.result(shape, d, false, in...)
}

func divmodArrays(t *tracing) Value {
	pos, _ := t.call.Args.positional()
	if len(pos) != 2 {
		return Unknown
	}
	q := t.sub(func(t *tracing) Value { return t.binary("jax.numpy.floor_divide") }, *pos[0], *pos[1])
	r := t.sub(func(t *tracing) Value { return t.binary("jax.numpy.remainder") }, *pos[0], *pos[1])
	return &Tuple{Head: []Value{q, r}}
}

// selectArrays models jax.numpy.select.
func selectArrays(t *tracing) Value {
	conds, ok1 := t.listed(t.given("condlist", 0))
	choices, ok2 := t.listed(t.given("choicelist", 1))
	otherwise := t.arg("default", 2)
	if otherwise == nil {
		otherwise = N(0)
	}
	if !ok1 || !ok2 || len(choices) == 0 {
		return t.unknown()
	}
	values, ok := t.operands(append(append([]Value{}, choices...), otherwise)...)
	masks, ok3 := t.operands(conds...)
	if !ok || !ok3 {
		return Unknown
	}
	shape, fits := t.broadcastOf(append(append([]*Array{}, values...), masks...)...)
	if !fits {
		return Unknown
	}
	d, weak := values[0].DType, values[0].Weak
	for _, x := range values[1:] {
		d, weak = t.promoted(d, x.DType, weak, x.Weak)
	}
	return t.bind("select_n", t.result(shape, d, weak, append(values, masks...)...), nil)
}

func diff(t *tracing) Value {
	x, ok := t.array("a", 0)
	if !ok || !isNone(t.given("prepend", 3)) || !isNone(t.given("append", 4)) {
		return Unknown
	}
	axis, n := t.arg("axis", 2), t.arg("n", 1)
	if axis == nil {
		axis = N(-1)
	}
	if n == nil {
		n = N(1)
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	k, ok := t.axisOf(axis, rank)
	if !ok {
		return t.sameType(x, rank)
	}
	out := t.sameType(x, rank)
	copy(out.Shape.Dims, x.Shape.Dims)
	if size, known := x.Shape.Dims[k].Known(); known {
		out.Shape.Dims[k] = nil
		if steps, known := asInt(n).Known(); known && steps >= 0 && steps <= size {
			out.Shape.Dims[k] = N(size - steps)
		}
	} else {
		out.Shape.Dims[k] = x.Shape.Dims[k].Sub(asInt(n))
	}
	return out
}

func meshgrid(t *tracing) Value {
	pos, open := t.call.Args.positional()
	if open || len(pos) == 0 || len(pos) > 6 || !isNone(t.given("sparse", -1)) {
		return Unknown
	}
	dims := make([]*Int, len(pos))
	in := make([]*Array, len(pos))
	for i, a := range pos {
		x, ok := t.operand(a.Value)
		if !ok || !x.Shape.IsRank(1) {
			return Unknown
		}
		in[i], dims[i] = x, x.Shape.Dims[0]
	}
	if v := t.given("indexing", -1); isNone(v) || same(v, Str("xy")) {
		if len(dims) > 1 {
			dims[0], dims[1] = dims[1], dims[0]
		}
	} else if !same(v, Str("ij")) {
		return Unknown
	}
	out := []Value{}
	for _, x := range in {
		out = append(out, t.result(Shape{Dims: dims}, x.DType, x.Weak, x))
	}
	t.bind("broadcast_in_dim", nil, nil)
	if len(pos) == 1 {
		t.prims = nil
	}
	return t.ip.newList(out)
}

func diag(t *tracing) Value {
	x, ok := t.array("v", 0)
	if !ok {
		return Unknown
	}
	if !isNone(t.given("k", 1)) || x.Shape.Dims == nil {
		return t.sameType(x, -1)
	}
	if x.Shape.IsRank(1) {
		n := x.Shape.Dims[0]
		return t.result(Shape{Dims: []*Int{n, n}}, x.DType, x.Weak, x)
	}
	return diagonal(t)
}

func diagonal(t *tracing) Value {
	x, ok := t.first()
	if !ok || len(t.call.Args) > 1 || !x.Shape.IsRank(2) {
		return Unknown
	}
	n, ok1 := x.Shape.Dims[0].Known()
	m, ok2 := x.Shape.Dims[1].Known()
	out := t.sameType(x, 1)
	if ok1 && ok2 {
		out.Shape.Dims[0] = N(min(n, m))
	} else if eq, known := x.Shape.Dims[0].Equal(x.Shape.Dims[1]); known && eq {
		out.Shape.Dims[0] = x.Shape.Dims[0]
	}
	return t.bind("gather", out, nil, x)
}

func trace(t *tracing) Value {
	x, ok := t.first()
	if !ok || len(t.call.Args) > 1 || !x.Shape.IsRank(2) || t.numpy || narrow(x.DType) || x.Weak {
		return Unknown
	}
	return t.bind("reduce_sum", t.result(Scalar, t.ip.wider(x.DType), false, x), nil)
}

func average(t *tracing) Value {
	x, ok := t.array("a", 0)
	if !ok || !isNone(t.given("weights", 2)) || !isNone(t.given("returned", 3)) {
		return Unknown
	}
	r := t.reduce(x, t.given("axis", 1), t.arg("keepdims", 4))
	return t.result(r.kept, t.floatResult(&Array{DType: x.DType}), false, x)
}

func median(t *tracing) Value {
	x, ok := t.array("a", 0)
	if !ok || !isNone(t.given("out", 2)) {
		return Unknown
	}
	r := t.reduce(x, t.given("axis", 1), t.arg("keepdims", 4))
	return t.result(r.kept, t.halves(x), false, x)
}

// halves is the type of a median.
func (t *tracing) halves(x *Array) jax.DType {
	if t.numpy || narrow(x.DType) {
		return ""
	}
	return inexact(x.DType)
}

func quantile(t *tracing) Value {
	x, ok := t.array("a", 0)
	q, ok2 := t.array("q", 1)
	if !ok || !ok2 || !q.Shape.IsRank(0) {
		return Unknown
	}
	r := t.reduce(x, t.given("axis", 2), t.arg("keepdims", 6))
	return t.result(r.kept, t.halves(x), false, x)
}

func searchsorted(t *tracing) Value {
	a, ok := t.array("a", 0)
	v, ok2 := t.array("v", 1)
	if !ok || !ok2 || !isNone(t.given("dtype", -1)) {
		return Unknown
	}
	d := jax.Int32 // whatever jax_enable_x64
	if t.numpy {
		d = jax.Int64
	}
	return t.result(v.Shape, d, false, a, v)
}

func (t *tracing) scalarBool() Value {
	pos, _ := t.call.Args.positional()
	if len(pos) < 2 {
		return Unknown
	}
	in, ok := t.operands(pos[0].Value, pos[1].Value)
	if !ok || t.numpy {
		return Unknown
	}
	return t.result(Scalar, jax.Bool, false, in...)
}

// nonzero with a size, without which its shape depends on values.
func nonzero(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	size := t.given("size", -1)
	if isNone(size) {
		if x.Traced && !t.numpy && t.ip.kernel != nil && !t.call.Open {
			t.fault("traced-shape", t.call.API, x)
		}
		return Unknown
	}
	row := t.result(Shape{Dims: []*Int{asInt(size)}}, t.ip.widest(jax.Int32), false, x)
	if strings.HasSuffix(t.call.API, ".flatnonzero") {
		return row
	}
	rank, known := x.Shape.Rank()
	if !known {
		return &Tuple{Rest: row}
	}
	out := &Tuple{}
	for i := 0; i < rank; i++ {
		out.Head = append(out.Head, row)
	}
	return out
}

func (t *tracing) splitAlong(axis *Int) Value {
	x, ok := t.first()
	if !ok || x.Shape.Dims == nil || len(x.Shape.Dims) < 2 {
		return Unknown
	}
	k, _ := t.axisOf(axis, len(x.Shape.Dims))
	sizes, ok := t.splitSizes(x, k, t.given("indices_or_sections", 1))
	if !ok {
		return Unknown
	}
	return t.pieces(x, k, sizes)
}

func dstack(t *tracing) Value {
	in, ok := t.parts(t.given("tup", 0), true)
	if !ok {
		return Unknown
	}
	for i, x := range in {
		switch n, _ := x.Shape.Rank(); {
		case x.Shape.Dims == nil:
			return Unknown
		case n == 2:
			in[i] = t.expanded(x, []int{2})
		case n == 1:
			in[i] = t.expanded(x, []int{0, 2})
		case n == 0:
			in[i] = t.expanded(x, []int{0, 1, 2})
		}
	}
	return t.joined(in, N(2))
}

func columnStack(t *tracing) Value {
	in, ok := t.parts(t.given("tup", 0), true)
	if !ok {
		return Unknown
	}
	for i, x := range in {
		if x.Shape.Dims == nil || len(x.Shape.Dims) == 0 {
			return Unknown
		}
		if x.Shape.IsRank(1) {
			y := *x
			y.Shape = Shape{Dims: []*Int{x.Shape.Dims[0], N(1)}}
			in[i] = &y
		}
	}
	return t.joined(in, N(1))
}

func vecdot(t *tracing) Value {
	l, r, ok := t.pair("x1", "x2")
	if !ok || !isNone(t.given("axis", -1)) {
		return Unknown
	}
	n, ok1 := l.Shape.Rank()
	m, ok2 := r.Shape.Rank()
	if !ok1 || !ok2 || n != m || n == 0 {
		return t.dotOut(Shape{}, l, r, nil)
	}
	var batch []int
	for i := 0; i < n-1; i++ {
		batch = append(batch, i)
		if a, b := l.Shape.Dims[i], r.Shape.Dims[i]; a.Is(1) != b.Is(1) {
			return t.dotOut(Shape{}, l, r, nil)
		}
	}
	return t.contract(l, r, contraction{lc: []int{n - 1}, rc: []int{n - 1}, lb: batch, rb: batch})
}

func indices(t *tracing) Value {
	s := t.shape(t.given("dimensions", 0))
	d := t.dtypeArg("dtype", 1, t.ip.widest(jax.Int32))
	if t.numpy {
		d = t.dtypeArg("dtype", 1, jax.Int64)
	}
	if s.Dims == nil || !isNone(t.given("sparse", 2)) {
		return Unknown
	}
	return t.result(Shape{Dims: append([]*Int{N(int64(len(s.Dims)))}, s.Dims...)}, d, false)
}

func (t *tracing) reshapedTo(name string) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.result(t.shape(t.given(name, 1)), x.DType, x.Weak, x)
}

func glu(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok || x.Shape.Dims == nil || !x.DType.IsFloat() {
		return Unknown
	}
	axis := t.arg("axis", 1)
	if axis == nil {
		axis = N(-1)
	}
	k, ok := t.axisOf(axis, len(x.Shape.Dims))
	if !ok {
		return Unknown
	}
	out := t.sameType(x, len(x.Shape.Dims))
	copy(out.Shape.Dims, x.Shape.Dims)
	out.Shape.Dims[k] = nil
	if n := x.Shape.Dims[k]; n != nil && n.divisible(2) {
		out.Shape.Dims[k] = n.FloorDiv(N(2))
	}
	return out
}

func bernoulli(t *tracing) Value {
	shape := Scalar
	if v := t.arg("p", 1); v != nil {
		p, ok := t.operand(v)
		if !ok {
			return Unknown
		}
		shape = p.Shape
	}
	if v := t.given("shape", 2); !isNone(v) {
		shape = t.shape(v)
	}
	return t.result(shape, jax.Bool, false)
}

func categorical(t *tracing) Value {
	x, ok := t.array("logits", 1)
	if !ok || !isNone(t.given("shape", 3)) {
		return Unknown
	}
	axis := t.arg("axis", 2)
	if axis == nil {
		axis = N(-1)
	}
	return t.result(t.reduce(x, axis, nil).kept, t.ip.widest(jax.Int32), false, x)
}

func permutation(t *tracing) Value {
	v := t.given("x", 1)
	if staticInt(v) {
		return t.result(Shape{Dims: []*Int{asInt(v)}}, t.ip.widest(jax.Int32), false)
	}
	x, ok := t.operand(v)
	if !ok || !x.Traced || x.Shape.IsRank(0) {
		return Unknown
	}
	return t.result(x.Shape, x.DType, false, x)
}

// keyNumbers is the shape of the numbers that a key is made of.
func keyNumbers(d jax.DType) []*Int {
	switch d {
	case jax.KeyFry:
		return []*Int{N(2)}
	case jax.KeyPallas:
		return []*Int{N(1), N(2)}
	}
	return nil
}

func keyData(t *tracing) Value {
	x, ok := t.array("keys", 0)
	if !ok || x.Shape.Dims == nil || keyNumbers(x.DType) == nil {
		return Unknown
	}
	out := t.result(Shape{Dims: append(append([]*Int{}, x.Shape.Dims...), keyNumbers(x.DType)...)}, jax.Uint32, false, x)
	return t.bind("random_unwrap", out, nil, x)
}

func wrapKeyData(t *tracing) Value {
	x, ok := t.array("key_bits_array", 0)
	numbers := keyNumbers(t.keyType())
	if !ok || numbers == nil || len(x.Shape.Dims) < len(numbers) {
		return Unknown
	}
	out := t.result(Shape{Dims: x.Shape.Dims[:len(x.Shape.Dims)-len(numbers)]}, t.keyType(), false, x)
	return t.bind("random_wrap", out, nil, x)
}

// numpyProd is np.prod, which programs use on shapes.
func numpyProd(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	_, isSeq := ip.iterate(v).(*Tuple)
	if _, isArray := v.(*Array); isArray || len(c.Args) != 1 {
		return arrayModel(func(t *tracing) Value { return t.accumulate("reduce_prod") }).run(ip, fr, c, true)
	}
	n := mathProd(ip, fr, c)
	if !isSeq && !strings.HasSuffix(keyOf(v), ".shape") {
		return n
	}
	switch n := n.(type) {
	case *Int:
		return &Array{Shape: Scalar, DType: jax.Int64, NumPy: true, Lin: n, Fill: n, Loc: c.Loc}
	case *Opaque:
		if lin := asInt(n); lin != nil {
			return &Array{Shape: Scalar, DType: jax.Int64, NumPy: true, Lin: lin, Loc: c.Loc}
		}
	}
	return Unknown
}

// einshape models pltpu.einshape: a reshape and transpose written as "(ab)c->bac" (jax/_src/pallas/einshape.py).
func einshape(t *tracing) Value {
	x, ok := t.array("x", 1)
	text, isText := t.given("equation", 0).(Str)
	if !ok {
		return Unknown
	}
	left, right, arrow := strings.Cut(strings.ReplaceAll(string(text), " ", ""), "->")
	from, ok1 := groups(left)
	to, ok2 := groups(right)
	if !isText || !arrow || !ok1 || !ok2 || !x.Shape.IsRank(len(from)) || strings.Contains(left, "...") {
		return t.sameType(x, -1)
	}
	sizes := map[rune]*Int{}
	for i, g := range from {
		t.splitGroup(g, x.Shape.Dims[i], sizes)
	}
	out := t.sameType(x, len(to))
	for i, g := range to {
		n := N(1)
		for _, c := range g {
			n = n.Mul(sizes[c])
		}
		out.Shape.Dims[i] = n
	}
	return out
}

// groups splits "(ab)c" into its dimensions.
func groups(s string) ([]string, bool) {
	var out []string
	for s != "" {
		if s[0] != '(' {
			out = append(out, s[:1])
			s = s[1:]
			continue
		}
		end := strings.IndexByte(s, ')')
		if end < 0 {
			return nil, false
		}
		out = append(out, s[1:end])
		s = s[end+1:]
	}
	return out, true
}

// splitGroup finds the sizes of the factors of one dimension: all but one are given by name.
func (t *tracing) splitGroup(g string, dim *Int, sizes map[rune]*Int) {
	hole := rune(0)
	rest := N(1)
	for _, c := range g {
		v := t.given(string(c), -1)
		if isNone(v) {
			if hole != 0 {
				return
			}
			hole = c
			continue
		}
		sizes[c] = asInt(v)
		rest = rest.Mul(asInt(v))
	}
	if hole == 0 {
		return
	}
	if rest.Is(1) {
		sizes[hole] = dim
		return
	}
	if k, known := rest.Known(); known && k > 0 && dim != nil && dim.divisible(k) {
		sizes[hole] = dim.FloorDiv(rest)
	}
}
