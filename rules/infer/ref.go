package infer

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// item is one evaluated subscript with its place.
type item struct {
	value Value
	loc   parse.Loc
	node  parse.Expr
}

func (ip *interp) items(fr *frame, x *parse.Index) (out []item, open bool) {
	for _, e := range x.Items {
		if st, ok := e.(*parse.Starred); ok {
			t, ok := ip.iterate(ip.eval(fr, st.X)).(*Tuple)
			if !ok || t.Rest != nil {
				open = true
				continue
			}
			for _, v := range elems(t) {
				out = append(out, item{v, fr.loc(st), st})
			}
			continue
		}
		out = append(out, item{ip.eval(fr, e), fr.loc(e), e})
	}
	if len(out) == 1 && !x.Tuple { // r[idx] with a tuple in a variable
		if t, ok := out[0].value.(*Tuple); ok {
			if t.Rest != nil {
				return nil, true
			}
			return tupleItems(t, out[0].loc, out[0].node), open
		}
		if isOpaque(out[0].value) && !isKnownIndex(out[0].value) {
			return out, open
		}
	}
	return out, open
}

func isKnownIndex(v Value) bool { o, ok := v.(*Opaque); return ok && o.Lin != nil }

func tupleItems(t *Tuple, loc parse.Loc, node parse.Expr) []item {
	var out []item
	for _, v := range elems(t) {
		out = append(out, item{v, loc, node})
	}
	return out
}

// indexExpr is x[...] as a value.
func (ip *interp) indexExpr(fr *frame, x *parse.Index) Value {
	base := ip.eval(fr, x.X)
	items, open := ip.items(fr, x)
	loc := fr.loc(x)
	ip.reach(loc)
	return ip.subscript(fr, base, items, open, loc, x)
}

func (ip *interp) subscript(fr *frame, base Value, items []item, open bool, loc parse.Loc, node parse.Node) Value {
	switch b := base.(type) {
	case *Ref:
		return ip.load(fr, b, items, open, loc, node, "")
	case *Method:
		if r, ok := b.Self.(*Ref); ok && b.Name == "at" {
			return ip.view(r, items, open, loc)
		}
		if a, ok := b.Self.(*Array); ok && b.Name == "at[]" {
			ip.fault("array-at", loc, "", a)
			return Unknown
		}
		if a, ok := b.Self.(*Array); ok && b.Name == "at" {
			return &Method{Self: a, Name: "at[]"}
		}
		return Unknown
	case *Array:
		if open {
			return &Array{DType: b.DType, Traced: b.Traced, NumPy: b.NumPy}
		}
		vs := make([]Value, len(items))
		for i, it := range items {
			vs[i] = it.value
		}
		return ip.arrayIndex(fr, b, vs, loc)
	case *Union:
		return ip.subscriptUnion(fr, b, items, open, loc, node)
	case *Tuple, *List:
		if open {
			return Unknown
		}
		if len(items) == 1 {
			ip.tracedInt("[]", items[0].value, loc)
			if sl, ok := items[0].value.(*SliceVal); ok {
				_ = ip.tracedInt("[:]", orUnknown(sl.Lo), loc) || ip.tracedInt("[:]", orUnknown(sl.Hi), loc)
			}
		}
		return ip.seqIndex(b, items, loc)
	case *Dict:
		return ip.dictIndex(b, items)
	case *Opaque:
		if eq := ip.resolve(b); eq != Value(b) {
			return ip.subscript(fr, eq, items, open, loc, node)
		}
		if b.Key == "" {
			ip.blur()
			return Unknown
		}
		if len(items) == 1 {
			if k := valueKey(items[0].value); k != "" {
				return opaque(b.Key + "[" + k + "]")
			}
		}
		if ip.kernel != nil {
			ip.blur()
		}
		return Unknown
	case *Homogeneous:
		ip.blur()
		return Unknown
	case *API:
		return b // a generic alias such as tuple[int, ...]
	case Str:
		return Unknown
	case *Instance:
		if m, ok := b.Class.lookup("__getitem__").(*Func); ok && !open {
			return ip.callFunc(m, Args{{Value: b}, {Value: key(items)}}, &callSite{loc: loc, fn: loc})
		}
	case *PallasFn:
		return b // pl.kernel[...]-like generics do not occur
	}
	return Unknown
}

// subscriptUnion indexes a value that is one of several. Refs give one event that stands for all.
func (ip *interp) subscriptUnion(fr *frame, u *Union, items []item, open bool, loc parse.Loc, node parse.Node) Value {
	var refs []*Ref
	at := true
	for _, a := range u.Alts {
		switch a := a.(type) {
		case *Ref:
			refs = append(refs, a)
			at = false
		case *Method:
			if r, ok := a.Self.(*Ref); ok && a.Name == "at" {
				refs = append(refs, r)
			}
		case None:
			continue // Optional: a None can't be indexed, so here it is the ref
		}
	}
	someNone := 0
	for _, a := range u.Alts {
		if _, ok := a.(None); ok {
			someNone++
		}
	}
	if len(refs) > 0 && len(refs)+someNone == len(u.Alts) {
		m := mergeRefs(refs)
		if at {
			return ip.view(m, items, open, loc)
		}
		return ip.load(fr, m, items, open, loc, node, "")
	}
	return each(u, func(v Value) Value {
		if _, ok := v.(None); ok {
			return nil
		}
		return ip.subscript(fr, v, items, open, loc, node)
	})
}

func (ip *interp) seqIndex(b Value, items []item, loc parse.Loc) Value {
	if u, ok := contentUnion(b); ok {
		return each(u, func(v Value) Value { return ip.seqIndex(v, items, loc) })
	}
	if len(items) != 1 {
		items = []item{{value: &Tuple{}}}
	}
	t, ok := ip.iterate(b).(*Tuple)
	if !ok {
		return Unknown
	}
	if s, ok := items[0].value.(*SliceVal); ok {
		_, list := b.(*List)
		return seqSlice(t, s, list)
	}
	if kind := keyKind(items[0].value); kind != "" {
		if ip.kernel != nil && ip.guarded == 0 && t.Class == nil {
			ip.fault("sequence-key", loc, kind, b)
		}
		return Unknown
	}
	i, known := asInt(items[0].value).Known()
	if !known {
		return ip.element(t)
	}
	n := int64(len(t.Head) + len(t.Tail))
	switch {
	case t.Rest == nil && i < 0 && i+n >= 0:
		return elems(t)[i+n]
	case t.Rest == nil && i >= 0 && i < n:
		return elems(t)[i]
	case t.Rest == nil:
		if _, tuple := b.(*Tuple); tuple && ip.kernel != nil && ip.guarded == 0 {
			ip.fault("sequence-index", loc, itoa(int(i)), N(i), N(n), t)
		}
		return Unknown
	case i >= 0 && i < int64(len(t.Head)):
		return t.Head[i]
	case i < 0 && -i <= int64(len(t.Tail)):
		return t.Tail[int64(len(t.Tail))+i]
	case i >= 0:
		return ip.element(&Tuple{Rest: t.Rest, Tail: t.Tail})
	}
	return ip.element(&Tuple{Rest: t.Rest, Head: t.Head})
}

// keyKind is the Python type of a value that indexes no tuple and no list; empty where it may.
func keyKind(v Value) string {
	switch v.(type) {
	case Ellipsis:
		return "ellipsis"
	case None:
		return "NoneType"
	case Str:
		return "str"
	case Float:
		return "float"
	case Complex:
		return "complex"
	case *Tuple:
		return "tuple"
	case *List:
		return "list"
	case *Dict:
		return "dict"
	case *Func:
		return "function"
	case *Module:
		return "module"
	case *Class:
		return "type"
	}
	return ""
}

// seqSlice is t[lo:hi:step] for bounds that are known.
func seqSlice(t *Tuple, s *SliceVal, list bool) Value {
	bound := func(v Value) (int64, bool, bool) {
		if v == nil {
			return 0, false, true
		}
		if _, ok := v.(None); ok {
			return 0, false, true
		}
		k, ok := asInt(v).Known()
		return k, true, ok
	}
	lo, hasLo, ok1 := bound(s.Lo)
	hi, hasHi, ok2 := bound(s.Hi)
	step, hasStep, ok3 := bound(s.Step)
	if !hasStep {
		step = 1
	}
	whole := func() Value {
		var all Value
		for _, e := range append(elems(t), t.Rest) {
			if e != nil {
				all = join(all, e)
			}
		}
		return wrapSeq(&Tuple{Rest: orUnknown(all)}, list)
	}
	if !ok1 || !ok2 || !ok3 || step == 0 {
		return whole()
	}
	if t.Rest == nil {
		return wrapSeq(&Tuple{Head: pySlice(elems(t), lo, hasLo, hi, hasHi, step)}, list)
	}
	if step != 1 {
		return whole()
	}
	out := &Tuple{Rest: t.Rest, Head: t.Head, Tail: t.Tail}
	switch {
	case !hasLo || lo == 0:
	case lo > 0 && lo <= int64(len(t.Head)):
		out.Head = t.Head[lo:]
	case lo < 0 && -lo <= int64(len(t.Tail)):
		out.Head, out.Rest, out.Tail = t.Tail[int64(len(t.Tail))+lo:], nil, nil
		if hasHi && hi < 0 && -hi <= int64(len(out.Head)) {
			out.Head = out.Head[:int64(len(out.Head))+hi]
			return wrapSeq(out, list)
		}
		if hasHi {
			return whole()
		}
		return wrapSeq(out, list)
	default:
		return whole()
	}
	switch {
	case !hasHi:
	case hi < 0 && -hi <= int64(len(t.Tail)):
		out.Tail = t.Tail[:int64(len(t.Tail))+hi]
	case hi >= 0 && hi <= int64(len(t.Head)):
		out.Head, out.Rest, out.Tail = t.Head[max(lo, 0):max(hi, lo)], nil, nil
	default:
		return whole()
	}
	return wrapSeq(out, list)
}

func pySlice(all []Value, lo int64, hasLo bool, hi int64, hasHi bool, step int64) []Value {
	n := int64(len(all))
	clamp := func(i, low, high int64) int64 {
		if i < 0 {
			i += n
		}
		return min(max(i, low), high)
	}
	var out []Value
	if step > 0 {
		a, b := int64(0), n
		if hasLo {
			a = clamp(lo, 0, n)
		}
		if hasHi {
			b = clamp(hi, 0, n)
		}
		for i := a; i < b; i += step {
			out = append(out, all[i])
		}
		return out
	}
	a, b := n-1, int64(-1)
	if hasLo {
		a = clamp(lo, -1, n-1)
	}
	if hasHi {
		b = clamp(hi, -1, n-1)
	}
	for i := a; i > b; i += step {
		out = append(out, all[i])
	}
	return out
}

func (ip *interp) dictIndex(d *Dict, items []item) Value {
	c, ok := d.cell.v.(*dictContent)
	if !ok || len(items) != 1 {
		return Unknown
	}
	v, _, _ := ip.valueAt(c, items[0].value)
	return orUnknown(v)
}

// setIndex is base[...] = v.
func (ip *interp) setIndex(fr *frame, x *parse.Index, base, v Value) {
	items, open := ip.items(fr, x)
	loc := fr.loc(x)
	ip.reach(loc)
	switch b := base.(type) {
	case *Ref:
		ip.store(fr, b, items, open, loc, x, v, "")
	case *Union:
		var refs []*Ref
		for _, a := range b.Alts {
			switch a := a.(type) {
			case *Ref:
				refs = append(refs, a)
			case None:
			default:
				ip.strangeStore(v)
				return
			}
		}
		if len(refs) > 0 {
			ip.store(fr, mergeRefs(refs), items, open, loc, x, v, "")
		}
	case *List:
		ip.setListItem(b, items, v)
	case *Dict:
		if c, ok := b.cell.v.(*dictContent); ok && len(items) == 1 {
			n := c.clone()
			n.put(items[0].value, v)
			ip.set(b.cell, n)
		}
	case *Method:
		if r, ok := b.Self.(*Ref); ok && b.Name == "at" {
			ip.fault("at-assign", loc, "", r)
		}
		if a, ok := b.Self.(*Array); ok && b.Name == "at[]" {
			ip.fault("array-at", loc, "", a)
		}
	case *Array:
		if !b.NumPy && ip.kernel != nil && b.Traced {
			ip.fault("array-assign", loc, "", b)
		}
	case *Tuple:
		ip.fault("tuple-assign", loc, "")
	case *Instance:
		if m, ok := b.Class.lookup("__setitem__").(*Func); ok && !open {
			ip.callFunc(m, Args{{Value: b}, {Value: key(items)}, {Value: v}}, &callSite{loc: loc, fn: loc})
			return
		}
		ip.strangeStore(v)
	default:
		ip.strangeStore(v)
	}
}

// key is what Python hands to __getitem__.
func key(items []item) Value {
	if len(items) == 1 {
		return items[0].value
	}
	t := &Tuple{}
	for _, it := range items {
		t.Head = append(t.Head, it.value)
	}
	return t
}

// strangeStore: something not known keeps the value.
func (ip *interp) strangeStore(v Value) {
	if ip.kernel != nil {
		ip.blur()
		ip.escape(v, 0)
	}
}

func (ip *interp) setListItem(l *List, items []item, v Value) {
	t, ok := l.cell.v.(*Tuple)
	l.Changed = true
	if !ok || len(items) != 1 {
		return
	}
	i, known := asInt(items[0].value).Known()
	all := elems(t)
	if i < 0 {
		i += int64(len(all))
	}
	if !known || t.Rest != nil || i < 0 || i >= int64(len(all)) {
		ip.set(l.cell, &Tuple{Rest: join(ip.element(t), v)})
		return
	}
	out := append([]Value(nil), all...)
	out[i] = v
	ip.set(l.cell, &Tuple{Head: out})
}

// augIndex is base[...] op= value: a load and a store of a ref.
func (ip *interp) augIndex(fr *frame, s *parse.AugAssign, x *parse.Index) {
	base := ip.eval(fr, x.X)
	items, open := ip.items(fr, x)
	loc := fr.loc(x)
	ip.reach(loc)
	r, ok := base.(*Ref)
	if !ok {
		old := ip.subscript(fr, base, items, open, loc, x)
		v := ip.binary(fr, s.Op, old, ip.eval(fr, s.Value), fr.loc(s))
		if u, isU := base.(*Union); isU {
			var refs []*Ref
			for _, a := range u.Alts {
				if ref, isRef := a.(*Ref); isRef {
					refs = append(refs, ref)
				}
			}
			if len(refs) > 0 {
				ip.store(fr, mergeRefs(refs), items, open, loc, x, v, s.Op)
				return
			}
		}
		ip.setIndex(fr, x, base, v)
		return
	}
	old := ip.load(fr, r, items, open, loc, x, s.Op)
	v := ip.binary(fr, s.Op, old, ip.eval(fr, s.Value), fr.loc(s))
	ip.store(fr, r, items, open, loc, x, v, s.Op)
}

// whole: `view[...]` adds no index of its own (jax/_src/state/primitives.py get_ref_and_transforms), so what is accessed is the ref
// under the view's .at, with the index of the .at.
func (r *Ref) whole(items []item) (*Ref, []item) {
	if r.base == nil || len(items) != 1 {
		return r, items
	}
	if _, ok := items[0].value.(Ellipsis); !ok {
		return r, items
	}
	return r.base, r.at
}

func (ip *interp) event(e *Event) *Event {
	e.Kernel = ip.kernel
	e.Path = ip.path.conds()
	ip.seq++
	e.Seq = ip.seq
	if ip.kernel != nil {
		ip.kernel.Events = append(ip.kernel.Events, e)
		ip.capture(e)
	}
	return e
}

// capture lists refs that the kernel uses and did not get as parameters.
func (ip *interp) capture(e *Event) {
	if e.Implicit {
		return
	}
	for _, r := range e.Refs {
		if r == nil || r.Alloc.Kernel != nil {
			continue
		}
		r.Alloc.Kernel = ip.kernel
		if r.Role == "" {
			r.Alloc.Role = Captured
		}
		ip.kernel.Refs = append(ip.kernel.Refs, r)
	}
}

// load is r[items]: an event, and the array it gives.
func (ip *interp) load(fr *frame, r *Ref, items []item, open bool, loc parse.Loc, node parse.Node, aug string) Value {
	r, items = r.whole(items)
	idx, shape, ok := ip.index(r, items, open, loc)
	out := &Array{DType: r.Type, Traced: ip.kernel != nil, Loc: loc}
	if ok {
		out.Shape = shape
		if shape.IsRank(0) && r.Type.IsInteger() {
			out.Lin = atom(ip.fresh(r.Name + "[]"))
		}
	}
	ip.event(&Event{Op: OpLoad, Loc: loc, Node: node, Refs: []*Ref{r}, Locs: []parse.Loc{loc}, Index: idx, Result: shape, RShape: ok, Value: out, Aug: aug, Via: "indexing"})
	if r.Spaces.Only(jax.Semaphore) {
		return &Array{Shape: out.Shape, DType: r.Type, Traced: true, Loc: loc}
	}
	return out
}

func (ip *interp) store(fr *frame, r *Ref, items []item, open bool, loc parse.Loc, node parse.Node, v Value, aug string) {
	r, items = r.whole(items)
	idx, shape, ok := ip.index(r, items, open, loc)
	if ok {
		ip.checkStored(shape, v, loc, r)
	}
	ip.event(&Event{Op: OpStore, Loc: loc, Node: node, Refs: []*Ref{r}, Locs: []parse.Loc{loc}, Index: idx, Result: shape, RShape: ok, Value: v, Aug: aug, Via: "indexing"})
}

// checkStored notes a value whose shape is not that of the region it is stored to (jax/_src/state/primitives.py _swap_abstract_eval).
func (ip *interp) checkStored(region Shape, v Value, loc parse.Loc, r *Ref) {
	a, ok := toArray(v)
	if !ok {
		return
	}
	if eq, known := region.Equal(a.Shape); known && !eq {
		ip.fault("store-shape", loc, region.String(), r, a)
	}
}

// view is r.at[items].
func (ip *interp) view(r *Ref, items []item, open bool, loc parse.Loc) Value {
	idx, shape, ok := ip.index(r, items, open, loc)
	out := &Ref{Alloc: r.Alloc, Type: r.Type, Loc: loc, Steps: append(r.Steps[:len(r.Steps):len(r.Steps)], Step{Kind: "at", Index: idx, Loc: loc, From: r.View}), base: r, at: items}
	if ok {
		out.View = shape
	}
	return out
}

// index applies subscripts to a ref as jax/_src/state/indexing.py NDIndexer does: what each selects, and the shape of all. ok is false
// when the result's rank is not known.
func (ip *interp) index(r *Ref, items []item, open bool, loc parse.Loc) ([]IndexItem, Shape, bool) {
	if open {
		return nil, Shape{}, false
	}
	rank, rankKnown := r.View.Rank()
	ellipsis, used := -1, 0
	for i, it := range items {
		switch it.value.(type) {
		case Ellipsis:
			if ellipsis >= 0 {
				ip.fault("two-ellipses", loc, "", r)
				return ip.plain(items), Shape{}, false
			}
			ellipsis = i
		case None:
		default:
			used++
		}
	}
	if rankKnown && used > rank {
		ip.fault("too-many-indices", loc, "", r, N(int64(used)))
		return ip.plain(items), Shape{}, false
	}
	if !rankKnown {
		return ip.plain(items), Shape{}, false
	}
	if len(items) == 1 && isOpaque(items[0].value) && !isKnownIndex(items[0].value) && rank > 0 { // may be a tuple, a slice, an array
		return ip.plain(items), Shape{}, false
	}
	for _, it := range items {
		if what := noIndex(it.value); what != "" && !r.Guess && !r.Many {
			ip.fault("index-type", orElse(it.loc, loc), what, r)
			return ip.plain(items), Shape{}, false
		}
	}
	var out []IndexItem
	dim := 0
	full := func(n int) {
		for ; n > 0; n-- {
			d := r.View.Dims[dim]
			out = append(out, IndexItem{Kind: IndexFull, Start: N(0), Size: d, Step: N(1), Dim: dim, Loc: loc})
			dim++
		}
	}
	for i, it := range items {
		if i == ellipsis {
			full(rank - used)
			continue
		}
		x := ip.indexItem(it, r.View.Dim(dim), dim)
		out = append(out, x)
		if x.Kind != IndexNew {
			dim++
		}
	}
	full(rank - dim)
	shape, ok := indexShape(out)
	return out, shape, ok
}

// noIndex says what a subscript is that JAX can make no index of.
func noIndex(v Value) string {
	switch v.(type) {
	case Str:
		return "a string"
	case *Dict:
		return "a dict"
	case *Func, *Partial:
		return "a function"
	case DTypeVal:
		return "a dtype"
	}
	return ""
}

func orElse(a, b parse.Loc) parse.Loc {
	if a.Valid() {
		return a
	}
	return b
}

// plain lists subscripts of a ref of unknown rank.
func (ip *interp) plain(items []item) []IndexItem {
	var out []IndexItem
	for i, it := range items {
		if _, ok := it.value.(Ellipsis); ok {
			out = append(out, IndexItem{Kind: IndexFull, Value: it.value, Dim: -1, Loc: it.loc, Node: it.node})
			continue
		}
		x := ip.indexItem(it, nil, i)
		x.Dim = -1
		out = append(out, x)
	}
	return out
}

func (ip *interp) indexItem(it item, dim *Int, d int) IndexItem {
	x := IndexItem{Value: it.value, Dim: d, Loc: it.loc, Node: it.node}
	switch v := ip.resolve(it.value).(type) {
	case *Int, Bool:
		x.Kind, x.Start, x.Size = IndexInt, asInt(v), N(1)
	case *Opaque:
		x.Kind = IndexUnknown
		if v.Lin != nil {
			x.Kind, x.Start, x.Size = IndexInt, v.Lin, N(1)
		}
	case *Array:
		if v.Shape.IsRank(0) {
			x.Kind, x.Start, x.Size, x.Traced = IndexInt, v.Lin, N(1), v.Traced
			break
		}
		x.Kind, x.Traced = IndexArray, v.Traced
		if v.Shape.Dims == nil {
			x.Kind = IndexUnknown
		}
	case *Ref:
		x.Kind, x.Traced = IndexArray, true
	case None:
		x.Kind, x.Dim = IndexNew, -1
	case *Dynamic:
		x.Kind = IndexSlice
		x.Start, x.Size, x.Step = asInt(v.Start), asInt(v.Size), N(1)
		if v.Stride != nil {
			x.Step = asInt(v.Stride)
		}
		a, ok := v.Start.(*Array)
		x.Traced = ok && a.Traced
	case *SliceVal:
		ip.sliceItem(&x, v, dim)
	case *Union:
		x.Kind = IndexUnknown
		if allScalar(v) {
			x.Kind, x.Size = IndexInt, N(1)
		}
	}
	return x
}

func allScalar(u *Union) bool {
	for _, a := range u.Alts {
		switch a := a.(type) {
		case *Int, Bool:
		case *Array:
			if !a.Shape.IsRank(0) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// distance is how far the bounds of a slice are apart; none where that is not a known number.
func distance(v *SliceVal) []Value {
	lo, hi := v.Lo, v.Hi
	if lo == nil || hi == nil {
		return nil
	}
	n := asInt(hi).Sub(asInt(lo))
	if _, known := n.Known(); !known {
		return nil
	}
	return []Value{n}
}

// sliceItem works out lo:hi:step on a dimension.
func (ip *interp) sliceItem(x *IndexItem, v *SliceVal, dim *Int) {
	absent := func(v Value) bool { _, none := v.(None); return v == nil || none }
	x.Kind, x.Start, x.Step = IndexSlice, N(0), N(1)
	for _, b := range []Value{v.Lo, v.Hi, v.Step} {
		if a, ok := b.(*Array); ok && a.Traced && ip.kernel != nil { // jax/_src/state/indexing.py Slice.from_slice wants numbers
			x.Traced = true
			ip.fault("traced-slice", x.Loc, "", append([]Value{a}, distance(v)...)...)
			break
		}
	}
	if !absent(v.Step) {
		x.Step = asInt(v.Step)
	}
	if absent(v.Lo) && absent(v.Hi) && x.Step.Is(1) {
		x.Kind, x.Size = IndexFull, dim
		return
	}
	if !absent(v.Lo) {
		x.Start = sliceBound(asInt(v.Lo), dim)
	}
	hi := dim
	if !absent(v.Hi) {
		hi = sliceBound(asInt(v.Hi), dim)
		if d, ok := dim.Known(); ok {
			if h, ok := hi.Known(); ok && h > d {
				hi = dim
			}
		}
		if _, known := hi.Known(); known || hi != nil {
			if eq, k := hi.Equal(dim); dim != nil && !(k && eq) {
				if _, ok := dim.Known(); !ok {
					hi = nil // may be clamped
				} else if _, ok := hi.Known(); !ok {
					hi = nil
				}
			}
		}
	}
	x.Size = hi.Sub(x.Start)
	if k, ok := x.Size.Known(); ok && k < 0 {
		x.Size = N(0)
	}
	if !x.Step.Is(1) {
		n, ok1 := x.Size.Known()
		s, ok2 := x.Step.Known()
		x.Size = nil
		if ok1 && ok2 && s > 0 {
			x.Size = N((n + s - 1) / s)
		}
	}
}

func sliceBound(n, dim *Int) *Int {
	if k, ok := n.Known(); ok && k < 0 {
		if n = dim.Add(n); n != nil {
			if v, ok := n.Known(); ok && v < 0 {
				return N(0)
			}
		}
	}
	return n
}

// indexShape is the shape that subscripts leave (NDIndexer.get_indexer_shape): the shape that the integers and index arrays broadcast
// to stands where they stood when they are neighbours, else in front.
func indexShape(items []IndexItem) (Shape, bool) {
	lead, ok := leadShape(items)
	if !ok {
		return Shape{}, false
	}
	var before, after []*Int
	first, last, count := -1, -1, 0
	for _, x := range items {
		switch x.Kind {
		case IndexInt, IndexArray:
			if first < 0 {
				first = x.Dim
			}
			last = x.Dim
			count++
		case IndexSlice, IndexFull:
			if first < 0 {
				before = append(before, x.Size)
			} else {
				after = append(after, x.Size)
			}
		default:
			return Shape{}, false
		}
	}
	out := []*Int{}
	if count > 0 && last-first+1 != count {
		out = append(out, lead.Dims...)
		out = append(out, before...)
		return Shape{Dims: append(out, after...)}, true
	}
	out = append(out, before...)
	out = append(out, lead.Dims...)
	return Shape{Dims: append(out, after...)}, true
}

// leadShape is the shape that all integers and index arrays broadcast to.
func leadShape(items []IndexItem) (Shape, bool) {
	lead := Scalar
	for _, x := range items {
		if x.Kind != IndexArray {
			continue
		}
		var s Shape
		switch v := x.Value.(type) {
		case *Array:
			s = v.Shape
		case *Ref:
			s = v.View
		}
		if s.Dims == nil {
			return Shape{}, false
		}
		switch {
		case len(lead.Dims) == 0:
			lead = s
		case len(lead.Dims) != len(s.Dims):
			return Shape{}, false
		default:
			lead = joinShapes(lead, s)
		}
	}
	return lead, true
}

// refAttr is an attribute of a ref (jax/_src/state/types.py AbstractRef, TransformedRef).
func (ip *interp) refAttr(r *Ref, name string) Value {
	switch name {
	case "shape":
		return shapeValue(r.View)
	case "dtype":
		return dtypeValue(r.Type)
	case "ndim":
		if n, ok := r.View.Rank(); ok {
			return N(int64(n))
		}
		return Unknown
	case "size":
		return sizeValue(r.View)
	case "T":
		return ip.transposed(r, nil, r.Loc)
	case "memory_space":
		if s := r.Spaces.One(); s != 0 {
			return &SpaceVal{Space: s}
		}
		return Unknown
	case "aval", "sharding", "ref", "transforms", "weak_type":
		return Unknown
	}
	return &Method{r, name}
}

func (ip *interp) refMethod(fr *frame, r *Ref, name string, args Args, at *callSite) Value {
	pos, open := args.positional()
	first := func() Value {
		if len(pos) > 0 && !open {
			return pos[0].Value
		}
		return Unknown
	}
	switch name {
	case "bitcast":
		v := args.named("dtype")
		if v != nil {
			return ip.bitcast(r, v.Value, at.loc)
		}
		return ip.bitcast(r, first(), at.loc)
	case "reshape":
		return ip.reshaped(r, pos, open, at.loc)
	case "transpose":
		var perm []Value
		for _, a := range pos {
			perm = append(perm, a.Value)
		}
		return ip.transposed(r, perm, at.loc)
	case "memory_space_cast":
		return r
	case "get":
		return ip.load(fr, r, ip.itemsOf(args, "idx", 0), false, at.loc, at.node, "")
	case "set", "swap", "addupdate":
		items := ip.itemsOf(args, "idx", 1)
		v := first()
		if name == "swap" {
			old := ip.load(fr, r, items, false, at.loc, at.node, "")
			ip.store(fr, r, items, false, at.loc, at.node, v, "")
			return old
		}
		ip.store(fr, r, items, false, at.loc, at.node, v, "")
		if name == "addupdate" {
			ip.lastEvent("jax.ref.addupdate", nil)
		}
		return None{}
	}
	if strings.HasPrefix(name, "__") { // what operators call may be called by name too
		return ip.callUnknown(nil, append(args[:len(args):len(args)], Arg{Value: r}))
	}
	ip.fault("ref-attribute", at.loc, name, r)
	ip.callUnknown(r, args)
	return Unknown
}

func (ip *interp) itemsOf(args Args, name string, pos int) []item {
	v := Value(nil)
	if a := args.named(name); a != nil {
		v = a.Value
	} else if p, _ := args.positional(); pos < len(p) {
		v = p[pos].Value
	}
	return valueItems(v)
}

func valueItems(v Value) []item {
	switch v := v.(type) {
	case nil:
		return []item{{value: Ellipsis{}}}
	case *Tuple:
		if v.Rest == nil {
			if len(elems(v)) == 0 {
				return []item{{value: Ellipsis{}}}
			}
			return tupleItems(v, parse.Loc{}, nil)
		}
	}
	return []item{{value: v}}
}

// bitcast scales the second-minor dimension by the ratio of the widths (jax/_src/state/types.py BitcastTransform).
func (ip *interp) bitcast(r *Ref, v Value, loc parse.Loc) Value {
	d, _ := ip.dtypeOf(v)
	out := &Ref{Alloc: r.Alloc, Type: d, Loc: loc, Steps: append(r.Steps[:len(r.Steps):len(r.Steps)], Step{Kind: "bitcast", Loc: loc, From: r.View})}
	n, ok := r.View.Rank()
	if !ok || d == "" || r.Type == "" {
		return out
	}
	from, to := int64(r.Type.Bits()), int64(d.Bits())
	if from == 0 || to == 0 {
		return out
	}
	dims := append([]*Int(nil), r.View.Dims...)
	switch {
	case from == to:
	case n < 2:
		ip.fault("ref-bitcast-rank", loc, "", r)
		dims = nil
	default:
		scaled := dims[n-2].Mul(N(from))
		if k, known := scaled.Known(); known && k%to != 0 {
			ip.fault("ref-bitcast-size", loc, "", r)
			dims = nil
			break
		}
		dims[n-2] = scaled.FloorDiv(N(to))
	}
	out.View = Shape{Dims: dims}
	return out
}

func (ip *interp) reshaped(r *Ref, pos []*Arg, open bool, loc parse.Loc) Value {
	out := &Ref{Alloc: r.Alloc, Type: r.Type, Loc: loc, Steps: append(r.Steps[:len(r.Steps):len(r.Steps)], Step{Kind: "reshape", Loc: loc, From: r.View})}
	if open || len(pos) == 0 {
		return out
	}
	var s Shape
	if len(pos) == 1 {
		s = ip.shapeOf(pos[0].Value)
	} else {
		s.Dims = []*Int{}
		for _, a := range pos {
			s.Dims = append(s.Dims, asInt(a.Value))
		}
	}
	out.View = resolveMinusOne(s, r.View)
	a, ok1 := out.View.Size()
	b, ok2 := r.View.Size()
	if ok1 && ok2 && a != b {
		ip.fault("ref-reshape", loc, out.View.String(), r)
		out.View = Shape{}
	}
	return out
}

// resolveMinusOne replaces a -1 in a shape by what is left of the size of from.
func resolveMinusOne(s, from Shape) Shape {
	at := -1
	for i, d := range s.Dims {
		if d.Is(-1) {
			at = i
		}
	}
	if at < 0 {
		return s
	}
	out := Shape{Dims: append([]*Int(nil), s.Dims...)}
	out.Dims[at] = nil
	if from.Dims == nil {
		return out
	}
	total, rest := N(1), N(1)
	for _, d := range from.Dims {
		total = total.Mul(d)
	}
	for i, d := range s.Dims {
		if i != at {
			rest = rest.Mul(d)
		}
	}
	if _, ok := rest.Known(); ok {
		if t, known := total.Known(); known {
			if r, _ := rest.Known(); r > 0 && t%r == 0 {
				out.Dims[at] = N(t / r)
			}
			return out
		}
	}
	if q := total.FloorDiv(rest); q != nil && total != nil {
		if r, ok := rest.Known(); ok && total.divisible(r) {
			out.Dims[at] = q
		}
	}
	return out
}

func (ip *interp) transposed(r *Ref, perm []Value, loc parse.Loc) Value {
	out := &Ref{Alloc: r.Alloc, Type: r.Type, Loc: loc, Steps: append(r.Steps[:len(r.Steps):len(r.Steps)], Step{Kind: "transpose", Loc: loc, From: r.View})}
	n, ok := r.View.Rank()
	if !ok {
		return out
	}
	if len(perm) == 1 {
		if t, isSeq := ip.iterate(perm[0]).(*Tuple); isSeq {
			perm = elems(t)
		}
	}
	dims := make([]*Int, n)
	for i := range dims {
		if len(perm) == 0 {
			dims[i] = r.View.Dims[n-1-i]
			continue
		}
		if len(perm) != n {
			return out
		}
		k, known := asInt(perm[i]).Known()
		if !known || k < 0 || k >= int64(n) {
			return out
		}
		dims[i] = r.View.Dims[k]
	}
	out.View = Shape{Dims: dims}
	return out
}
