package jax

import (
	"math/bits"
	"sync"
)

// The weak types of JAX's lattice: what Python's int, float and complex are in arithmetic.
const (
	weakInt     DType = "int*"
	weakFloat   DType = "float*"
	weakComplex DType = "complex*"
)

// lattice is JAX's lattice of promotions: the upper bounds of each node, as bits.
type lattice struct {
	nodes []DType
	index map[DType]int
	upper []uint64
}

// As jax._src.dtypes._type_promotion_lattice and _make_lattice_upper_bounds.
func newLattice(x64 bool) *lattice {
	narrowInts := []DType{Int1, Int2, Int4, Uint1, Uint2, Uint4}
	narrowFloats := []DType{Float4E2M1FN, Float6E2M3FN, Float6E3M2FN, Float8E3M4, Float8E4M3, Float8E8M0FNU,
		Float8E4M3B11FNU, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ}
	next := map[DType][]DType{
		Bool: {weakInt}, weakInt: append([]DType{Uint8, Int8}, narrowInts...),
		Uint8: {Int16, Uint16}, Uint16: {Int32, Uint32}, Uint32: {Int64, Uint64}, Uint64: {weakFloat},
		Int8: {Int16}, Int16: {Int32}, Int32: {Int64}, Int64: {weakFloat},
		weakFloat: append([]DType{BFloat16, Float16, weakComplex}, narrowFloats...),
		BFloat16:  {Float32}, Float16: {Float32}, Float32: {Float64, Complex64}, Float64: {Complex128},
		weakComplex: {Complex64}, Complex64: {Complex128}, Complex128: nil,
	}
	if !x64 {
		// Without 64-bit types uint32 and int32 meet in int32.
		next[Uint32] = []DType{Int32, Uint64}
	}
	for _, d := range append(narrowInts, narrowFloats...) {
		next[d] = nil
	}
	l := &lattice{index: map[DType]int{}}
	for d := range next {
		l.index[d] = len(l.nodes)
		l.nodes = append(l.nodes, d)
	}
	l.upper = make([]uint64, len(l.nodes))
	var above func(d DType) uint64
	above = func(d DType) uint64 {
		i := l.index[d]
		if l.upper[i] == 0 {
			set := uint64(1) << i
			for _, n := range next[d] {
				set |= above(n)
			}
			l.upper[i] = set
		}
		return l.upper[i]
	}
	for _, d := range l.nodes {
		above(d)
	}
	return l
}

var lattice32 = sync.OnceValue(func() *lattice { return newLattice(false) })
var lattice64 = sync.OnceValue(func() *lattice { return newLattice(true) })

// least is the least upper bound, as jax._src.dtypes._least_upper_bound; empty when there is none.
func (l *lattice) least(a, b DType) DType {
	i, ok1 := l.index[a]
	j, ok2 := l.index[b]
	if !ok1 || !ok2 {
		return ""
	}
	common := l.upper[i] & l.upper[j]
	switch {
	case common&(1<<i) != 0:
		return a
	case common&(1<<j) != 0:
		return b
	}
	for rest := common; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		if common&^l.upper[c] == 0 {
			return l.nodes[c]
		}
	}
	return ""
}

// node is the lattice's node of a dtype, as jax._src.dtypes._jax_type.
func node(d DType, weak bool) DType {
	if weak {
		switch d.Kind() {
		case KindInt, KindUint:
			return weakInt
		case KindFloat:
			return weakFloat
		case KindComplex:
			return weakComplex
		}
	}
	return d
}

// Promote is the dtype of arithmetic between two arrays, and whether that is weak; weak inputs are those that come from Python
// scalars. As jax._src.dtypes.lattice_result_type without jax_enable_x64; with a 64-bit input, as with it. An unknown input
// and inputs that JAX refuses to promote ([Promotable]) both give the empty dtype.
func Promote(a, b DType, weakA, weakB bool) (d DType, weak bool) {
	x64 := a.Bits() == 64 && a != Complex64 || b.Bits() == 64 && b != Complex64 || a == Complex128 || b == Complex128
	return promote(a, b, weakA, weakB, x64)
}

// PromoteX64 is Promote with jax_enable_x64.
func PromoteX64(a, b DType, weakA, weakB bool) (d DType, weak bool) {
	return promote(a, b, weakA, weakB, true)
}

func promote(a, b DType, weakA, weakB, x64 bool) (DType, bool) {
	if !a.Known() || !b.Known() {
		return "", false
	}
	bounds := lattice32()
	if x64 {
		bounds = lattice64()
	}
	switch {
	case a == b && !(weakA && weakB):
		return a, false // extended dtypes too
	case weakA && weakB:
		d := bounds.least(a, b)
		d, _ = strong(d, x64)
		return d, d != "" && d != Bool
	}
	d, weak := strong(bounds.least(node(a, weakA), node(b, weakB)), x64)
	return d, weak && d != Bool
}

// strong is the dtype of a node, and whether the node is a weak one.
func strong(d DType, x64 bool) (DType, bool) {
	wide := map[DType]DType{weakInt: Int64, weakFloat: Float64, weakComplex: Complex128}[d]
	switch {
	case wide == "":
		return d, false
	case x64:
		return wide, true
	}
	return wide.Canonical(), true
}

// Promotable is false when it is certain that JAX refuses arithmetic between the two dtypes (TypePromotionError: narrow floats and
// integers have no implicit promotion, semaphores and keys none at all).
func Promotable(a, b DType, weakA, weakB bool) bool {
	if !a.Known() || !b.Known() {
		return true
	}
	d, _ := Promote(a, b, weakA, weakB)
	return d != ""
}
