package infer

import (
	"pallas-lsp/parse"
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
