package infer

import (
	"strings"
)

func (ip *interp) extend(l *List, v Value) {
	l.Changed = true
	cur, ok := l.cell.v.(*Tuple)
	if !ok {
		if u, isU := l.cell.v.(*Union); isU {
			ip.set(l.cell, each(u, func(a Value) Value {
				b := seqBuilder{}
				b.spread(a)
				b.spread(ip.iterate(v))
				return b.tuple()
			}))
		}
		return
	}
	if u, isU := contentUnion(v); isU {
		ip.set(l.cell, each(u, func(a Value) Value {
			b := seqBuilder{}
			b.spread(cur)
			b.spread(ip.iterate(a))
			return b.tuple()
		}))
		return
	}
	b := seqBuilder{}
	b.spread(cur)
	b.spread(ip.iterate(v))
	ip.set(l.cell, b.tuple())
}

func (ip *interp) listMethod(fr *frame, l *List, name string, args Args) Value {
	switch name {
	case "append":
		if len(args) == 1 && args[0].Star == 0 {
			ip.extend(l, &Tuple{Head: []Value{args[0].Value}})
			return None{}
		}
	case "extend":
		if len(args) == 1 {
			ip.extend(l, args[0].Value)
			return None{}
		}
	case "copy":
		return &List{cell: &Cell{v: l.cell.v}}
	case "insert":
		return ip.listInsert(l, args)
	case "pop":
		return ip.listPop(l, args)
	case "index", "count":
		return Unknown
	case "reverse":
		l.Changed = true
		ip.set(l.cell, biReversed(ip, fr, &Call{Args: Args{{Value: l}}}))
		return None{}
	case "clear":
		l.Changed = true
		ip.set(l.cell, &Tuple{})
		return None{}
	}
	l.Changed = true
	ip.set(l.cell, &Tuple{Rest: Unknown})
	return Unknown
}

func (ip *interp) listInsert(l *List, args Args) Value {
	t, ok := l.cell.v.(*Tuple)
	if len(args) != 2 {
		return Unknown
	}
	i, known := asInt(args[0].Value).Known()
	l.Changed = true
	if !ok || !known || t.Rest != nil {
		ip.set(l.cell, &Tuple{Rest: Unknown})
		return None{}
	}
	all := elems(t)
	if i < 0 {
		i = max(i+int64(len(all)), 0)
	}
	i = min(i, int64(len(all)))
	out := append(append(append([]Value(nil), all[:i]...), args[1].Value), all[i:]...)
	ip.set(l.cell, &Tuple{Head: out})
	return None{}
}

func (ip *interp) listPop(l *List, args Args) Value {
	t, ok := l.cell.v.(*Tuple)
	l.Changed = true
	if !ok || t.Rest != nil || len(elems(t)) == 0 {
		return Unknown
	}
	all := elems(t)
	i := int64(len(all) - 1)
	if len(args) > 0 {
		k, known := asInt(args[0].Value).Known()
		if !known {
			ip.set(l.cell, &Tuple{Rest: ip.element(t)})
			return ip.element(t)
		}
		if i = k; i < 0 {
			i += int64(len(all))
		}
	}
	if i < 0 || i >= int64(len(all)) {
		return Unknown
	}
	ip.set(l.cell, &Tuple{Head: append(append([]Value(nil), all[:i]...), all[i+1:]...)})
	return all[i]
}

func (ip *interp) tupleMethod(t *Tuple, name string, args Args) Value {
	if name == "_replace" && t.Class != nil {
		out := *t
		out.Head = append([]Value(nil), t.Head...)
		for _, a := range args {
			for i, n := range t.Names {
				if n == a.Name {
					out.Head[i] = a.Value
				}
			}
		}
		return &out
	}
	if name == "_asdict" && t.Class != nil {
		d := &dictContent{}
		for i, n := range t.Names {
			d.put(Str(n), t.Head[i])
		}
		return &Dict{cell: &Cell{v: d}}
	}
	return Unknown
}

func (ip *interp) dictMethod(fr *frame, d *Dict, name string, args Args) Value {
	c, ok := d.cell.v.(*dictContent)
	if !ok {
		return Unknown
	}
	rest := func(t *Tuple) Value {
		if c.open {
			t.Rest = Unknown
		}
		return t
	}
	switch name {
	case "keys":
		return rest(&Tuple{Head: append([]Value(nil), c.keys...)})
	case "values":
		return rest(&Tuple{Head: append([]Value(nil), c.vals...)})
	case "items":
		t := &Tuple{}
		for i := range c.keys {
			t.Head = append(t.Head, &Tuple{Head: []Value{c.keys[i], c.vals[i]}})
		}
		return rest(t)
	case "copy":
		return &Dict{cell: &Cell{v: c}}
	case "get", "pop", "setdefault":
		return ip.dictGet(d, c, name, args)
	case "update":
		n := c.clone()
		for _, a := range args {
			switch {
			case a.Name != "":
				n.put(Str(a.Name), a.Value)
			case a.Star == 2:
				n.open = true
			default:
				ip.update(n, a.Value)
			}
		}
		ip.set(d.cell, n)
		return None{}
	}
	return Unknown
}

func (ip *interp) dictGet(d *Dict, c *dictContent, name string, args Args) Value {
	if len(args) == 0 {
		return Unknown
	}
	otherwise := Value(None{})
	if len(args) > 1 {
		otherwise = args[1].Value
	}
	v, found, known := ip.valueAt(c, args[0].Value)
	if !known {
		return Unknown
	}
	if !found {
		v = otherwise
		if name == "setdefault" {
			n := c.clone()
			n.put(args[0].Value, v)
			ip.set(d.cell, n)
		}
		return v
	}
	if name == "pop" {
		n := &dictContent{open: c.open}
		for i := range c.keys {
			if !same(c.keys[i], args[0].Value) {
				n.put(c.keys[i], c.vals[i])
			}
		}
		ip.set(d.cell, n)
	}
	return v
}

// valueAt is what a mapping holds for a key; known is false where that can't be told.
func (ip *interp) valueAt(c *dictContent, key Value) (v Value, found, known bool) {
	if v, found := c.get(key); found {
		return v, true, true
	}
	known = !c.open && !isOpaque(key)
	for i, have := range c.keys {
		same, eq := ip.equal(have, key)
		if same && eq {
			return c.vals[i], true, true
		}
		known = known && same
	}
	return nil, false, known
}

func strMethod(s Str, name string, args Args) Value {
	arg, _ := func() (Str, bool) {
		if len(args) > 0 {
			a, ok := args[0].Value.(Str)
			return a, ok
		}
		return "", false
	}()
	switch name {
	case "lower":
		return Str(strings.ToLower(string(s)))
	case "upper":
		return Str(strings.ToUpper(string(s)))
	case "strip":
		if len(args) == 0 {
			return Str(strings.TrimSpace(string(s)))
		}
	case "startswith":
		if arg != "" {
			return Bool(strings.HasPrefix(string(s), string(arg)))
		}
	case "endswith":
		if arg != "" {
			return Bool(strings.HasSuffix(string(s), string(arg)))
		}
	case "split":
		if arg != "" && len(args) == 1 {
			t := &Tuple{}
			for _, p := range strings.Split(string(s), string(arg)) {
				t.Head = append(t.Head, Str(p))
			}
			return &List{cell: &Cell{v: t}}
		}
	}
	return Unknown
}
