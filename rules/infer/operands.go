package infer

// kernelArgs makes the refs that a kernel is called with: prefetched scalars, inputs, outputs, scratch (jax/_src/pallas/core.py
// get_grid_mapping).
func (ip *interp) kernelArgs(s *Site, k *Kernel) Args {
	var args Args
	args = append(args, ip.inputArgs(s)...)
	args = append(args, ip.outputArgs(s)...)
	args = append(args, ip.scratchArgs(s)...)
	s.Complete = !args.open() && !s.Open
	return args
}

// inputArgs are the refs of the prefetched scalars and the operands.
func (ip *interp) inputArgs(s *Site) Args {
	var operands []Value
	open := false
	if s.Called {
		pos, isOpen := s.Operands.positional()
		for _, a := range pos {
			operands = append(operands, ip.resolve(a.Value))
		}
		open = isOpen
	}
	if open || !s.Called {
		return ip.unknownInputs(s)
	}
	var out Args
	specs := ip.specTree(s.InSpecs)
	i := 0
	for n, v := range operands {
		prefetch := n < s.Prefetch
		var spec Value = noSpec{}
		if s.Prefetch < 0 {
			spec = Unknown
		} else if !prefetch {
			spec = specs.child(n - s.Prefetch)
		}
		out = append(out, Arg{Value: ip.inputTree(s, v, spec, prefetch, &i, n), Loc: s.Loc})
	}
	return out
}

// unknownInputs are the refs of operands that are not known: as many as in_specs has, else any number.
func (ip *interp) unknownInputs(s *Site) Args {
	var out Args
	i := 0
	if s.Prefetch < 0 {
		return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
	}
	for n := 0; n < s.Prefetch; n++ {
		out = append(out, Arg{Value: ip.inputTree(s, Unknown, noSpec{}, true, &i, n), Loc: s.Loc})
	}
	t, ok := s.InSpecs.(*Tuple)
	if l, isList := s.InSpecs.(*List); isList {
		t, ok = l.cell.v.(*Tuple)
	}
	if b, isSpec := s.InSpecs.(*BlockSpec); isSpec {
		t, ok = &Tuple{Head: []Value{b}}, true
	}
	if !ok {
		rest := Value(Unknown)
		if s.InSpecs == nil && !s.Open {
			o := &Operand{Index: -1}
			r := ip.operandRef(s, o, Input, noSpec{})
			r.Alloc.Many = true
			rest = r
		}
		return append(out, Arg{Star: 1, Value: rest, Loc: s.Loc})
	}
	spec := func(v Value) Value { return ip.inputTree(s, Unknown, v, false, &i, i) }
	for _, e := range t.Head {
		out = append(out, Arg{Value: spec(e), Loc: s.Loc})
	}
	if t.Rest != nil {
		out = append(out, Arg{Star: 1, Value: many(spec(t.Rest)), Loc: s.Loc})
	}
	for _, e := range t.Tail {
		out = append(out, Arg{Value: spec(e), Loc: s.Loc})
	}
	return out
}

// many marks a ref that stands for a run of unknown length.
func many(v Value) Value {
	if r, ok := v.(*Ref); ok {
		r.Alloc.Many = true
	}
	return v
}

// noSpec stands for an operand without a BlockSpec.
type noSpec struct{}

// specNode walks a tree of specs beside a tree of operands.
type specNode struct{ v Value }

func (ip *interp) specTree(v Value) specNode {
	if v == nil {
		return specNode{noSpec{}}
	}
	return specNode{ip.resolve(v)}
}

// child is the spec of the i-th element; a spec above a subtree holds for all of it only where JAX broadcasts, which it does not,
// so anything else is unknown.
func (s specNode) child(i int) Value {
	switch v := s.v.(type) {
	case noSpec:
		return v
	case *Tuple:
		return tupleAt(v, i)
	case *List:
		if t, ok := v.cell.v.(*Tuple); ok {
			return tupleAt(t, i)
		}
	case *BlockSpec:
		if i == 0 {
			return v
		}
	}
	return Unknown
}

func tupleAt(t *Tuple, i int) Value {
	switch {
	case i < len(t.Head):
		return t.Head[i]
	case t.Rest == nil && i < len(t.Head)+len(t.Tail):
		return t.Tail[i-len(t.Head)]
	case t.Rest != nil && len(t.Tail) == 0:
		return t.Rest
	}
	return Unknown
}

// inputTree makes the refs of one operand: a leaf, or a tree of the form that the operand or its specs have.
func (ip *interp) inputTree(s *Site, v, spec Value, prefetch bool, i *int, n int) Value {
	return ip.zipTree(v, spec, func(v, spec Value) Value {
		if isNone(spec) && !prefetch {
			return None{} // a None among the specs stands for a None among the operands
		}
		return ip.inputLeaf(s, v, spec, prefetch, i)
	})
}

// zipTree walks a tree of operands beside the tree of their specs; where only one of the two is known, its form is taken.
func (ip *interp) zipTree(v, spec Value, leaf func(v, spec Value) Value) Value {
	if h, ok := spec.(*Homogeneous); ok {
		if isOpaque(v) {
			return &Homogeneous{leaf(v, h.Leaf)}
		}
		return ip.zipTree(v, h.Leaf, leaf)
	}
	switch x := v.(type) {
	case *Tuple, *List:
		t, ok := ip.iterate(x).(*Tuple)
		if !ok || t.Rest != nil {
			return Unknown
		}
		out := &Tuple{Class: t.Class, Names: t.Names}
		for k, e := range elems(t) {
			out.Head = append(out.Head, ip.zipTree(e, specNode{spec}.child(k), leaf))
		}
		return likeThat(x, out)
	case *Dict, *Instance:
		return ip.zipRecord(x, spec, leaf)
	case None:
		return None{}
	case *Union:
		if opt, ok := optional(x); ok {
			return unionOf([]Value{ip.zipTree(opt, dropNone(spec), leaf), None{}})
		}
	case *Opaque:
		switch sp := spec.(type) {
		case *Tuple, *List:
			t, ok := ip.iterate(sp).(*Tuple)
			if !ok || t.Rest != nil {
				return Unknown
			}
			out := &Tuple{Class: t.Class, Names: t.Names}
			for k, e := range elems(t) {
				out.Head = append(out.Head, ip.zipTree(x.child(itoa(k)), e, leaf))
			}
			return likeThat(sp, out)
		case *Dict, *Instance:
			return ip.mapRecord(sp, func(name string, e Value) Value { return ip.zipTree(x.child(name), e, leaf) })
		}
	}
	if u, ok := spec.(*Union); ok {
		if opt, ok := optional(u); ok {
			return unionOf([]Value{ip.zipTree(v, opt, leaf), None{}})
		}
	}
	return leaf(v, spec)
}

// likeThat makes a sequence a list where the other one is.
func likeThat(v Value, t *Tuple) Value {
	if _, ok := v.(*List); ok {
		return &List{cell: &Cell{v: t}}
	}
	return t
}

// child is a part of an opaque tree.
func (o *Opaque) child(name string) Value {
	if o.Key == "" {
		return Unknown
	}
	return opaque(o.Key + "." + name)
}

// zipRecord walks a dict or dataclass of operands beside its specs of the same form.
func (ip *interp) zipRecord(v, spec Value, leaf func(v, spec Value) Value) Value {
	parts := map[string]Value{}
	ip.mapRecord(spec, func(name string, e Value) Value { parts[name] = e; return e })
	_, none := spec.(noSpec)
	if _, single := v.(*Instance); single && !ip.isRecord(v) {
		return leaf(v, spec)
	}
	ip.inRecord++
	defer func() { ip.inRecord-- }()
	return ip.mapRecord(v, func(name string, e Value) Value {
		sp, ok := parts[name]
		switch {
		case none:
			sp = spec
		case !ok:
			sp = Unknown
		}
		return ip.zipTree(e, sp, leaf)
	})
}

// isRecord: a pytree with fields, as opposed to a leaf.
func (ip *interp) isRecord(v Value) bool {
	switch v := v.(type) {
	case *Dict:
		_, _, open := v.Items()
		return !open
	case *Instance:
		return v.Class != nil && v.Class.Dataclass && !v.Open && !isHiValue(v)
	}
	return false
}

// mapRecord makes a record of the same form with other values; anything else is Unknown.
func (ip *interp) mapRecord(v Value, f func(name string, e Value) Value) Value {
	if !ip.isRecord(v) {
		return Unknown
	}
	switch v := v.(type) {
	case *Dict:
		keys, vals, _ := v.Items()
		c := &dictContent{keys: keys}
		for i, e := range vals {
			c.vals = append(c.vals, f(valueKey(keys[i]), e))
		}
		return &Dict{cell: &Cell{v: c}}
	case *Instance:
		out := &Instance{Class: v.Class, fields: map[string]*Cell{}, Key: v.Key}
		for _, fd := range v.Class.Fields {
			if c := v.fields[fd.Name]; c != nil && c.v != nil {
				out.fields[fd.Name] = &Cell{v: c.v}
				if !fd.Static {
					out.fields[fd.Name].v = f(fd.Name, c.v)
				}
			}
		}
		return out
	}
	return Unknown
}

// Homogeneous is a pytree of unknown form of which every leaf is known to be like Leaf.
type Homogeneous struct{ Leaf Value }

func dropNone(v Value) Value {
	if u, ok := v.(*Union); ok {
		if x, ok := optional(u); ok {
			return x
		}
	}
	return v
}

// optional is the other value of a union of None and something.
func optional(u *Union) (Value, bool) {
	if len(u.Alts) != 2 {
		return nil, false
	}
	if isNone(u.Alts[0]) {
		return u.Alts[1], true
	}
	if isNone(u.Alts[1]) {
		return u.Alts[0], true
	}
	return nil, false
}

func (ip *interp) inputLeaf(s *Site, v, spec Value, prefetch bool, i *int) Value {
	o := &Operand{Index: *i, Value: v}
	*i++
	o.Array, o.DType, _ = typeOf(v)
	role := Input
	if prefetch {
		role = Prefetch
	}
	s.Inputs = append(s.Inputs, o)
	r := ip.operandRef(s, o, role, spec)
	if ref, ok := v.(*Ref); ok && isRefOperand(s) {
		r.High, r.HiType = ref.High, ref.HiType
	}
	return r
}
