package infer

import (
	"strings"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.numpy.rollaxis":         rollaxis,
		"jax.numpy.transpose":        transpose,
		"jax.numpy.permute_dims":     transpose,
		"jax.lax.transpose":          transpose,
		"jax.numpy.matrix_transpose": matrixTranspose,
		"jax.numpy.swapaxes":         swapaxes,
		"jax.numpy.moveaxis":         moveaxis,
		"jax.numpy.reshape":          reshape,
		"jax.lax.reshape":            reshape,
		"jax.numpy.ravel":            ravel,
		"jax.lax.collapse":           collapse,
		"jax.numpy.expand_dims":      expandDims,
		"jax.lax.expand_dims":        expandDims,
		"jax.numpy.squeeze":          squeeze,
		"jax.lax.squeeze":            squeeze,
		"jax.numpy.broadcast_to":     broadcastToShape,
		"jax.lax.broadcast":          laxBroadcast,
		"jax.lax.broadcast_in_dim":   broadcastInDim,
		"jax.numpy.broadcast_arrays": broadcastArrays,
		"jax.numpy.broadcast_shapes": broadcastShapes,
		"jax.lax.broadcast_shapes":   broadcastShapes,
		"jax.numpy.atleast_1d":       func(t *tracing) Value { return t.atLeast(1) },
		"jax.numpy.atleast_2d":       func(t *tracing) Value { return t.atLeast(2) },
		"jax.numpy.flip":             flip,
		"jax.numpy.rot90":            rot90,
		"jax.numpy.flipud":           func(t *tracing) Value { return t.reverse(N(0)) },
		"jax.numpy.fliplr":           func(t *tracing) Value { return t.reverse(N(1)) },
		"jax.lax.rev":                func(t *tracing) Value { return t.reverse(t.given("dimensions", 1)) },
	})
}

// permuted binds a transpose.
func (t *tracing) permuted(x *Array, perm []int) Value {
	out := t.result(Shape{Dims: make([]*Int, len(perm))}, x.DType, x.Weak, x)
	same := true
	for i, p := range perm {
		out.Shape.Dims[i] = x.Shape.Dims[p]
		same = same && i == p
	}
	out.Fill = x.Fill
	if same {
		return out
	}
	return t.bind("transpose", out, map[string]Value{"permutation": intTuple(perm)}, x)
}

// sameType is an array of unknown shape and the type of another.
func (t *tracing) sameType(x *Array, rank int) *Array {
	out := t.result(Shape{}, x.DType, x.Weak, x)
	if rank >= 0 {
		out.Shape.Dims = make([]*Int, rank)
	}
	return out
}

func transpose(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	name := "axes"
	if strings.HasPrefix(t.call.API, "jax.lax.") {
		name = "permutation"
	}
	axes := t.given(name, 1)
	perm := make([]int, rank)
	if isNone(axes) {
		for i := range perm {
			perm[i] = rank - 1 - i
		}
		return t.permuted(x, perm)
	}
	perm, ok = t.axesOf(axes, rank)
	if !ok {
		return t.sameType(x, rank)
	}
	if len(perm) != rank || !isPermutation(perm) {
		t.fault("transpose", shapesText([]*Array{x}), x, axes)
		return Unknown
	}
	return t.permuted(x, perm)
}

func isPermutation(perm []int) bool {
	for i := range perm {
		if !has(perm, i) {
			return false
		}
	}
	return true
}

func matrixTranspose(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.swapped(x, N(-1), N(-2))
}

func swapaxes(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.swapped(x, t.given("axis1", 1), t.given("axis2", 2))
}

func (t *tracing) swapped(x *Array, a, b Value) Value {
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	i, ok1 := t.axisOf(a, rank)
	j, ok2 := t.axisOf(b, rank)
	if !ok1 || !ok2 {
		return t.sameType(x, rank)
	}
	perm := make([]int, rank)
	for k := range perm {
		perm[k] = k
	}
	perm[i], perm[j] = j, i
	return t.permuted(x, perm)
}

func moveaxis(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	from, ok1 := t.axesOf(t.given("source", 1), rank)
	to, ok2 := t.axesOf(t.given("destination", 2), rank)
	if !ok1 || !ok2 || len(from) != len(to) {
		return t.sameType(x, rank)
	}
	perm := make([]int, 0, rank)
	for i := 0; i < rank; i++ {
		if !has(from, i) {
			perm = append(perm, i)
		}
	}
	for d := 0; d < rank; d++ { // destinations in ascending order
		for k, dest := range to {
			if dest == d {
				perm = append(perm[:min(d, len(perm)):min(d, len(perm))], append([]int{from[k]}, perm[min(d, len(perm)):]...)...)
			}
		}
	}
	return t.permuted(x, perm)
}

func rollaxis(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	from, ok1 := t.axisOf(t.given("axis", 1), rank)
	start := t.arg("start", 2)
	if start == nil {
		start = N(0)
	}
	k, known := asInt(start).Known()
	if !ok1 || !known || k < 0 || k > int64(rank) {
		return t.sameType(x, rank)
	}
	var perm []int
	for i := 0; i <= rank; i++ {
		if i == int(k) {
			perm = append(perm, from)
		}
		if i < rank && i != from {
			perm = append(perm, i)
		}
	}
	return t.permuted(x, perm)
}

func reshape(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	name := "shape"
	if strings.HasPrefix(t.call.API, "jax.lax.") {
		name = "new_sizes"
	}
	return t.reshaped(x, t.shape(t.given(name, 1)))
}

// reshaped gives x another shape, in which one dimension may be -1.
func (t *tracing) reshaped(x *Array, to Shape) Value {
	if to.Dims == nil {
		return t.shapedAs(x, to)
	}
	total := (*Int)(nil)
	if x.Shape.Dims != nil {
		total = product(x.Shape.Dims)
	}
	out := Shape{Dims: append([]*Int{}, to.Dims...)}
	hole := -1
	rest := N(1)
	for i, d := range out.Dims {
		if d.Is(-1) {
			hole = i
			continue
		}
		rest = rest.Mul(d)
	}
	if hole >= 0 {
		out.Dims[hole] = t.inferDim(x, total, rest)
		if out.Dims[hole] == nil && rest != nil && provenIndivisible(total, rest) {
			t.fault("reshape", x.Shape.String()+" -> "+to.String(), x)
			return Unknown
		}
	} else if eq, known := total.Equal(rest); known && !eq && bothKnown(total, rest) {
		t.fault("reshape", x.Shape.String()+" -> "+to.String(), x)
		return Unknown
	}
	if eq, known := out.Equal(x.Shape); known && eq {
		same := *x
		same.Loc = t.call.Loc
		return &same
	}
	return t.shapedAs(x, out)
}

func bothKnown(a, b *Int) bool {
	_, ok1 := a.Known()
	_, ok2 := b.Known()
	return ok1 && ok2
}

func provenIndivisible(total, rest *Int) bool {
	n, ok1 := total.Known()
	k, ok2 := rest.Known()
	return ok1 && ok2 && (k == 0 || n%k != 0)
}

// inferDim is the dimension that -1 stands for.
func (t *tracing) inferDim(x *Array, total, rest *Int) *Int {
	if total == nil || rest == nil || provenIndivisible(total, rest) {
		return nil
	}
	if v, ok := rest.Known(); ok && (v <= 0 || !total.divisible(v)) {
		return nil
	}
	q := total.FloorDiv(rest)
	if q == nil {
		return nil
	}
	if eq, known := q.Mul(rest).Equal(total); known && eq {
		return q
	}
	return nil
}

// shapedAs is x in another shape, with a reshape bound.
func (t *tracing) shapedAs(x *Array, s Shape) Value {
	out := t.result(s, x.DType, x.Weak, x)
	out.Fill = x.Fill
	if s.Dims == nil || x.Shape.Dims == nil {
		return out
	}
	return t.bind("reshape", out, nil, x)
}

func ravel(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.reshaped(x, Shape{Dims: []*Int{N(-1)}})
}

func collapse(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	from, ok1 := t.axisOf(t.given("start_dimension", 1), rank)
	to := rank
	if v := t.given("stop_dimension", 2); !isNone(v) {
		k, known := asInt(v).Known()
		if !known {
			return t.sameType(x, -1)
		}
		if k < 0 {
			k += int64(rank)
		}
		to = int(k)
	}
	if !ok1 || to <= from || to > rank {
		return t.sameType(x, -1)
	}
	dims := append(append([]*Int{}, x.Shape.Dims[:from]...), product(x.Shape.Dims[from:to]))
	return t.reshaped(x, Shape{Dims: append(dims, x.Shape.Dims[to:]...)})
}

func expandDims(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	name := "axis"
	if strings.HasPrefix(t.call.API, "jax.lax.") {
		name = "dimensions"
	}
	v := t.given(name, 1)
	n := 1
	if items, ok := t.listed(v); ok {
		n = len(items)
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	axes, ok := t.axesOf(v, rank+n)
	if !ok || isNone(v) {
		return t.sameType(x, rank+n)
	}
	return t.expanded(x, axes)
}

// expanded adds dimensions of size 1 at the axes of the result.
func (t *tracing) expanded(x *Array, axes []int) *Array {
	rank := len(x.Shape.Dims) + len(axes)
	out := t.result(Shape{Dims: make([]*Int, rank)}, x.DType, x.Weak, x)
	out.Fill = x.Fill
	var dims []int
	k := 0
	for i := range out.Shape.Dims {
		if has(axes, i) {
			out.Shape.Dims[i] = N(1)
			continue
		}
		if k >= len(x.Shape.Dims) { // an axis was given twice
			return t.sameType(x, -1)
		}
		out.Shape.Dims[i] = x.Shape.Dims[k]
		dims = append(dims, i)
		k++
	}
	if len(axes) == 0 {
		return out
	}
	return t.bind("broadcast_in_dim", out, map[string]Value{"broadcast_dimensions": intTuple(dims)}, x)
}

func squeeze(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	name := "axis"
	if strings.HasPrefix(t.call.API, "jax.lax.") {
		name = "dimensions"
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	v := t.given(name, 1)
	var axes []int
	if isNone(v) {
		for i, d := range x.Shape.Dims {
			k, known := d.Known()
			if !known {
				return t.sameType(x, -1)
			}
			if k == 1 {
				axes = append(axes, i)
			}
		}
	} else if axes, ok = t.axesOf(v, rank); !ok {
		return t.sameType(x, -1)
	}
	return t.squeezed(x, axes)
}

func (t *tracing) squeezed(x *Array, axes []int) Value {
	out := t.result(Shape{Dims: []*Int{}}, x.DType, x.Weak, x)
	for i, d := range x.Shape.Dims {
		if !has(axes, i) {
			out.Shape.Dims = append(out.Shape.Dims, d)
			continue
		}
		if k, known := d.Known(); known && k != 1 {
			t.fault("squeeze", x.Shape.String(), x, N(int64(i)))
			return Unknown
		}
	}
	out.Fill = x.Fill
	if len(axes) == 0 {
		return out
	}
	return t.bind("squeeze", out, map[string]Value{"dimensions": intTuple(axes)}, x)
}

func broadcastToShape(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.spreadTo(x, t.shape(t.given("shape", 1)))
}

// spreadTo broadcasts x to a shape.
func (t *tracing) spreadTo(x *Array, to Shape) Value {
	if _, fits := broadcastTo(x.Shape, to); !fits {
		t.fault("broadcast", x.Shape.String()+" -> "+to.String(), x)
		return Unknown
	}
	out := t.result(to, x.DType, x.Weak, x)
	out.Fill = x.Fill
	if eq, known := to.Equal(x.Shape); known && eq {
		return out
	}
	if to.Dims == nil || x.Shape.Dims == nil {
		return out
	}
	return t.bind("broadcast_in_dim", out, nil, x)
}

func laxBroadcast(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	sizes := t.shape(t.given("sizes", 1))
	if sizes.Dims == nil || x.Shape.Dims == nil {
		return t.sameType(x, -1)
	}
	return t.spreadTo(x, Shape{Dims: append(append([]*Int{}, sizes.Dims...), x.Shape.Dims...)})
}

func broadcastInDim(t *tracing) Value {
	x, ok := t.array("operand", 0)
	if !ok {
		return Unknown
	}
	to := t.shape(t.given("shape", 1))
	dims := t.given("broadcast_dimensions", 2)
	if items, ok := t.listed(dims); ok && x.Shape.Dims != nil && to.Dims != nil {
		if len(items) != len(x.Shape.Dims) {
			t.fault("broadcast", x.Shape.String()+" -> "+to.String(), x)
			return Unknown
		}
		for i, it := range items {
			k, known := asInt(it).Known()
			if !known || k < 0 || k >= int64(len(to.Dims)) {
				continue
			}
			from, ok1 := x.Shape.Dims[i].Known()
			size, ok2 := to.Dims[k].Known()
			if ok1 && ok2 && from != size && from != 1 {
				t.fault("broadcast", x.Shape.String()+" -> "+to.String(), x)
				return Unknown
			}
		}
	}
	out := t.result(to, x.DType, x.Weak, x)
	out.Fill = x.Fill
	return t.bind("broadcast_in_dim", out, map[string]Value{"broadcast_dimensions": dims}, x)
}

func broadcastArrays(t *tracing) Value {
	pos, open := t.call.Args.positional()
	if open {
		return Unknown
	}
	var in []*Array
	for _, a := range pos {
		x, ok := t.operand(a.Value)
		if !ok {
			return Unknown
		}
		in = append(in, x)
	}
	shape, fits := t.broadcastOf(in...)
	if !fits {
		return Unknown
	}
	var out []Value
	for _, x := range in {
		out = append(out, t.spreadTo(x, shape))
	}
	if t.numpy {
		return &Tuple{Head: out}
	}
	return t.ip.newList(out)
}

func broadcastShapes(t *tracing) Value {
	pos, open := t.call.Args.positional()
	if open {
		return Unknown
	}
	var shapes []Shape
	for _, a := range pos {
		shapes = append(shapes, t.shape(a.Value))
	}
	s, fits := broadcast(shapes...)
	if !fits || s.Dims == nil {
		return Unknown
	}
	return shapeValue(s)
}

func (t *tracing) atLeast(n int) Value {
	x, ok := t.first()
	if !ok || len(t.call.Args) != 1 {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	var axes []int
	for i := 0; i < n-rank; i++ {
		axes = append(axes, i)
	}
	return t.expanded(x, axes)
}

func flip(t *tracing) Value { return t.reverse(t.given("axis", 1)) }

func (t *tracing) reverse(axis Value) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	out := t.result(x.Shape, x.DType, x.Weak, x)
	out.Fill = x.Fill
	rank, ok := x.Shape.Rank()
	if !ok {
		return out
	}
	if axes, ok := t.axesOf(axis, rank); ok {
		return t.bind("rev", out, map[string]Value{"dimensions": intTuple(axes)}, x)
	}
	return out
}

// rot90 models jax.numpy.rot90 of a matrix: every turn but the full one reverses an axis.
func rot90(t *tracing) Value {
	x, ok := t.first()
	if !ok || !x.Shape.IsRank(2) || t.arg("axes", 2) != nil {
		return Unknown
	}
	turns := t.arg("k", 1)
	if turns == nil {
		turns = N(1)
	}
	k, known := asInt(turns).Known()
	if !known {
		return Unknown
	}
	k = (k%4 + 4) % 4
	out := t.result(x.Shape, x.DType, x.Weak, x)
	if k%2 == 1 {
		out.Shape = Shape{Dims: []*Int{x.Shape.Dims[1], x.Shape.Dims[0]}}
	}
	if k == 0 {
		return out
	}
	axes := map[int64][]int{1: {0}, 2: {0, 1}, 3: {1}}[k]
	return t.bind("rev", out, map[string]Value{"dimensions": intTuple(axes)}, x)
}
