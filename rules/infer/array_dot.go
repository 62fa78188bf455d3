package infer

import (
	"strings"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.numpy.matmul":     matmul,
		"jax.numpy.dot":        dot,
		"jax.numpy.vdot":       vdot,
		"jax.numpy.inner":      inner,
		"jax.numpy.outer":      outer,
		"jax.numpy.tensordot":  tensordot,
		"jax.numpy.einsum":     einsum,
		"jax.lax.dot":          laxDot,
		"jax.lax.dot_general":  dotGeneral,
		"jax.lax.batch_matmul": func(t *tracing) Value { return t.product("lhs", "rhs", matmulDims) },
	})
}

// contraction are dimension numbers of dot_general: contracted and batch dimensions of both sides.
type contraction struct{ lc, rc, lb, rb []int }

// pair reads two operands.
func (t *tracing) pair(a, b string) (l, r *Array, ok bool) {
	in, ok := t.operands(t.given(a, 0), t.given(b, 1))
	if !ok {
		return nil, nil, false
	}
	return in[0], in[1], true
}

func matmul(t *tracing) Value { return t.product("a", "b", matmulDims) }

func dot(t *tracing) Value {
	l, r, ok := t.pair("a", "b")
	if !ok {
		return Unknown
	}
	if l.Shape.IsRank(0) || r.Shape.IsRank(0) {
		if shape, fits := broadcast(l.Shape, r.Shape); fits {
			return t.dotOut(shape, l, r, nil)
		}
	}
	return t.product("a", "b", dotDims)
}

// product is a matrix product with the dimensions that dims chooses by rank.
func (t *tracing) product(a, b string, dims func(n, m int) (contraction, bool)) Value {
	l, r, ok := t.pair(a, b)
	if !ok {
		return Unknown
	}
	n, ok1 := l.Shape.Rank()
	m, ok2 := r.Shape.Rank()
	if !ok1 || !ok2 {
		return t.dotOut(Shape{}, l, r, nil)
	}
	c, ok := dims(n, m)
	if !ok {
		if n == 0 || m == 0 {
			t.fault("dot-rank", shapesText([]*Array{l, r}), l, r)
			return Unknown
		}
		return t.batched(l, r)
	}
	return t.contract(l, r, c)
}

// matmulDims: at most one side has batch dimensions.
func matmulDims(n, m int) (contraction, bool) {
	switch {
	case n == 0 || m == 0 || n > 2 && m > 2:
		return contraction{}, false
	case m == 1:
		return contraction{lc: []int{n - 1}, rc: []int{0}}, true
	case n <= 2 && m == 2, n > 2 && m == 2:
		return contraction{lc: []int{n - 1}, rc: []int{0}}, true
	}
	return contraction{}, false
}

// dotDims: the last dimension of the left, the last but one of the right.
func dotDims(n, m int) (contraction, bool) {
	if n == 0 || m == 0 {
		return contraction{}, false
	}
	return contraction{lc: []int{n - 1}, rc: []int{max(m-2, 0)}}, true
}

// batched is matmul of stacks of matrices, whose leading dimensions are broadcast.
func (t *tracing) batched(l, r *Array) Value {
	n, m := len(l.Shape.Dims), len(r.Shape.Dims)
	a, b := l.Shape.Dims, r.Shape.Dims
	k := max(m-2, 0)
	if !t.sameDim(a[n-1], b[k], l, r) {
		return Unknown
	}
	batch, fits := broadcast(Shape{Dims: a[:max(n-2, 0)]}, Shape{Dims: b[:k]})
	if !fits {
		t.fault("broadcast", shapesText([]*Array{l, r}), l, r)
		return Unknown
	}
	dims := append([]*Int{}, batch.Dims...)
	if n > 1 {
		dims = append(dims, a[n-2])
	}
	if m > 1 {
		dims = append(dims, b[m-1])
	}
	return t.dotOut(Shape{Dims: dims}, l, r, nil)
}

// sameDim notes contracted dimensions that certainly differ.
func (t *tracing) sameDim(a, b *Int, l, r *Array) bool {
	if eq, known := a.Equal(b); known && !eq && bothKnown(a, b) {
		t.fault("dot-contract", shapesText([]*Array{l, r}), l, r)
		return false
	}
	return true
}

// contract is dot_general with known dimensions.
func (t *tracing) contract(l, r *Array, c contraction) Value {
	a, b := l.Shape.Dims, r.Shape.Dims
	for i := range c.lc {
		if !t.sameDim(a[c.lc[i]], b[c.rc[i]], l, r) {
			return Unknown
		}
	}
	var dims []*Int
	dims = append(dims, []*Int{}...)
	for i := range c.lb {
		if !t.sameDim(a[c.lb[i]], b[c.rb[i]], l, r) {
			return Unknown
		}
		d := a[c.lb[i]]
		if _, known := d.Known(); !known {
			if _, known := b[c.rb[i]].Known(); known {
				d = b[c.rb[i]]
			}
		}
		dims = append(dims, d)
	}
	dims = append(append(dims, freeDims(a, c.lc, c.lb)...), freeDims(b, c.rc, c.rb)...)
	if dims == nil {
		dims = []*Int{}
	}
	return t.dotOut(Shape{Dims: dims}, l, r, &c)
}

func freeDims(dims []*Int, taken ...[]int) []*Int {
	var out []*Int
	for i, d := range dims {
		if !has(taken[0], i) && !has(taken[1], i) {
			out = append(out, d)
		}
	}
	return out
}

// dotOut is the result of a product, with dot_general bound (jax/_src/lax/lax.py dot_general).
func (t *tracing) dotOut(shape Shape, l, r *Array, c *contraction) *Array {
	d, weak := t.ip.promote(l.DType, r.DType, l.Weak, r.Weak)
	if t.numpy {
		d, weak = numpyPromote(l.DType, r.DType), false
	}
	if p := t.given("preferred_element_type", -1); !isNone(p) {
		d, weak = t.dtype(p), false
	}
	out := t.result(shape, d, weak, l, r)
	params := map[string]Value{"precision": t.given("precision", -1), "preferred_element_type": dtypeValue(out.DType)}
	if c != nil {
		params["dimension_numbers"] = &Tuple{Head: []Value{
			&Tuple{Head: []Value{intTuple(c.lc), intTuple(c.rc)}}, &Tuple{Head: []Value{intTuple(c.lb), intTuple(c.rb)}}}}
	}
	return t.bind("dot_general", out, params, l, r)
}

func vdot(t *tracing) Value {
	l, r, ok := t.pair("a", "b")
	if !ok {
		return Unknown
	}
	return t.dotOut(Scalar, l, r, nil)
}

func inner(t *tracing) Value {
	l, r, ok := t.pair("a", "b")
	if !ok {
		return Unknown
	}
	n, ok1 := l.Shape.Rank()
	m, ok2 := r.Shape.Rank()
	if !ok1 || !ok2 || n == 0 || m == 0 {
		return t.dotOut(Shape{}, l, r, nil)
	}
	return t.contract(l, r, contraction{lc: []int{n - 1}, rc: []int{m - 1}})
}

func outer(t *tracing) Value {
	l, r, ok := t.pair("a", "b")
	if !ok {
		return Unknown
	}
	d, weak := t.ip.promote(l.DType, r.DType, l.Weak, r.Weak)
	if t.numpy {
		d, weak = numpyPromote(l.DType, r.DType), false
	}
	out := t.result(Shape{}, d, weak, l, r)
	if l.Shape.Dims != nil && r.Shape.Dims != nil {
		out.Shape.Dims = []*Int{product(l.Shape.Dims), product(r.Shape.Dims)}
	}
	return t.bind("mul", out, nil, l, r)
}

func tensordot(t *tracing) Value {
	l, r, ok := t.pair("a", "b")
	if !ok {
		return Unknown
	}
	n, ok1 := l.Shape.Rank()
	m, ok2 := r.Shape.Rank()
	axes := t.arg("axes", 2)
	if axes == nil {
		axes = N(2)
	}
	if !ok1 || !ok2 {
		return t.dotOut(Shape{}, l, r, nil)
	}
	var c contraction
	if k, known := asInt(axes).Known(); known && k >= 0 && int(k) <= min(n, m) {
		for i := 0; i < int(k); i++ {
			c.lc, c.rc = append(c.lc, n-int(k)+i), append(c.rc, i)
		}
		return t.contract(l, r, c)
	}
	if sides, ok := t.listed(axes); ok && len(sides) == 2 {
		a, ok1 := t.axesOf(sides[0], n)
		b, ok2 := t.axesOf(sides[1], m)
		if ok1 && ok2 && len(a) == len(b) {
			return t.contract(l, r, contraction{lc: a, rc: b})
		}
	}
	return t.dotOut(Shape{}, l, r, nil)
}

func laxDot(t *tracing) Value {
	if isNone(t.given("dimension_numbers", -1)) {
		return t.product("lhs", "rhs", func(n, m int) (contraction, bool) {
			if n < 1 || m < 1 || n > 2 || m > 2 {
				return contraction{}, false
			}
			return contraction{lc: []int{n - 1}, rc: []int{0}}, true
		})
	}
	return dotGeneral(t)
}

func dotGeneral(t *tracing) Value {
	l, r, ok := t.pair("lhs", "rhs")
	if !ok {
		return Unknown
	}
	n, ok1 := l.Shape.Rank()
	m, ok2 := r.Shape.Rank()
	if !ok1 || !ok2 {
		return t.dotOut(Shape{}, l, r, nil)
	}
	c, ok := t.dimensionNumbers(t.given("dimension_numbers", 2), n, m)
	if !ok {
		return t.dotOut(Shape{}, l, r, nil)
	}
	return t.contract(l, r, c)
}

// dimensionNumbers reads ((lhs contracting, rhs contracting), (lhs batch, rhs batch)).
func (t *tracing) dimensionNumbers(v Value, n, m int) (c contraction, ok bool) {
	halves, ok := t.listed(v)
	if !ok || len(halves) != 2 {
		return c, false
	}
	contract, ok1 := t.listed(halves[0])
	batch, ok2 := t.listed(halves[1])
	if !ok1 || !ok2 || len(contract) != 2 || len(batch) != 2 {
		return c, false
	}
	lists := make([][]int, 4)
	for i, v := range []Value{contract[0], contract[1], batch[0], batch[1]} {
		if isNone(t.ip.resolve(v)) {
			return c, false
		}
		if lists[i], ok = t.axesOf(v, []int{n, m, n, m}[i]); !ok {
			return c, false
		}
	}
	c = contraction{lists[0], lists[1], lists[2], lists[3]}
	return c, len(c.lc) == len(c.rc) && len(c.lb) == len(c.rb)
}

// einsum models jax.numpy.einsum for operands in the order of a written formula.
func einsum(t *tracing) Value {
	formula, ok := t.given("subscripts", 0).(Str)
	pos, open := t.call.Args.positional()
	if !ok || open || len(pos) < 2 {
		return t.unknown()
	}
	var in []*Array
	for _, a := range pos[1:] {
		x, ok := t.operand(a.Value)
		if !ok {
			return Unknown
		}
		in = append(in, x)
	}
	text := strings.ReplaceAll(string(formula), " ", "")
	left, right, arrow := strings.Cut(text, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(in) || strings.Contains(text, ".") && !arrow {
		return t.einsumOut(Shape{}, in)
	}
	if !arrow {
		right = implicitOutput(left)
	}
	return t.einsumOut(t.einsumShape(terms, right, in), in)
}

// implicitOutput are the letters that occur once, in alphabetical order.
func implicitOutput(left string) string {
	var b strings.Builder
	for c := 'A'; c <= 'z'; c++ {
		if strings.Count(left, string(c)) == 1 {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// einsumShape is the shape of the result; unknown where a formula is beyond this model.
func (t *tracing) einsumShape(terms []string, right string, in []*Array) Shape {
	sizes := map[rune]*Int{}
	rest := Scalar
	for i, term := range terms {
		if in[i].Shape.Dims == nil {
			return Shape{}
		}
		dims := in[i].Shape.Dims
		before, after, dots := strings.Cut(term, "...")
		letters := len(before) + len(after)
		if letters > len(dims) || !dots && letters != len(dims) {
			return Shape{}
		}
		var fits bool
		if rest, fits = broadcast(rest, Shape{Dims: dims[len(before) : len(dims)-len(after)]}); !fits {
			return Shape{}
		}
		for k, c := range before + after {
			d := dims[k]
			if k >= len(before) {
				d = dims[len(dims)-letters+k]
			}
			have, seen := sizes[c]
			if !seen {
				sizes[c] = d
				continue
			}
			joined, fits := broadcastDim(have, d)
			if !fits {
				t.fault("dot-contract", shapesText(in), arrayValues(in)...)
				return Shape{}
			}
			sizes[c] = joined
		}
	}
	before, after, dots := strings.Cut(right, "...")
	out := Shape{Dims: []*Int{}}
	for _, c := range before {
		out.Dims = append(out.Dims, sizes[c])
	}
	if dots {
		out.Dims = append(out.Dims, rest.Dims...)
	}
	for _, c := range after {
		out.Dims = append(out.Dims, sizes[c])
	}
	return out
}

func (t *tracing) einsumOut(shape Shape, in []*Array) Value {
	if len(in) == 2 {
		return t.dotOut(shape, in[0], in[1], nil)
	}
	d, weak := in[0].DType, in[0].Weak
	for _, x := range in[1:] {
		d, weak = t.ip.promote(d, x.DType, weak, x.Weak)
	}
	if p := t.given("preferred_element_type", -1); !isNone(p) {
		d, weak = t.dtype(p), false
	}
	return t.result(shape, d, weak, in...)
}
