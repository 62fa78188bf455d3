package infer

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// join is what is known of a value that is a or b. A nil side is an unbound variable and gives the other.
func join(a, b Value) Value {
	if a == nil {
		return b
	}
	if b == nil || same(a, b) {
		return a
	}
	if isOpaque(a) || isOpaque(b) {
		return Unknown
	}
	switch x := a.(type) {
	case *Array:
		if y, ok := b.(*Array); ok && (x.Weak == y.Weak || x.DType != y.DType) { // weak or not decides what arithmetic gives
			return joinArrays(x, y)
		}
	case *Tuple:
		if y, ok := b.(*Tuple); ok && sameForm(x, y) {
			return joinTuples(x, y)
		}
	case *Ref:
		if y, ok := b.(*Ref); ok && x.Alloc == y.Alloc {
			return joinViews(x, y)
		}
	case *ShapeStruct:
		if y, ok := b.(*ShapeStruct); ok {
			return &ShapeStruct{Shape: joinShapes(x.Shape, y.Shape), DType: joinDTypes(x.DType, y.DType), Space: x.Space.Join(y.Space), Loc: x.Loc}
		}
	}
	return unionOf(append(alternatives(a), alternatives(b)...))
}

func isOpaque(v Value) bool { _, ok := v.(*Opaque); return ok }

// alternatives returns the values that v may be.
func alternatives(v Value) []Value {
	if u, ok := v.(*Union); ok {
		return append([]Value(nil), u.Alts...)
	}
	return []Value{v}
}

func unionOf(alts []Value) Value {
	var out []Value
next:
	for _, v := range alts {
		if isOpaque(v) {
			return Unknown
		}
		for _, w := range out {
			if same(v, w) {
				continue next
			}
		}
		out = append(out, v)
	}
	switch {
	case len(out) == 0, len(out) > maxAlts:
		return Unknown
	case len(out) == 1:
		return out[0]
	}
	return &Union{Alts: out}
}

// someOf is what a value may be beside None.
func someOf(u *Union) Value {
	var some []Value
	for _, a := range u.Alts {
		if !isNone(a) {
			some = append(some, a)
		}
	}
	if len(some) == 0 {
		return u
	}
	return unionOf(some)
}

// each applies f to every alternative of v and joins the results.
func each(v Value, f func(Value) Value) Value {
	u, ok := v.(*Union)
	if !ok {
		return f(v)
	}
	var out Value
	for _, a := range u.Alts {
		out = join(out, f(a))
	}
	return out
}

func sameForm(a, b *Tuple) bool {
	return len(a.Head) == len(b.Head) && len(a.Tail) == len(b.Tail) && (a.Rest == nil) == (b.Rest == nil) && a.Class == b.Class
}

func joinTuples(a, b *Tuple) Value {
	out := &Tuple{Class: a.Class, Names: a.Names, Node: a.Node, Loc: a.Loc, Head: joinEach(a.Head, b.Head), Tail: joinEach(a.Tail, b.Tail)}
	if a.Node != b.Node {
		out.Node, out.Loc = nil, parse.Loc{}
	}
	if a.Rest != nil {
		out.Rest = join(a.Rest, b.Rest)
	}
	return out
}

func joinEach(a, b []Value) []Value {
	out := make([]Value, len(a))
	for i := range a {
		out[i] = join(a[i], b[i])
	}
	return out
}

// widen is join for the state after a loop: sequences that grew become a homogeneous repeat.
func widen(before, after Value) Value {
	x, ok1 := before.(*Tuple)
	y, ok2 := after.(*Tuple)
	if !ok1 || !ok2 || sameForm(x, y) || x.Class != nil || y.Class != nil {
		return join(before, after)
	}
	n := 0
	for n < len(x.Head) && n < len(y.Head) && same(x.Head[n], y.Head[n]) {
		n++
	}
	var rest Value
	for _, v := range append(append([]Value(nil), x.Head[n:]...), y.Head[n:]...) {
		rest = join(rest, v)
	}
	for _, v := range append(append([]Value(nil), x.Tail...), y.Tail...) {
		rest = join(rest, v)
	}
	if x.Rest != nil {
		rest = join(rest, x.Rest)
	}
	if y.Rest != nil {
		rest = join(rest, y.Rest)
	}
	if rest == nil {
		rest = Unknown
	}
	return &Tuple{Head: x.Head[:n:n], Rest: rest, Node: x.Node, Loc: x.Loc}
}

func joinDTypes(a, b jax.DType) jax.DType {
	if a == b {
		return a
	}
	return ""
}

func joinDims(a, b *Int) *Int {
	if eq, known := a.Equal(b); known && eq {
		return a
	}
	return nil
}

func joinShapes(a, b Shape) Shape {
	if a.Dims == nil || b.Dims == nil || len(a.Dims) != len(b.Dims) {
		if a.Dims == nil && b.Dims == nil && a.Key == b.Key {
			return a
		}
		return Shape{}
	}
	out := Shape{Dims: make([]*Int, len(a.Dims))}
	for i := range a.Dims {
		out.Dims[i] = joinDims(a.Dims[i], b.Dims[i])
	}
	return out
}

func joinArrays(a, b *Array) Value {
	return &Array{Shape: joinShapes(a.Shape, b.Shape), DType: joinDTypes(a.DType, b.DType), Weak: a.Weak && b.Weak,
		Traced: a.Traced && b.Traced, NumPy: a.NumPy && b.NumPy, Outside: a.Outside && b.Outside, Lin: joinDims(a.Lin, b.Lin), Loc: a.Loc}
}

func joinViews(a, b *Ref) Value {
	return &Ref{Alloc: a.Alloc, View: joinShapes(a.View, b.View), Type: joinDTypes(a.Type, b.Type), Loc: a.Loc, Steps: joinSteps(a.Steps, b.Steps)}
}

// joinSteps leads to either of two views: where they begin and how large they are is known where it is the same.
func joinSteps(a, b []Step) []Step {
	if len(a) != len(b) {
		return []Step{{Kind: "unknown"}}
	}
	out := make([]Step, len(a))
	for i := range a {
		out[i] = a[i]
		if a[i].Kind != b[i].Kind || len(a[i].Index) != len(b[i].Index) {
			return []Step{{Kind: "unknown"}}
		}
		out[i].Index = make([]IndexItem, len(a[i].Index))
		for j, x := range a[i].Index {
			y := b[i].Index[j]
			if x.Kind != y.Kind || x.Dim != y.Dim {
				return []Step{{Kind: "unknown"}}
			}
			out[i].Index[j] = joinItems(x, y)
		}
	}
	return out
}

func joinItems(x, y IndexItem) IndexItem {
	keep := func(a, b *Int) *Int {
		if a != b && (a == nil || b == nil || !same(a, b)) {
			return nil
		}
		return a
	}
	x.Start, x.Size, x.Step, x.Traced = keep(x.Start, y.Start), keep(x.Size, y.Size), keep(x.Step, y.Step), x.Traced || y.Traced
	if x.Value != nil && y.Value != nil && !same(x.Value, y.Value) {
		x.Value = Unknown
	}
	return x
}

// mergeRefs is one ref that stands for several: what is true of it is true of each.
func mergeRefs(refs []*Ref) *Ref {
	if len(refs) == 1 {
		return refs[0]
	}
	first := refs[0]
	m := &Alloc{Name: first.Name, Role: first.Role, Spaces: first.Spaces, Shape: first.Alloc.Shape, DType: first.DType, Loc: first.Alloc.Loc,
		Why: first.Why, High: first.High, HiType: first.HiType, Kernel: first.Kernel, of: []*Alloc{first.Alloc}, Selected: first.Selected}
	out := &Ref{Alloc: m, View: first.View, Type: first.Type, Steps: first.Steps, Loc: first.Loc}
	for _, r := range refs[1:] {
		m.of = append(m.of, r.Alloc)
		m.Spaces = m.Spaces.Join(r.Spaces)
		m.Shape = joinShapes(m.Shape, r.Alloc.Shape)
		m.DType = joinDTypes(m.DType, r.DType)
		m.High = m.High && r.High
		m.Selected = m.Selected && r.Selected
		out.View = joinShapes(out.View, r.View)
		out.Type = joinDTypes(out.Type, r.Type)
		out.Steps = joinSteps(out.Steps, r.Steps)
	}
	return out
}

// same reports whether two values are known to be equal.
func same(a, b Value) bool {
	switch x := a.(type) {
	case *Int:
		y, ok := b.(*Int)
		if !ok {
			return false
		}
		eq, known := x.Equal(y)
		return known && eq
	case *Opaque:
		y, ok := b.(*Opaque)
		return ok && (x == y || x.Key != "" && x.Key == y.Key)
	case *Tuple:
		y, ok := b.(*Tuple)
		return ok && (x == y || sameTuples(x, y))
	case *Array:
		y, ok := b.(*Array)
		return ok && (x == y || sameArrays(x, y))
	case *ShapeStruct:
		y, ok := b.(*ShapeStruct)
		if !ok {
			return false
		}
		eq, _ := x.Shape.Equal(y.Shape)
		return x == y || eq && x.DType == y.DType && x.DType != "" && x.Space == y.Space
	case DTypeVal:
		y, ok := b.(DTypeVal)
		return ok && x.DType == y.DType && x.DType != ""
	case *API:
		y, ok := b.(*API)
		return ok && x.Name == y.Name
	case *SpaceVal:
		y, ok := b.(*SpaceVal)
		return ok && x.Space == y.Space
	case *Func:
		y, ok := b.(*Func)
		return ok && (x == y || x.env == y.env && x.Def == y.Def && x.Lambda == y.Lambda)
	case *Bound:
		y, ok := b.(*Bound)
		return ok && same(x.Fn, y.Fn) && same(x.Self, y.Self)
	case *Method:
		y, ok := b.(*Method)
		return ok && x.Name == y.Name && same(x.Self, y.Self)
	case *Ref:
		y, ok := b.(*Ref)
		return ok && (x == y || x.Alloc == y.Alloc && len(x.Steps) == 0 && len(y.Steps) == 0)
	case *SliceVal:
		y, ok := b.(*SliceVal)
		return ok && sameOrNil(x.Lo, y.Lo) && sameOrNil(x.Hi, y.Hi) && sameOrNil(x.Step, y.Step)
	case *Dynamic:
		y, ok := b.(*Dynamic)
		return ok && same(x.Start, y.Start) && same(x.Size, y.Size) && sameOrNil(x.Stride, y.Stride)
	case *Union:
		y, ok := b.(*Union)
		return ok && sameAll(x.Alts, y.Alts)
	case *dictContent:
		y, ok := b.(*dictContent)
		return ok && (x == y || x.open == y.open && sameAll(x.keys, y.keys) && sameAll(x.vals, y.vals))
	case *Module:
		y, ok := b.(*Module)
		return ok && x.Name == y.Name && x.mod == y.mod
	case None, Bool, Float, Complex, Str, Ellipsis:
		return a == b
	}
	return comparable_(a) && a == b
}

// comparable_: the remaining kinds are pointers, whose identity counts.
func comparable_(v Value) bool {
	switch v.(type) {
	case *List, *Dict, *Partial, *Class, *Instance, *BlockSpec, *GridSpec, *MemSpec, *Mesh, *Desc, *PallasFn, *Wrapped, *Iter, *Homogeneous, *devices, *partition:
		return true
	}
	return false
}

func sameOrNil(a, b Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return same(a, b)
}

func sameAll(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameTuples(a, b *Tuple) bool {
	if !sameForm(a, b) || !sameAll(a.Head, b.Head) || !sameAll(a.Tail, b.Tail) {
		return false
	}
	return a.Rest == nil || same(a.Rest, b.Rest)
}

func sameArrays(a, b *Array) bool {
	if a.DType == "" || a.DType != b.DType || a.Weak != b.Weak || a.Traced != b.Traced || a.NumPy != b.NumPy || a.Outside != b.Outside {
		return false
	}
	if a.Lin != nil || b.Lin != nil {
		if eq, known := a.Lin.Equal(b.Lin); !known || !eq {
			return false
		}
	}
	eq, known := a.Shape.Equal(b.Shape)
	return known && eq
}
