package infer

import "strings"

// broadcast is the shape that numpy's rules give for operands of these shapes. A dimension that is not known and one known to be
// other than 1 give the latter, since the operation succeeds. fits is false when it is certain that they do not go together.
func broadcast(shapes ...Shape) (out Shape, fits bool) {
	out = Scalar
	for _, s := range shapes {
		var ok bool
		if out, ok = broadcast2(out, s); !ok {
			return Shape{}, false
		}
	}
	return out, true
}

func broadcast2(a, b Shape) (Shape, bool) {
	switch {
	case a.IsRank(0):
		return b, true
	case b.IsRank(0):
		return a, true
	case a.Dims == nil || b.Dims == nil:
		if a.Dims == nil && b.Dims == nil && a.Key != "" && a.Key == b.Key {
			return a, true
		}
		return Shape{}, true
	}
	n := max(len(a.Dims), len(b.Dims))
	out := Shape{Dims: make([]*Int, n)}
	for i := 1; i <= n; i++ {
		d, ok := broadcastDim(dimOr1(a, i), dimOr1(b, i))
		if !ok {
			return Shape{}, false
		}
		out.Dims[n-i] = d
	}
	return out, true
}

// dimOr1 is the i-th dimension from the end, 1 beyond the first.
func dimOr1(s Shape, i int) *Int {
	if i > len(s.Dims) {
		return N(1)
	}
	return s.Dims[len(s.Dims)-i]
}

func broadcastDim(a, b *Int) (*Int, bool) {
	if eq, known := a.Equal(b); known && eq {
		return a, true
	}
	x, knowX := a.Known()
	y, knowY := b.Known()
	switch {
	case knowX && x == 1:
		return b, true
	case knowY && y == 1:
		return a, true
	case knowX && knowY:
		return nil, false
	case knowX:
		return a, true
	case knowY:
		return b, true
	}
	return nil, true
}

// broadcastTo reports whether an array of one shape certainly can not be broadcast to another, and the target with what the source tells.
func broadcastTo(from, to Shape) (out Shape, fits bool) {
	if from.Dims == nil || to.Dims == nil {
		return to, true
	}
	if len(from.Dims) > len(to.Dims) {
		return to, false
	}
	for i := 1; i <= len(from.Dims); i++ {
		x, knowX := dimOr1(from, i).Known()
		y, knowY := dimOr1(to, i).Known()
		if knowX && knowY && x != y && x != 1 {
			return to, false
		}
	}
	return to, true
}

// broadcastOf is broadcast for a call, which notes operands that do not go together.
func (t *tracing) broadcastOf(in ...*Array) (Shape, bool) {
	shapes := make([]Shape, len(in))
	for i, a := range in {
		shapes[i] = a.Shape
	}
	out, fits := broadcast(shapes...)
	if !fits {
		t.fault("broadcast", shapesText(in), arrayValues(in)...)
	}
	return out, fits
}

func shapesText(in []*Array) string {
	var parts []string
	for _, a := range in {
		parts = append(parts, a.Shape.String())
	}
	return strings.Join(parts, ", ")
}

func arrayValues(in []*Array) []Value {
	out := make([]Value, len(in))
	for i, a := range in {
		out[i] = a
	}
	return out
}

// product is the number of elements, nil when it is not known.
func product(dims []*Int) *Int {
	n := N(1)
	for _, d := range dims {
		n = n.Mul(d)
	}
	return n
}

// axisOf reads an axis of an array of known rank; ok is false when it is not known, and a certain error is noted.
func (t *tracing) axisOf(v Value, rank int) (axis int, ok bool) {
	k, known := asInt(v).Known()
	if !known {
		return 0, false
	}
	if k < int64(-rank) || k >= int64(rank) {
		t.fault("axis-range", itoa(int(k)), N(int64(rank)))
		return 0, false
	}
	if k < 0 {
		k += int64(rank)
	}
	return int(k), true
}

// axesOf reads one axis or several; None means all.
func (t *tracing) axesOf(v Value, rank int) ([]int, bool) {
	switch v := t.ip.resolve(v).(type) {
	case None:
		out := make([]int, rank)
		for i := range out {
			out[i] = i
		}
		return out, true
	case *Tuple, *List:
		seq, ok := t.ip.iterate(v).(*Tuple)
		if !ok || seq.Rest != nil {
			return nil, false
		}
		var out []int
		for _, e := range elems(seq) {
			a, ok := t.axisOf(e, rank)
			if !ok {
				return nil, false
			}
			out = append(out, a)
		}
		return out, true
	default:
		a, ok := t.axisOf(v, rank)
		return []int{a}, ok
	}
}

// listed are the elements of a sequence whose length is known.
func (t *tracing) listed(v Value) ([]Value, bool) {
	switch v := t.ip.resolve(v).(type) {
	case *Tuple, *List:
		seq, ok := t.ip.iterate(v).(*Tuple)
		if !ok || seq.Rest != nil {
			return nil, false
		}
		return elems(seq), true
	}
	return nil, false
}

func intTuple(ns []int) Value {
	out := &Tuple{}
	for _, n := range ns {
		out.Head = append(out.Head, N(int64(n)))
	}
	return out
}

func has(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}
