package infer

func init() {
	register(map[string]model{
		"jax.make_mesh":             deviceMesh("axis_shapes"),
		"jax.sharding.AbstractMesh": deviceMesh("axis_sizes"),
		"jax.sharding.Mesh":         deviceMesh("devices"),
		"jax.sharding.PartitionSpec": func(ip *interp, fr *frame, c *Call) Value {
			if c.Open || len(c.Extra) > 0 {
				return Unknown
			}
			p := &partition{}
			for _, a := range c.Args {
				if a.Name == "" {
					p.dims = append(p.dims, a.Value)
				}
			}
			return p
		},
		"jax.experimental.mesh_utils.create_device_mesh": func(ip *interp, fr *frame, c *Call) Value {
			return &Array{Shape: ip.shapeOf(orUnknown(c.get("mesh_shape", 0))), NumPy: true, Loc: c.Loc}
		},
	})
}

// devices is a mesh of devices: jax.make_mesh((4,), ("x",)). A size is nil where it is not known.
type devices struct {
	names []string
	sizes []*Int
}

// partition is a jax.sharding.PartitionSpec: for each dimension None, the name of an axis of a mesh, or a tuple of such names.
type partition struct{ dims []Value }

// deviceMesh models what makes a mesh of devices of its sizes, or of an array of devices, and of the names of its axes.
func deviceMesh(first string) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		sizes, names := ip.resolve(orUnknown(c.get(first, 0))), ip.resolve(orUnknown(c.get("axis_names", 1)))
		m := &devices{}
		if s, ok := names.(Str); ok {
			names = &Tuple{Head: []Value{s}}
		}
		listed, known := Elements(names)
		for _, v := range listed {
			s, ok := v.(Str)
			known = known && ok
			m.names = append(m.names, string(s))
		}
		if !known || c.Open {
			return Unknown
		}
		shape := Shape{}
		if first == "devices" {
			shape, _ = ShapeOfValue(sizes)
		} else {
			shape = ip.shapeOf(sizes)
		}
		for i := range m.names {
			var n *Int
			if shape.IsRank(len(m.names)) {
				n = shape.Dim(i)
			}
			m.sizes = append(m.sizes, n)
		}
		return m
	}
}

// size is how many devices lie along an axis, nil where that is not known.
func (m *devices) size(name string) *Int {
	for i, n := range m.names {
		if n == name {
			return m.sizes[i]
		}
	}
	return nil
}

func (m *devices) attr(name string) Value {
	switch name {
	case "axis_names":
		t := &Tuple{}
		for _, n := range m.names {
			t.Head = append(t.Head, Str(n))
		}
		return t
	case "axis_sizes":
		t := &Tuple{}
		for _, n := range m.sizes {
			t.Head = append(t.Head, fromInt(n))
		}
		return t
	case "shape":
		c := &dictContent{}
		for i, n := range m.names {
			c.put(Str(n), fromInt(m.sizes[i]))
		}
		return &Dict{cell: &Cell{v: c}}
	case "size":
		n := N(1)
		for _, s := range m.sizes {
			n = n.Mul(s)
		}
		return fromInt(n)
	}
	return Unknown
}

// parts is into how many parts a dimension is split, nil where that is not known.
func (m *devices) parts(dim Value) *Int {
	switch d := dim.(type) {
	case None:
		return N(1)
	case Str:
		if m != nil {
			return m.size(string(d))
		}
	case *Tuple:
		if d.Rest != nil {
			return nil
		}
		n := N(1)
		for _, e := range elems(d) {
			if n = n.Mul(m.parts(e)); n == nil {
				return nil
			}
		}
		return n
	}
	return nil
}

// shard are the arguments or results of a function in shard_map: each array with the shape that one device sees, or, joined, with that of all
// of them (jax/_src/shard_map.py _shard_aval, _unshard_aval).
func (ip *interp) shard(v, spec Value, m *devices, joined bool) Value {
	spec = ip.resolve(spec)
	if p, ok := spec.(*partition); ok {
		return ip.mapTree(v, func(v Value) Value { return ip.shardLeaf(v, p, m, joined) })
	}
	t, ok := v.(*Tuple)
	if below, known := Elements(spec); ok && known && t.Rest == nil && len(below) == len(elems(t)) {
		out := &Tuple{Class: t.Class, Names: t.Names}
		for i, e := range elems(t) {
			out.Head = append(out.Head, ip.shard(e, below[i], m, joined))
		}
		return out
	}
	return ip.mapTree(v, func(v Value) Value { return ip.shardLeaf(v, nil, m, joined) })
}

func (ip *interp) shardLeaf(v Value, p *partition, m *devices, joined bool) Value {
	a, ok := v.(*Array)
	switch v.(type) {
	case None, *Int, Str, Bool, Float:
		return v
	}
	if !ok {
		return Unknown
	}
	out := &Array{DType: a.DType, Weak: a.Weak, Traced: ip.kernel != nil, Outside: ip.kernel == nil}
	if p == nil || a.Shape.Dims == nil || len(p.dims) > len(a.Shape.Dims) {
		return out
	}
	out.Shape.Dims = append([]*Int{}, a.Shape.Dims...)
	for i, d := range p.dims {
		out.Shape.Dims[i] = scaled(a.Shape.Dims[i], m.parts(ip.resolve(d)), joined)
	}
	return out
}

// scaled is a dimension of one device's part, or of all parts together; nil: not known.
func scaled(dim, parts *Int, joined bool) *Int {
	switch k, known := parts.Known(); {
	case dim == nil || parts == nil:
		return nil
	case joined:
		return dim.Mul(parts)
	case parts.Is(1):
		return dim
	case known && !dim.divisible(k):
		return nil
	}
	return dim.FloorDiv(parts)
}

// shardMapped runs a function that shard_map wraps.
func (ip *interp) shardMapped(fr *frame, w *Wrapped, args Args, at *callSite) Value {
	m, _ := ip.resolve(orUnknown(w.Call.Arg("mesh"))).(*devices)
	specs := orUnknown(w.Call.Arg("in_specs"))
	list, known := Elements(specs)
	inner := make(Args, len(args))
	for i, a := range args {
		spec := specs
		if _, one := specs.(*partition); !one {
			spec = Unknown
			if known && i < len(list) && a.Star == 0 && a.Name == "" {
				spec = list[i]
			}
		}
		inner[i] = Arg{Name: a.Name, Star: a.Star, Loc: a.Loc, Value: ip.shard(a.Value, spec, m, false)}
	}
	out := ip.call(fr, w.Fn, inner, at)
	return ip.shard(out, orUnknown(w.Call.Arg("out_specs")), m, true)
}

// meshAxis is the size of an axis by the shard_map that the run is in; nil: not known.
func (ip *interp) meshAxis(name Value) *Int {
	for i := len(ip.transforms) - 1; i >= 0; i-- {
		switch t := ip.transforms[i]; t.Kind {
		case "shard_map":
			m, ok := ip.resolve(orUnknown(t.Call.Arg("mesh"))).(*devices)
			if !ok {
				return nil
			}
			if n := m.parts(name); n != nil {
				return n
			}
		case "vmap", "pmap":
			if t.Call == nil || t.Call.Open || t.Call.Arg("axis_name") != nil {
				return nil
			}
		}
	}
	return nil
}
