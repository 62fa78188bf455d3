package infer

import (
	"pallas-lsp/parse"
)

// indexing is the interpretation of the subscripts of an array (jax/_src/indexing.py).
type indexing struct {
	t        *tracing
	a        *Array
	out      []*Int   // dimensions so far, without those of advanced indices
	at       int      // where the dimensions of advanced indices go
	front    bool     // advanced indices are apart: their dimensions come first
	adv      []*Array // advanced indices, scalars included
	arrays   bool     // one of them is no scalar
	closed   bool     // something stood after an advanced index
	dim      int      // of the array
	sliced   bool
	strided  bool
	reversed bool
	stepping bool // a step is known to be more than 1
	dynamic  bool
	unsure   bool // an index that may lie outside, which changes how it is taken
	squeezed bool
	fresh    bool // a new axis
}

func (ip *interp) arrayIndex(fr *frame, a *Array, items []Value, loc parse.Loc) Value {
	f := func(t *tracing) Value { return t.index(a, items) }
	if ip.kernel == nil {
		return f(&tracing{ip: ip, fr: fr, call: &Call{API: "jax.numpy.ndarray.__getitem__", Loc: loc}, numpy: a.NumPy})
	}
	c := &Call{API: "jax.numpy.ndarray.__getitem__", Loc: loc, Func: loc, Kernel: ip.kernel, Path: ip.path.conds(), Bound: map[string]*Arg{}}
	c.Args = Args{{Value: a, Loc: loc}}
	for _, it := range items {
		c.Args = append(c.Args, Arg{Value: it, Loc: loc})
	}
	ip.record(c)
	t := &tracing{ip: ip, fr: fr, call: c, numpy: a.NumPy && !anyTraced(items)}
	if c.Result = f(t); !t.numpy {
		c.Prims = t.prims
	}
	return c.Result
}

func anyTraced(vs []Value) bool {
	for _, v := range vs {
		if traced(v) {
			return true
		}
	}
	return false
}

func (t *tracing) index(a *Array, items []Value) Value {
	rank, ok := a.Shape.Rank()
	if !ok {
		return t.result(Shape{}, a.DType, a.Weak, a)
	}
	x := &indexing{t: t, a: a, out: []*Int{}}
	taken, ellipsis := 0, false
	for i, it := range items {
		items[i] = t.ip.resolve(it)
		switch items[i].(type) {
		case None:
		case Ellipsis:
			ellipsis = true
		default:
			taken++
		}
	}
	if taken > rank && !t.masked(items) {
		t.fault("index-count", itoa(taken), a)
		return Unknown
	}
	if !ellipsis {
		items = append(items[:len(items):len(items)], Ellipsis{})
	}
	for _, it := range items {
		if _, dots := it.(Ellipsis); dots {
			x.rest(rank - taken)
		} else if !x.item(it) {
			return t.result(Shape{}, a.DType, a.Weak, a)
		}
	}
	return x.result()
}

// masked: a mask, which takes as many dimensions as it has, may be among the subscripts.
func (t *tracing) masked(items []Value) bool {
	for _, it := range items {
		switch v := it.(type) {
		case *Int, *SliceVal, *Dynamic, None, Ellipsis:
		case *Array:
			if !v.DType.IsInteger() {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// rest takes n dimensions whole.
func (x *indexing) rest(n int) {
	if n > 0 {
		x.apart()
	}
	for ; n > 0; n-- {
		x.out = append(x.out, x.a.Shape.Dim(x.dim))
		x.dim++
	}
}

// apart notes that something other than an advanced index follows.
func (x *indexing) apart() { x.closed = len(x.adv) > 0 }

// item takes one subscript; false when it is not known what it selects.
func (x *indexing) item(v Value) bool {
	switch v := v.(type) {
	case None:
		x.apart()
		x.fresh = true
		x.out = append(x.out, N(1))
		return true
	case *SliceVal:
		return x.slice(v)
	case *Dynamic:
		return x.window(v)
	case *Int:
		x.advanced(&Array{Shape: Scalar, Lin: v, NumPy: true})
		return true
	case *Array:
		return x.arrayItem(v)
	case *Opaque:
		if isStaticInt(v) {
			x.advanced(&Array{Shape: Scalar, Lin: asInt(v), NumPy: true})
			return true
		}
	case *Tuple, *List:
		n, ok := x.t.listed(v)
		if !ok {
			return false
		}
		for _, e := range n {
			if _, isInt := e.(*Int); !isInt {
				return false
			}
		}
		x.advanced(&Array{Shape: ShapeOf(int64(len(n))), NumPy: true})
		return true
	}
	return false
}

func (x *indexing) arrayItem(v *Array) bool {
	if v.Traced && x.t.ip.kernel != nil && v.DType == "bool" {
		x.t.fault("index-mask", "", v)
		return false
	}
	if !v.DType.IsInteger() || v.Shape.Dims == nil {
		return false
	}
	x.advanced(v)
	return true
}

// advanced takes an integer or an array of integers.
func (x *indexing) advanced(v *Array) {
	if len(x.adv) == 0 {
		x.at = len(x.out)
	} else if x.closed {
		x.front = true
	}
	x.adv = append(x.adv, v)
	x.arrays = x.arrays || len(v.Shape.Dims) > 0
	x.dynamic = x.dynamic || v.Traced
	if k, known := v.Lin.Known(); !v.Traced && len(v.Shape.Dims) == 0 {
		dim, sized := x.a.Shape.Dim(x.dim).Known()
		x.dynamic = x.dynamic || known && sized && (k >= dim || k < -dim)
		x.unsure = x.unsure || !known || !sized
	}
	x.squeezed = true
	x.dim++
}

func (x *indexing) slice(s *SliceVal) bool {
	x.apart()
	for _, v := range []Value{s.Lo, s.Hi, s.Step} {
		if traced(v) {
			x.t.fault("slice-traced", "", v)
			return false
		}
	}
	dim := x.a.Shape.Dim(x.dim)
	x.dim++
	n, step, whole := sliceSize(dim, s)
	x.out = append(x.out, n)
	x.sliced = x.sliced || !whole
	x.strided = x.strided || step != 1
	x.reversed = x.reversed || step < 0
	x.stepping = x.stepping || step > 1 && !n.Is(1)
	return true
}

// window is pl.ds as a subscript of an array.
func (x *indexing) window(d *Dynamic) bool {
	x.apart()
	x.dim++
	x.sliced = true
	x.dynamic = x.dynamic || traced(d.Start) || !x.t.ip.rel.AtLeast("0.12")
	n := asInt(d.Size)
	if traced(d.Size) {
		n = nil
	}
	x.out = append(x.out, n)
	return true
}

// sliceSize is the number of elements that a slice takes of a dimension, its step, and whether it takes all in order.
func sliceSize(dim *Int, s *SliceVal) (n *Int, step int64, whole bool) {
	step, ok := sliceInt(s.Step, 1)
	if !ok || step == 0 {
		return nil, 0, false
	}
	lo, knowLo := sliceInt(s.Lo, 0)
	hi := Value(nil)
	if s.Hi != nil && !isNone(s.Hi) {
		hi = s.Hi
	}
	if step == 1 && knowLo && lo == 0 {
		if hi == nil {
			return dim, 1, true
		}
		if eq, known := asInt(hi).Equal(dim); known && eq {
			return dim, 1, true
		}
	}
	if step == -1 && (s.Lo == nil || isNone(s.Lo)) && hi == nil {
		return dim, -1, false
	}
	size, known := dim.Known()
	if !known {
		return nil, step, false
	}
	k, ok := sliceLength(size, s, step)
	if !ok {
		return nil, step, false
	}
	return N(k), step, step == 1 && k == size
}

func sliceInt(v Value, absent int64) (int64, bool) {
	if v == nil || isNone(v) {
		return absent, true
	}
	if _, isArray := v.(*Array); isArray && traced(v) {
		return 0, false
	}
	return asInt(v).Known()
}

// sliceLength is len(range(*slice.indices(size))).
func sliceLength(size int64, s *SliceVal, step int64) (int64, bool) {
	first, last := int64(0), size
	low, high := int64(0), size
	if step < 0 {
		first, last, low, high = size-1, -1, -1, size-1
	}
	clip := func(v Value, absent int64) (int64, bool) {
		k, ok := sliceInt(v, absent)
		if !ok || v == nil || isNone(v) {
			return absent, ok
		}
		if k < 0 {
			k += size
		}
		return min(max(k, low), high), true
	}
	a, ok1 := clip(s.Lo, first)
	b, ok2 := clip(s.Hi, last)
	if !ok1 || !ok2 {
		return 0, false
	}
	n := (b - a + step - sign(step)) / step
	return max(n, 0), true
}

// result is the array that the subscripts select, with the primitives that select it.
func (x *indexing) result() Value {
	shapes := make([]Shape, len(x.adv))
	for i, v := range x.adv {
		shapes[i] = v.Shape
	}
	sel, fits := broadcast(shapes...)
	if !fits {
		x.t.fault("broadcast", shapesText(x.adv), arrayValues(x.adv)...)
		return Unknown
	}
	at := x.at
	if x.front && x.arrays {
		at = 0
	}
	dims := append(append(append([]*Int{}, x.out[:at]...), sel.Dims...), x.out[at:]...)
	out := x.t.result(Shape{Dims: dims}, x.a.DType, x.a.Weak, append([]*Array{x.a}, x.adv...)...)
	x.bind(out)
	return out
}

func (x *indexing) bind(out *Array) {
	t := x.t
	switch {
	case !t.ip.rel.AtLeast("0.9"): // much was a gather then
		return
	case x.arrays:
		t.bind("gather", out, nil, x.a)
		return
	case x.dynamic && x.strided:
		return
	case x.unsure && !x.dynamic:
	case x.dynamic:
		t.bind("dynamic_slice", nil, nil, x.a)
	case x.squeezed || x.sliced:
		if x.reversed && !x.squeezed {
			t.bind("rev", out, nil, x.a)
		} else {
			t.bind("slice", nil, map[string]Value{"strided": Bool(x.stepping)}, x.a)
		}
	case x.reversed:
		t.bind("rev", out, nil, x.a)
	}
	if x.squeezed {
		t.bind("squeeze", nil, nil)
	}
	if x.fresh && len(t.prims) == 0 {
		t.bind("broadcast_in_dim", out, nil, x.a)
	} else if x.fresh {
		t.bind("broadcast_in_dim", out, nil)
	}
}
