package infer

import (
	"math"
	"strings"
)

func fnPartial(ip *interp, fr *frame, c *Call) Value {
	if len(c.Args) == 0 || c.Args[0].Star != 0 || c.Args[0].Name != "" {
		return Unknown
	}
	return &Partial{Fn: c.Args[0].Value, Arg: append(Args(nil), c.Args[1:]...), Loc: c.Loc}
}

func fnReduce(ip *interp, fr *frame, c *Call) Value {
	t, ok := ip.iterate(orUnknown(c.Pos(1))).(*Tuple)
	if !ok || t.Rest != nil {
		return Unknown
	}
	items := elems(t)
	acc := c.Pos(2)
	for _, v := range items {
		if acc == nil {
			acc = v
			continue
		}
		acc = ip.call(fr, c.Pos(0), Args{{Value: acc}, {Value: v}}, &callSite{loc: c.Loc, fn: c.Loc})
	}
	return orUnknown(acc)
}

func opFn(op string) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		return ip.binary(fr, op, orUnknown(c.Pos(0)), orUnknown(c.Pos(1)), c.Loc)
	}
}

func mathProd(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	t, ok := ip.iterate(v).(*Tuple)
	if !ok || t.Rest != nil {
		if k := keyOf(v); k != "" {
			return opaque("prod(" + k + ")")
		}
		return Unknown
	}
	var acc Value = N(1)
	for _, e := range elems(t) {
		acc = ip.binary(fr, "*", acc, e, c.Loc)
	}
	return acc
}

func mathCeil(ip *interp, fr *frame, c *Call) Value  { return rounded(c, math.Ceil) }
func mathFloor(ip *interp, fr *frame, c *Call) Value { return rounded(c, math.Floor) }

func rounded(c *Call, f func(float64) float64) Value {
	if n, ok := number(orUnknown(c.Pos(0))); ok && math.Abs(n) < float64(maxMagnitude) {
		return N(int64(f(n)))
	}
	return Unknown
}

func mathFloat(f func(float64) float64) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		ip.tracedInt(c.API, orUnknown(c.Pos(0)), c.Loc)
		if n, ok := number(orUnknown(c.Pos(0))); ok && len(c.Args) == 1 {
			return Float(f(n))
		}
		return Unknown
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func mathGcd(ip *interp, fr *frame, c *Call) Value {
	a, ok1 := asInt(c.Pos(0)).Known()
	b, ok2 := asInt(c.Pos(1)).Known()
	if ok1 && ok2 {
		return N(gcd(a, b))
	}
	return Unknown
}

func mathLcm(ip *interp, fr *frame, c *Call) Value {
	a, ok1 := asInt(c.Pos(0)).Known()
	b, ok2 := asInt(c.Pos(1)).Known()
	if ok1 && ok2 && a > 0 && b > 0 && a < 1<<20 && b < 1<<20 {
		return N(a / gcd(a, b) * b)
	}
	return Unknown
}

func fnDataclass(ip *interp, fr *frame, c *Call) Value {
	made := func(v Value) (*Class, bool) {
		cls, ok := v.(*Class)
		if ok {
			cls.Dataclass, cls.identity = true, c.Arg("eq") != nil || c.Open
		}
		return cls, ok
	}
	if cls, ok := made(c.Pos(0)); ok {
		return cls
	}
	return &decorator{call: c, run: func(ip *interp, fr *frame, fn Value, at *callSite) Value {
		if cls, ok := made(fn); ok {
			return cls
		}
		return Unknown
	}}
}

func fnField(ip *interp, fr *frame, c *Call) Value { return &Wrapped{Kind: "field", Call: c} }

func fnCopy(ip *interp, fr *frame, c *Call) Value {
	return ip.replaced(fr, orUnknown(c.Pos(0)), nil, c)
}

func fnReplace(ip *interp, fr *frame, c *Call) Value {
	var kw Args
	for _, a := range c.Args {
		if a.Name != "" || a.Star == 2 {
			kw = append(kw, a)
		}
	}
	return each(orUnknown(c.Pos(0)), func(v Value) Value { return ip.replaced(fr, v, kw, c) })
}

// replaced is a copy of a record with some fields changed.
func (ip *interp) replaced(fr *frame, v Value, kw Args, c *Call) Value {
	switch v := v.(type) {
	case *Instance:
		out := &Instance{Class: v.Class, fields: map[string]*Cell{}, Open: v.Open || kw.open(), Key: v.Key}
		for k, cell := range v.fields {
			out.fields[k] = &Cell{v: cell.v}
		}
		for _, a := range kw {
			if a.Name != "" {
				out.fields[a.Name] = &Cell{v: a.Value}
			}
		}
		return out
	case *BlockSpec:
		return ip.replaceSpec(v, kw, c)
	case *GridSpec:
		out := &GridSpec{Call: v.Call, Loc: v.Loc, fields: map[string]Value{}}
		for k, f := range v.fields {
			out.fields[k] = f
		}
		for _, a := range kw {
			out.fields[a.Name] = a.Value
		}
		return out
	case *List:
		return &List{cell: &Cell{v: v.cell.v}}
	case *Dict:
		return &Dict{cell: &Cell{v: v.cell.v}}
	case *Tuple, *Int, Str, Float, Bool, None:
		return v
	}
	return Unknown
}

func fnNamedtuple(ip *interp, fr *frame, c *Call) Value {
	name, _ := c.Pos(0).(Str)
	cls := &Class{Name: string(name), NamedTup: true, attrs: newEnv(nil, fr.env.mod, nil)}
	switch f := c.get("field_names", 1).(type) {
	case Str:
		for _, n := range strings.FieldsFunc(string(f), func(r rune) bool { return r == ' ' || r == ',' }) {
			cls.Fields = append(cls.Fields, Field{Name: n})
		}
	default:
		t, ok := ip.iterate(orUnknown(f)).(*Tuple)
		if !ok || t.Rest != nil {
			return Unknown
		}
		for _, e := range elems(t) {
			s, ok := e.(Str)
			if !ok {
				return Unknown
			}
			cls.Fields = append(cls.Fields, Field{Name: string(s)})
		}
	}
	return cls
}

func fnAstuple(ip *interp, fr *frame, c *Call) Value {
	o, ok := c.Pos(0).(*Instance)
	if !ok {
		return Unknown
	}
	t := &Tuple{}
	for _, f := range o.Class.Fields {
		t.Head = append(t.Head, ip.instanceAttr(fr, o, f.Name))
	}
	return t
}

func itChain(ip *interp, fr *frame, c *Call) Value {
	b := seqBuilder{}
	for _, a := range c.Args {
		if a.Star != 0 {
			return Unknown
		}
		b.spread(ip.iterate(a.Value))
	}
	return b.tuple()
}

func itRepeat(ip *interp, fr *frame, c *Call) Value {
	if n := c.Pos(1); n != nil {
		return repeat(&Tuple{Head: []Value{orUnknown(c.Pos(0))}}, false, asInt(n))
	}
	return &Tuple{Rest: orUnknown(c.Pos(0))}
}

func itProduct(ip *interp, fr *frame, c *Call) Value {
	rows := []*Tuple{{}}
	for _, a := range c.Args {
		t, ok := ip.iterate(a.Value).(*Tuple)
		if !ok || t.Rest != nil || a.Name != "" || a.Star != 0 {
			return Unknown
		}
		var next []*Tuple
		for _, r := range rows {
			for _, e := range elems(t) {
				next = append(next, &Tuple{Head: append(append([]Value(nil), r.Head...), e)})
			}
		}
		if len(next) > maxUnroll*4 {
			return Unknown
		}
		rows = next
	}
	out := &Tuple{}
	for _, r := range rows {
		out.Head = append(out.Head, r)
	}
	return out
}
