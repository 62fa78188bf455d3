package infer

import (
	"strings"

	"pallas-lsp/rules/jax"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.numpy.concatenate": concatenate,
		"jax.numpy.concat":      concatenate,
		"jax.lax.concatenate":   concatenate,
		"jax.numpy.stack":       stack,
		"jax.numpy.hstack":      hstack,
		"jax.numpy.vstack":      vstack,
		"jax.numpy.append":      appendArrays,
		"jax.numpy.split":       split,
		"jax.numpy.array_split": split,
		"jax.lax.split":         laxSplit,
		"jax.numpy.unstack":     unstack,
		"jax.numpy.pad":         pad,
		"jax.lax.pad":           laxPad,
		"jax.numpy.tile":        tile,
		"jax.numpy.repeat":      repeatArray,
		"jax.numpy.roll":        roll,
	})
}

// parts are the arrays of a sequence argument, converted to their common type.
func (t *tracing) parts(v Value, convert bool) ([]*Array, bool) {
	if x, ok := t.ip.resolve(v).(*Array); ok { // an array is the sequence of its rows
		n, known := x.Shape.Dim(0).Known()
		if !known || n > maxUnroll || n < 1 {
			return nil, false
		}
		row := t.result(Shape{Dims: x.Shape.Dims[1:]}, x.DType, x.Weak, x)
		rows := make([]*Array, n)
		for i := range rows {
			rows[i] = row
		}
		return rows, true
	}
	items, ok := t.listed(v)
	if !ok || len(items) == 0 {
		return nil, false
	}
	in, ok := t.operands(items...)
	if !ok {
		return nil, false
	}
	d, weak := in[0].DType, in[0].Weak
	for i, x := range in[1:] {
		if !convert && strings.HasPrefix(t.call.API, "jax.lax.") && x.DType != d && x.DType != "" && d != "" {
			t.fault("op-dtype", string(d)+", "+string(x.DType), in[0], in[i+1])
			return nil, false
		}
		if !t.numpy && !jax.Promotable(d, x.DType, weak, x.Weak) {
			t.fault("promotion", string(d)+", "+string(x.DType), in[0], in[i+1])
			return nil, false
		}
		d, weak = t.promoted(d, x.DType, weak, x.Weak)
	}
	if v := t.given("dtype", -1); !isNone(v) {
		d, weak = t.dtype(v), false
	}
	out := make([]*Array, len(in))
	for i, x := range in {
		if d == "" || t.numpy || !convert {
			y := *x
			y.DType, y.Weak = d, weak
			out[i] = &y
			continue
		}
		out[i] = t.convert(x, d, weak)
	}
	return out, true
}

func concatenate(t *tracing) Value {
	lax := strings.HasPrefix(t.call.API, "jax.lax.")
	names := [2]string{"arrays", "axis"}
	if lax {
		names = [2]string{"operands", "dimension"}
	}
	in, ok := t.parts(t.given(names[0], 0), !lax)
	if !ok {
		return t.unknownSequence(names[0], t.axisArg(names[1]), false)
	}
	axis := t.axisArg(names[1])
	if isNone(axis) {
		total := N(0)
		for _, x := range in {
			if x.Shape.Dims == nil {
				return t.sameType(in[0], 1)
			}
			total = total.Add(product(x.Shape.Dims))
		}
		return t.result(Shape{Dims: []*Int{total}}, in[0].DType, in[0].Weak, in...)
	}
	return t.joined(in, axis)
}

// axisArg is the axis of concatenate and stack, 0 when absent.
func (t *tracing) axisArg(name string) Value {
	if v := t.arg(name, 1); v != nil {
		return v
	}
	return N(0)
}

// unknownSequence is what joining a sequence of unknown length gives: an array like its elements but along the axis.
func (t *tracing) unknownSequence(name string, axis Value, stacked bool) Value {
	seq, ok := t.ip.iterate(t.given(name, 0)).(*Tuple)
	if !ok || seq.Rest == nil {
		return t.unknown()
	}
	x, ok := t.ip.element(seq).(*Array)
	if !ok || !isNone(t.given("dtype", -1)) || isNone(axis) {
		return t.unknown()
	}
	out := t.result(Shape{}, t.ip.canonical(x.DType), x.Weak, x)
	rank, known := x.Shape.Rank()
	if !known {
		return out
	}
	dims := append([]*Int{}, x.Shape.Dims...)
	if stacked {
		dims = append(dims, nil)
	}
	k, ok := t.axisOf(axis, len(dims))
	if !ok {
		out.Shape = Shape{Dims: make([]*Int, len(dims))}
		return out
	}
	if stacked {
		copy(dims[k+1:], x.Shape.Dims[k:rank])
	}
	dims[k] = nil
	out.Shape = Shape{Dims: dims}
	return out
}

// joined concatenates arrays of one type.
func (t *tracing) joined(in []*Array, axis Value) Value {
	first := in[0]
	for _, x := range in {
		if x.Shape.Dims == nil {
			return t.result(Shape{}, first.DType, first.Weak, in...)
		}
		if len(x.Shape.Dims) != len(first.Shape.Dims) {
			t.fault("concat", shapesText(in), arrayValues(in)...)
			return Unknown
		}
	}
	rank := len(first.Shape.Dims)
	k, ok := t.axisOf(axis, rank)
	if !ok {
		out := t.sameType(first, rank)
		return t.result(out.Shape, out.DType, out.Weak, in...)
	}
	dims := append([]*Int{}, first.Shape.Dims...)
	for _, x := range in[1:] {
		for i, d := range x.Shape.Dims {
			if i == k {
				dims[i] = dims[i].Add(d)
				continue
			}
			if eq, known := dims[i].Equal(d); known && !eq && bothKnown(dims[i], d) {
				t.fault("concat", shapesText(in), arrayValues(in)...)
				return Unknown
			}
			if _, known := dims[i].Known(); !known && d != nil {
				dims[i] = d
			}
		}
	}
	out := t.result(Shape{Dims: dims}, first.DType, first.Weak, in...)
	if len(in) == 1 {
		return out
	}
	return t.bind("concatenate", out, map[string]Value{"dimension": N(int64(k))}, in...)
}

func stack(t *tracing) Value {
	in, ok := t.parts(t.given("arrays", 0), true)
	if !ok {
		return t.unknownSequence("arrays", t.axisArg("axis"), true)
	}
	axis := t.axisArg("axis")
	shape := in[0].Shape
	for _, x := range in[1:] {
		if x.Shape.Dims == nil || shape.Dims == nil {
			return t.result(Shape{}, in[0].DType, in[0].Weak, in...)
		}
		if eq, known := shape.Equal(x.Shape); known && !eq && allKnown(shape, x.Shape) {
			t.fault("concat", shapesText(in), arrayValues(in)...)
			return Unknown
		}
		if _, known := shape.Known(); !known && len(x.Shape.Dims) == len(shape.Dims) {
			shape = x.Shape
		}
	}
	if shape.Dims == nil {
		return t.result(Shape{}, in[0].DType, in[0].Weak, in...)
	}
	rank := len(shape.Dims) + 1
	k, ok := t.axisOf(axis, rank)
	if !ok {
		out := t.sameType(in[0], rank)
		return t.result(out.Shape, out.DType, out.Weak, in...)
	}
	dims := append(append(append([]*Int{}, shape.Dims[:k]...), N(int64(len(in)))), shape.Dims[k:]...)
	out := t.result(Shape{Dims: dims}, in[0].DType, in[0].Weak, in...)
	return t.bind("stack", out, map[string]Value{"dimension": N(int64(k))}, in...)
}

func allKnown(a, b Shape) bool {
	if len(a.Dims) != len(b.Dims) {
		return a.Dims != nil && b.Dims != nil
	}
	_, ok1 := a.Known()
	_, ok2 := b.Known()
	return ok1 && ok2
}

func hstack(t *tracing) Value {
	in, ok := t.parts(t.given("tup", 0), true)
	if !ok || in[0].Shape.Dims == nil {
		return Unknown
	}
	for i, x := range in {
		if x.Shape.IsRank(0) {
			in[i] = t.expanded(x, []int{0})
		}
	}
	if in[0].Shape.IsRank(1) {
		return t.joined(in, N(0))
	}
	return t.joined(in, N(1))
}

func vstack(t *tracing) Value {
	in, ok := t.parts(t.given("tup", 0), true)
	if !ok {
		return Unknown
	}
	for i, x := range in {
		n, known := x.Shape.Rank()
		if !known {
			return Unknown
		}
		if n < 2 {
			axes := []int{0, 1}[:2-n]
			in[i] = t.expanded(x, axes)
		}
	}
	return t.joined(in, N(0))
}

func appendArrays(t *tracing) Value {
	in, ok := t.parts(&Tuple{Head: []Value{t.given("arr", 0), t.given("values", 1)}}, true)
	if !ok {
		return Unknown
	}
	axis := t.given("axis", 2)
	if !isNone(axis) {
		return t.joined(in, axis)
	}
	for i, x := range in {
		flat, ok := t.reshaped(x, Shape{Dims: []*Int{N(-1)}}).(*Array)
		if !ok {
			return Unknown
		}
		in[i] = flat
	}
	return t.joined(in, N(0))
}

func split(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return Unknown
	}
	axis := t.arg("axis", 2)
	if axis == nil {
		axis = N(0)
	}
	k, ok := t.axisOf(axis, rank)
	if !ok {
		return Unknown
	}
	sizes, ok := t.splitSizes(x, k, t.given("indices_or_sections", 1))
	if !ok {
		return Unknown
	}
	return t.pieces(x, k, sizes)
}

// pieces are the parts of x along an axis.
func (t *tracing) pieces(x *Array, axis int, sizes []*Int) Value {
	var out []Value
	for _, n := range sizes {
		dims := append([]*Int{}, x.Shape.Dims...)
		dims[axis] = n
		out = append(out, t.result(Shape{Dims: dims}, x.DType, x.Weak, x))
	}
	t.bind("split", nil, map[string]Value{"axis": N(int64(axis))}, x)
	return t.ip.newList(out)
}

// splitSizes are the sizes of the parts: of equal size, or cut at indices.
func (t *tracing) splitSizes(x *Array, axis int, v Value) ([]*Int, bool) {
	dim := x.Shape.Dims[axis]
	if cuts, ok := t.listed(v); ok {
		return cutSizes(dim, cuts)
	}
	n, known := asInt(v).Known()
	if !known || n <= 0 || n > maxElems {
		return nil, false
	}
	size, known := dim.Known()
	sizes := make([]*Int, n)
	if !known || size%n == 0 {
		each := (*Int)(nil)
		if dim != nil && dim.divisible(n) {
			each = dim.FloorDiv(N(n))
		}
		for i := range sizes {
			sizes[i] = each
		}
		return sizes, true
	}
	if !strings.HasSuffix(t.call.API, "array_split") {
		t.fault("split", x.Shape.String(), x, v)
		return nil, false
	}
	for i := range sizes {
		sizes[i] = N(size / n)
		if int64(i) < size%n {
			sizes[i] = N(size/n + 1)
		}
	}
	return sizes, true
}

func cutSizes(dim *Int, cuts []Value) ([]*Int, bool) {
	var sizes []*Int
	at := int64(0)
	for _, c := range cuts {
		k, known := asInt(c).Known()
		if !known || k < at {
			return nil, false
		}
		if size, ok := dim.Known(); !ok || k > size {
			return nil, false
		}
		sizes = append(sizes, N(k-at))
		at = k
	}
	return append(sizes, dim.Sub(N(at))), true
}

func laxSplit(t *tracing) Value {
	x, ok := t.array("operand", 0)
	sizes, ok2 := t.listed(t.given("sizes", 1))
	if !ok || !ok2 || x.Shape.Dims == nil {
		return Unknown
	}
	axis := t.arg("axis", 2)
	if axis == nil {
		axis = N(0)
	}
	k, ok := t.axisOf(axis, len(x.Shape.Dims))
	if !ok {
		return Unknown
	}
	var ns []*Int
	for _, s := range sizes {
		ns = append(ns, asInt(s))
	}
	return t.pieces(x, k, ns)
}

func unstack(t *tracing) Value {
	x, ok := t.first()
	if !ok || x.Shape.Dims == nil {
		return Unknown
	}
	axis := t.arg("axis", -1)
	if axis == nil {
		axis = N(0)
	}
	k, ok := t.axisOf(axis, len(x.Shape.Dims))
	if !ok {
		return Unknown
	}
	dims := append(append([]*Int{}, x.Shape.Dims[:k]...), x.Shape.Dims[k+1:]...)
	row := t.result(Shape{Dims: dims}, x.DType, x.Weak, x)
	t.bind("unstack", nil, map[string]Value{"axis": N(int64(k))}, x)
	n, known := x.Shape.Dims[k].Known()
	if !known || n > maxUnroll*4 {
		return &Tuple{Rest: row}
	}
	out := &Tuple{}
	for ; n > 0; n-- {
		out.Head = append(out.Head, row)
	}
	return out
}

func pad(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	out := t.sameType(x, rank)
	widths, ok := t.padWidths(t.given("pad_width", 1), rank)
	if !ok {
		return out
	}
	for i, d := range x.Shape.Dims {
		out.Shape.Dims[i] = d.Add(widths[i][0]).Add(widths[i][1])
	}
	switch mode := t.given("mode", 2); {
	case isNone(mode) || same(mode, Str("constant")):
		return t.bind("pad", out, nil, x)
	case same(mode, Str("reflect")), same(mode, Str("symmetric")):
		return t.bind("rev", out, nil, x)
	}
	return out
}

// padWidths reads numpy's pad widths: one for all, one pair for all, or a pair for each dimension.
func (t *tracing) padWidths(v Value, rank int) ([][2]*Int, bool) {
	items, isList := t.listed(v)
	all := func(a, b *Int) ([][2]*Int, bool) {
		out := make([][2]*Int, rank)
		for i := range out {
			out[i] = [2]*Int{a, b}
		}
		return out, a != nil && b != nil
	}
	if !isList {
		n := asInt(v)
		return all(n, n)
	}
	var rows [][2]*Int
	for _, it := range items {
		pair, ok := t.listed(it)
		if !ok {
			if len(items) == 2 && staticInt(items[0]) && staticInt(items[1]) {
				return all(asInt(items[0]), asInt(items[1]))
			}
			return nil, false
		}
		if len(pair) != 2 {
			return nil, false
		}
		rows = append(rows, [2]*Int{asInt(pair[0]), asInt(pair[1])})
	}
	if len(rows) == 1 {
		return all(rows[0][0], rows[0][1])
	}
	return rows, len(rows) == rank
}

func laxPad(t *tracing) Value {
	x, ok := t.array("operand", 0)
	rows, ok2 := t.listed(t.given("padding_config", 2))
	if !ok {
		return Unknown
	}
	if !ok2 || x.Shape.Dims == nil || len(rows) != len(x.Shape.Dims) {
		return t.sameType(x, -1)
	}
	out := t.sameType(x, len(rows))
	for i, r := range rows {
		w, ok := t.listed(r)
		if !ok || len(w) != 3 {
			continue
		}
		inner := x.Shape.Dims[i].Sub(N(1)).Mul(asInt(w[2]))
		if asInt(w[2]).Is(0) {
			inner = N(0)
		}
		out.Shape.Dims[i] = x.Shape.Dims[i].Add(asInt(w[0])).Add(asInt(w[1])).Add(inner)
	}
	return t.bind("pad", out, nil, x)
}

func tile(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	v := t.given("reps", 1)
	reps, isList := t.listed(v)
	if !isList {
		if !staticInt(v) {
			return t.sameType(x, -1)
		}
		reps = []Value{v}
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	n := max(rank, len(reps))
	out := t.sameType(x, n)
	for i := 1; i <= n; i++ {
		r := N(1)
		if i <= len(reps) {
			r = asInt(reps[len(reps)-i])
		}
		out.Shape.Dims[n-i] = dimOr1(x.Shape, i).Mul(r)
	}
	return t.bind("tile", out, nil, x)
}

func repeatArray(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	n, total := t.given("repeats", 1), t.given("total_repeat_length", 3)
	axis := t.given("axis", 2)
	dims := x.Shape.Dims
	if isNone(axis) {
		dims, rank, axis = []*Int{product(dims)}, 1, N(0)
	}
	k, ok := t.axisOf(axis, rank)
	if !ok {
		return t.sameType(x, rank)
	}
	out := t.sameType(x, rank)
	copy(out.Shape.Dims, dims)
	switch {
	case !isNone(total):
		out.Shape.Dims[k] = asInt(total)
	case staticInt(n):
		out.Shape.Dims[k] = dims[k].Mul(asInt(n))
		t.bind("broadcast_in_dim", nil, nil, x)
		t.bind("reshape", out, nil)
	default:
		out.Shape.Dims[k] = nil
	}
	return out
}

func roll(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	out := t.result(x.Shape, x.DType, x.Weak, x)
	shift := t.given("shift", 1)
	t.rolled(out)
	switch {
	case traced(shift):
		t.bind("dynamic_slice", nil, nil)
	case staticInt(shift):
		t.bind("slice", nil, nil)
	}
	return out
}

// rolled joins the parts of what is rolled: along the only axis of a vector, else along some.
func (t *tracing) rolled(out *Array) {
	if !out.Shape.IsRank(1) {
		t.bind("concatenate", nil, nil)
		return
	}
	t.bind("concatenate", out, map[string]Value{"dimension": N(0)})
}
