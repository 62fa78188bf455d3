package infer

import (
	"math"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

func (ip *interp) attrExpr(fr *frame, x *parse.Attr) Value {
	v := ip.eval(fr, x.X)
	return ip.attr(fr, v, x.Name, fr.loc(x))
}

// attr is v.name. loc is where it is written, for what is recorded of names of JAX.
func (ip *interp) attr(fr *frame, v Value, name string, loc parse.Loc) Value {
	switch v := v.(type) {
	case *Opaque:
		if eq := ip.resolve(v); eq != Value(v) {
			return ip.attr(fr, eq, name, loc)
		}
		if v.Key == "" {
			return Unknown
		}
		return ip.hardware(v.Key + "." + name)
	case *Module:
		return ip.moduleMember(fr, v, name, loc)
	case *API:
		return ip.apiMember(v, name, loc)
	case *Instance:
		return ip.instanceAttr(fr, v, name)
	case *Class:
		return ip.classAttr(v, name)
	case *superOf:
		for _, b := range v.class.Bases {
			if c, ok := b.(*Class); ok {
				if m := c.lookup(name); m != nil {
					return ip.bindMethod(fr, v.self, m, name)
				}
			}
		}
		if name == "__setattr__" {
			return &Bound{Fn: &API{Name: "builtins.object.__setattr__"}, Self: v.self, Name: name}
		}
	case *Method: // x.at[...].set
		if a, ok := v.Self.(*Array); ok && v.Name == "at[]" {
			return &Method{a, "at." + name}
		}
		return Unknown
	case *Ref:
		return ip.refAttr(v, name)
	case *Array:
		return ip.arrayAttr(v, name)
	case *ShapeStruct:
		return ip.structAttr(v, name)
	case DTypeVal:
		return dtypeAttr(v, name)
	case *Tuple:
		for i, n := range v.Names {
			if n == name && i < len(v.Head) {
				return v.Head[i]
			}
		}
		if v.Class != nil {
			if m := v.Class.lookup(name); m != nil {
				return ip.bindMethod(fr, v, m, name)
			}
		}
		return &Method{v, name}
	case *Union: // None has no attributes of interest: where the access does not raise, v is another one
		return each(someOf(v), func(a Value) Value { return ip.attr(fr, a, name, loc) })
	case *Homogeneous:
		return v
	case *treeDef:
		return &treeMethod{v, name}
	case *Params:
		return orUnknown(v.Call.Arg(name))
	case *BlockSpec:
		return blockSpecAttr(v, name)
	case *MemSpec:
		return memSpecAttr(v, name)
	case *SpaceVal:
		if name == "name" || name == "value" {
			return Unknown
		}
		return &Method{v, name}
	case *Partial:
		switch name {
		case "func":
			return v.Fn
		}
		return Unknown
	case *Func:
		if name == "__name__" {
			return Str(v.Name)
		}
		return &Method{v, name}
	case *Wrapped, *PallasFn, *List, *Dict, Str, *Desc, *Mesh, *SliceVal, *Dynamic, *Iter, *Int, Float, *Bound, *GridSpec:
		return ip.builtinAttr(v, name)
	}
	return Unknown
}

func (ip *interp) builtinAttr(v Value, name string) Value {
	switch v := v.(type) {
	case *Mesh:
		return meshAttr(v, name)
	case *devices:
		return v.attr(name)
	case *GridSpec:
		if f, ok := v.fields[name]; ok {
			return f
		}
		return Unknown
	case *SliceVal:
		switch name {
		case "start":
			return orNone(v.Lo)
		case "stop":
			return orNone(v.Hi)
		case "step":
			return orNone(v.Step)
		}
	case *Dynamic:
		switch name {
		case "start":
			return v.Start
		case "size":
			return v.Size
		}
	}
	return &Method{v, name}
}

func orNone(v Value) Value {
	if v == nil {
		return None{}
	}
	return v
}

func (ip *interp) moduleMember(fr *frame, m *Module, name string, loc parse.Loc) Value {
	if m.mod == nil {
		if !knownExternal(m.Name) {
			if f := ip.resolveFile(fr, m.Name+"."+name, 0); f != nil {
				x := ip.loadModule(f, m.Name+"."+name)
				ip.runModule(x)
				return &Module{Name: m.Name + "." + name, mod: x}
			}
			if v := ip.handedOn(fr, m.Name, 0, name); v != nil {
				return v
			}
		}
		return ip.external(m.Name, name, loc)
	}
	if v := ip.moduleAttr(m.mod, name); v != nil {
		return v
	}
	if !strings.HasSuffix(m.mod.file.Path, "__init__.py") {
		return Unknown
	}
	if f := ip.importFile(m.mod.file.Path, name, 1); f != nil {
		x := ip.loadModule(f, m.Name+"."+name)
		ip.runModule(x)
		return &Module{Name: m.Name + "." + name, mod: x}
	}
	return Unknown
}

// external is a name of a module outside the workspace.
func (ip *interp) external(module, name string, loc parse.Loc) Value {
	if !strings.HasPrefix(module, "jax.") && module != "jax" {
		return ip.standard(module + "." + name)
	}
	f, asked := ip.members[member{module, name}]
	if !asked {
		f = ip.findMember(module + "." + name)
		ip.members[member{module, name}] = f
	}
	if loc.Valid() {
		ip.noteName(f, loc)
	}
	if f.obj == nil {
		ip.missing++
	}
	return f.value
}

// member is a name of one of JAX's modules, and found what the release has there.
type member struct{ module, name string }

type found struct {
	full  string
	obj   *jax.Object // nil: nothing
	value Value
}

func (ip *interp) findMember(full string) found {
	obj, ok := ip.rel.Lookup(full)
	if !ok {
		return found{full, nil, opaque(full)}
	}
	return found{full, obj, ip.apiValue(obj, full)}
}

// noteName notes the use of a name, once for each place.
func (ip *interp) noteName(f found, loc parse.Loc) {
	ip.reach(loc)
	guarded := ip.guarded > 0
	if was := ip.world.named[loc]; was != nil && was.Name == f.full && was.Guarded == guarded {
		return
	}
	use := &NameUse{Name: f.full, Obj: f.obj, Loc: loc, Guarded: guarded}
	if f.obj == nil {
		use.Absence, use.Missing = ip.rel.Missing(f.full)
	}
	ip.world.Names = append(ip.world.Names, use)
	ip.world.named[loc] = use
}

func (ip *interp) apiMember(a *API, name string, loc parse.Loc) Value {
	if a.Name == "jax.config" {
		return ip.configMember(a, name)
	}
	if strings.HasPrefix(a.Name, "jax.") {
		full := a.Name + "." + name
		if obj, ok := ip.rel.Lookup(full); ok {
			if loc.Valid() {
				ip.noteName(found{full: full, obj: obj}, loc)
			}
			return ip.apiValue(obj, full)
		}
		return &Method{a, name}
	}
	return ip.standard(a.Name + "." + name)
}

// apiValue is the value that a name of JAX stands for.
func (ip *interp) apiValue(obj *jax.Object, dotted string) Value {
	name := obj.Canonical
	if obj.Module {
		return &Module{Name: dotted}
	}
	if s := obj.Space(); s != 0 {
		return &SpaceVal{Space: s, Name: dotted}
	}
	if d := obj.DType(); d != "" && obj.Kind == jax.KindDType {
		return DTypeVal{d}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case strings.HasPrefix(name, "jax.numpy."):
		if v, ok := numericConstant(last); ok {
			return v
		}
	}
	return &API{Name: name, Obj: obj}
}

func numericConstant(name string) (Value, bool) {
	switch name {
	case "inf":
		return Float(math.Inf(1)), true
	case "pi":
		return Float(math.Pi), true
	case "e":
		return Float(math.E), true
	case "nan":
		return Float(math.NaN()), true
	case "newaxis":
		return None{}, true
	}
	return nil, false
}

func cutLast(dotted string) (before, last string, ok bool) {
	i := strings.LastIndexByte(dotted, '.')
	if i < 0 {
		return "", dotted, false
	}
	return dotted[:i], dotted[i+1:], true
}

// standard is a name of the standard library or of numpy.
func (ip *interp) standard(full string) Value {
	if rest, ok := strings.CutPrefix(full, "numpy."); ok {
		if d, ok := jax.ParseDType(rest); ok && !strings.Contains(rest, ".") {
			return DTypeVal{d}
		}
		if v, ok := numericConstant(rest); ok {
			return v
		}
		return &API{Name: full}
	}
	if rest, ok := strings.CutPrefix(full, "math."); ok {
		if v, ok := numericConstant(rest); ok {
			return v
		}
	}
	if rest, ok := strings.CutPrefix(full, "ml_dtypes."); ok {
		if d, ok := jax.ParseDType(rest); ok {
			return DTypeVal{d}
		}
	}
	if _, ok := apis[full]; ok {
		return &API{Name: full}
	}
	first, _, _ := strings.Cut(full, ".")
	switch first {
	case "functools", "math", "typing", "dataclasses", "itertools", "collections", "enum", "operator", "contextlib", "typing_extensions", "abc":
		return &API{Name: full}
	}
	return opaque(full)
}

func (ip *interp) setAttr(fr *frame, t *parse.Attr, obj, v Value) {
	switch o := obj.(type) {
	case *Instance:
		ip.set(o.cell(t.Name), v)
	case *Class:
		ip.bind(o.attrs, t.Name, v)
	case *Union:
		for _, a := range o.Alts {
			if i, ok := a.(*Instance); ok {
				c := i.cell(t.Name)
				ip.set(c, join(c.v, v))
			}
		}
	case *BlockSpec, *GridSpec:
		ip.setSpecAttr(o, t.Name, v)
	default:
		if ip.kernel != nil {
			ip.escape(v, 0)
		}
	}
}

func (i *Instance) cell(name string) *Cell {
	c := i.fields[name]
	if c == nil {
		c = &Cell{}
		i.fields[name] = c
	}
	return c
}

func (ip *interp) instanceAttr(fr *frame, o *Instance, name string) Value {
	if c := o.fields[name]; c != nil && c.v != nil {
		return c.v
	}
	if name == "__class__" {
		return o.Class
	}
	if m := o.Class.lookup(name); m != nil {
		return ip.bindMethod(fr, o, m, name)
	}
	if m, ok := o.Class.lookup("__getattr__").(*Func); ok && !strings.HasPrefix(name, "__") {
		return ip.callFunc(m, Args{{Value: o}, {Value: Str(name)}}, nil)
	}
	if o.Key != "" {
		return opaque(o.Key + "." + name)
	}
	if o.Class.external() || o.Open {
		return &Method{o, name}
	}
	return Unknown
}

// bindMethod makes a method of a function found in a class, runs a property.
func (ip *interp) bindMethod(fr *frame, self, m Value, name string) Value {
	switch f := m.(type) {
	case *Func, *Partial, *Union, *API:
		return &Bound{Fn: f, Self: self, Name: name}
	case *Wrapped:
		switch f.Kind {
		case "property":
			return ip.call(fr, f.Fn, Args{{Value: self}}, &callSite{})
		case "staticmethod":
			return f.Fn
		case "classmethod":
			return &Bound{Fn: f.Fn, Self: classOf(self), Name: name}
		}
		return &Bound{Fn: f, Self: self, Name: name}
	}
	return m
}

func classOf(v Value) Value {
	switch v := v.(type) {
	case *Instance:
		return v.Class
	case *Tuple:
		if v.Class != nil {
			return v.Class
		}
	}
	return Unknown
}

func (ip *interp) classAttr(c *Class, name string) Value {
	if name == "__name__" {
		return Str(c.Name)
	}
	m := c.lookup(name)
	if w, ok := m.(*Wrapped); ok {
		switch w.Kind {
		case "staticmethod":
			return w.Fn
		case "classmethod":
			return &Bound{Fn: w.Fn, Self: c, Name: name}
		}
	}
	if m != nil {
		return m
	}
	if name == "_make" || name == "_fields" {
		return &Method{c, name}
	}
	return Unknown
}

func (ip *interp) structAttr(v *ShapeStruct, name string) Value {
	switch name {
	case "shape":
		return shapeValue(v.Shape)
	case "dtype":
		return dtypeValue(v.DType)
	case "ndim":
		if n, ok := v.Shape.Rank(); ok {
			return N(int64(n))
		}
	case "size":
		return sizeValue(v.Shape)
	case "update":
		return &Method{v, name}
	}
	return Unknown
}

func dtypeValue(d jax.DType) Value {
	if d == "" {
		return Unknown
	}
	return DTypeVal{d}
}

// shapeValue is a shape as the tuple that Python sees.
func shapeValue(s Shape) Value {
	if s.Dims == nil {
		return opaque(s.Key)
	}
	t := &Tuple{Head: make([]Value, len(s.Dims))}
	for i, d := range s.Dims {
		t.Head[i] = dimValue(d)
	}
	return t
}

func dimValue(d *Int) Value {
	if d == nil {
		return Unknown
	}
	return d
}

func sizeValue(s Shape) Value {
	if s.Dims == nil {
		return Unknown
	}
	n := N(1)
	for _, d := range s.Dims {
		n = n.Mul(d)
	}
	if n == nil {
		return Unknown
	}
	return n
}

// shapeOf reads a value as a shape argument: a tuple of ints, an int, or something of which only the identity is known.
func (ip *interp) shapeOf(v Value) Shape {
	v = ip.resolve(v)
	switch v := v.(type) {
	case *Tuple:
		return tupleShape(v)
	case *List:
		if t, ok := v.cell.v.(*Tuple); ok {
			return tupleShape(t)
		}
	case *Int:
		return Shape{Dims: []*Int{v}}
	case *Opaque:
		if n, ok := ip.ranks[v.Key]; ok && v.Key != "" {
			s := Shape{Dims: make([]*Int, n)}
			for i := range s.Dims {
				s.Dims[i] = atom(v.Key + "[" + itoa(i) + "]")
			}
			return s
		}
		return Shape{Key: v.Key}
	case *Union:
		out := ip.shapeOf(v.Alts[0])
		for _, a := range v.Alts[1:] {
			out = joinShapes(out, ip.shapeOf(a))
		}
		return out
	}
	return Shape{}
}

func tupleShape(t *Tuple) Shape {
	if t.Rest != nil {
		return Shape{}
	}
	items := elems(t)
	s := Shape{Dims: make([]*Int, len(items))}
	for i, e := range items {
		s.Dims[i] = asInt(e)
	}
	return s
}

// dtypeOf reads a value as a dtype: a dtype object, a scalar type, a name, Python's own types.
func (ip *interp) dtypeOf(v Value) (jax.DType, bool) {
	switch v := ip.resolve(v).(type) {
	case DTypeVal:
		return v.DType, v.DType != ""
	case Str:
		return jax.ParseDType(string(v))
	case *API:
		switch v.Name {
		case "builtins.int":
			return jax.Int32, true
		case "builtins.float":
			return jax.Float32, true
		case "builtins.bool":
			return jax.Bool, true
		}
		if s, ok := semaphoreType(v.Name); ok {
			return s, true
		}
	}
	return "", false
}

func dtypeAttr(v DTypeVal, name string) Value {
	switch name {
	case "dtype":
		return v
	case "itemsize":
		if b := v.DType.Bits(); b >= 8 {
			return N(int64(b / 8))
		} else if b > 0 {
			return N(1)
		}
	case "name", "__name__":
		return Str(string(v.DType))
	case "type":
		return v
	}
	return Unknown
}
