package infer

import "strings"

// Shape is the shape of an array or ref. Dims is nil when the rank is not known; a nil element is a dimension of which nothing is
// known. Key identifies a shape of unknown rank, so that the shape of x equals the shape of x.
type Shape struct {
	Dims []*Int
	Key  string
}

// ShapeOf makes a shape of known dimensions.
func ShapeOf(dims ...int64) Shape {
	s := Shape{Dims: make([]*Int, len(dims))}
	for i, d := range dims {
		s.Dims[i] = N(d)
	}
	return s
}

// Scalar is the shape ().
var Scalar = Shape{Dims: []*Int{}}

// Rank returns the number of dimensions and whether it is known.
func (s Shape) Rank() (int, bool) { return len(s.Dims), s.Dims != nil }

// IsRank reports whether the rank is known to be n.
func (s Shape) IsRank(n int) bool { return s.Dims != nil && len(s.Dims) == n }

// Dim returns dimension i (negative from the end), nil when not known.
func (s Shape) Dim(i int) *Int {
	if s.Dims == nil {
		return nil
	}
	if i < 0 {
		i += len(s.Dims)
	}
	if i < 0 || i >= len(s.Dims) {
		return nil
	}
	return s.Dims[i]
}

// Known returns all dimensions as numbers when each one is known.
func (s Shape) Known() ([]int64, bool) {
	if s.Dims == nil {
		return nil, false
	}
	out := make([]int64, len(s.Dims))
	for i, d := range s.Dims {
		v, ok := d.Known()
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// Size returns the number of elements where known.
func (s Shape) Size() (int64, bool) {
	dims, ok := s.Known()
	if !ok {
		return 0, false
	}
	n := int64(1)
	for _, d := range dims {
		if d < 0 || d != 0 && n > maxMagnitude/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// Equal compares two shapes: yes, no, or not known. Shapes of different known rank differ.
func (s Shape) Equal(t Shape) (equal, known bool) {
	if s.Dims == nil || t.Dims == nil {
		return s.Key != "" && s.Key == t.Key, s.Key != "" && s.Key == t.Key
	}
	if len(s.Dims) != len(t.Dims) {
		return false, true
	}
	equal, known = true, true
	for i := range s.Dims {
		e, k := s.Dims[i].Equal(t.Dims[i])
		if k && !e {
			return false, true
		}
		known = known && k
	}
	return known, known
}

// String shows the shape as Python prints it, with names for unknown dimensions.
func (s Shape) String() string {
	if s.Dims == nil {
		return "(?)"
	}
	parts := make([]string, len(s.Dims))
	for i, d := range s.Dims {
		parts[i] = d.String()
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
