package infer

import (
	"strings"

	"pallas-lsp/parse"
)

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
