package infer

import (
	"slices"

	"pallas-lsp/parse"
)

func (ip *interp) classDef(fr *frame, s *parse.ClassDef) Value {
	c := &Class{Name: s.Name, Def: s, Chunk: fr.chunk}
	for _, b := range s.Bases {
		v := ip.eval(fr, b.Value)
		if b.Name == "" {
			c.Bases = append(c.Bases, v)
		}
	}
	c.inherit()
	c.attrs = newEnv(fr.env, fr.env.mod, s.Scope)
	c.attrs.class = true
	inner := &frame{env: c.attrs, chunk: fr.chunk, mark: len(ip.journal)}
	ip.block(inner, s.Body)
	c.collectFields(ip, inner, s)
	for _, cell := range c.attrs.vars {
		if f, ok := cell.v.(*Func); ok && f.Class == nil {
			f.Class = c
		}
	}
	for _, f := range ip.hidden {
		if f.env == c.attrs && f.Class == nil {
			f.Class = c
		}
	}
	if c.Enum {
		c.enumMembers(ip, s)
	}
	v := ip.decorate(fr, s.Decorators, c)
	if isOpaque(v) { // what is not known returns the class nearly always; how its instances are made it may change
		c.remade = true
		return c
	}
	return v
}

// inherit takes over what the bases say of the kind of class, and where its attributes are looked up.
func (c *Class) inherit() {
	for _, b := range c.Bases {
		switch b := b.(type) {
		case *Class:
			c.HiType = c.HiType || b.HiType
			c.Enum = c.Enum || b.Enum
			c.NamedTup = c.NamedTup || b.NamedTup
			c.open = c.open || b.open
			if b.Dataclass || b.NamedTup {
				c.Fields = withFields(c.Fields, b.Fields)
			}
			c.climb(b)
		case *API:
			c.open = c.open || !closedBases[b.Name]
			switch b.Name {
			case "typing.NamedTuple":
				c.NamedTup = true
			case "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag":
				c.Enum = true
			case "jax.experimental.hijax.HiType":
				c.HiType = true
			}
		default:
			c.open = true
		}
	}
}

// closedBases are the foreign classes that have no attributes that matter.
var closedBases = map[string]bool{"typing.NamedTuple": true, "enum.Enum": true, "enum.IntEnum": true, "typing.Protocol": true, "abc.ABC": true,
	"typing.Generic": true, "builtins.object": true}

// maxAncestors bounds the classes above one; with more, what is further up is not known.
const maxAncestors = 256

// climb adds a base and what is above it, each once: on the way through the bases, classes that share theirs would be met as often
// as there are ways to them.
func (c *Class) climb(base *Class) {
	for _, a := range append([]*Class{base}, base.above...) {
		switch {
		case slices.Contains(c.above, a):
		case len(c.above) == maxAncestors:
			c.open = true
			return
		default:
			c.above = append(c.above, a)
		}
	}
}

func (c *Class) collectFields(ip *interp, fr *frame, s *parse.ClassDef) {
	var own []Field
	for _, st := range s.Body {
		a, ok := st.(*parse.AnnAssign)
		if !ok {
			continue
		}
		n, ok := a.Target.(*parse.Name)
		if !ok {
			continue
		}
		f := Field{Name: n.ID}
		if a.Value != nil {
			f.Default = orUnknown(c.own(n.ID)) // it may be a global
			f.Static = isStatic(f.Default)
		}
		own = append(own, f)
	}
	c.Fields = withFields(c.Fields, own)
}

// isStatic: the field is marked as none of the data of a pytree (jax/_src/tree_util.py register_dataclass).
func isStatic(v Value) bool {
	w, ok := v.(*Wrapped)
	if !ok || w.Kind != "field" {
		return false
	}
	d, ok := w.Call.Arg("metadata").(*Dict)
	if !ok {
		return false
	}
	keys, vals, _ := d.Items()
	for i, k := range keys {
		if k == Value(Str("static")) {
			b, known := vals[i].(Bool)
			return !known || bool(b)
		}
	}
	return false
}

// withFields adds fields, each in the place of an older one of its name.
func withFields(old, more []Field) []Field {
	out := slices.Clone(old)
	at := make(map[string]int, len(old)+len(more))
	for i, f := range old {
		at[f.Name] = i
	}
	for _, f := range more {
		if i, ok := at[f.Name]; ok {
			out[i] = f
			continue
		}
		at[f.Name] = len(out)
		out = append(out, f)
	}
	return out
}

func (c *Class) enumMembers(ip *interp, s *parse.ClassDef) {
	for _, st := range s.Body {
		a, ok := st.(*parse.Assign)
		if !ok || len(a.Targets) != 1 {
			continue
		}
		if n, ok := a.Targets[0].(*parse.Name); ok {
			m := &Instance{Class: c, fields: map[string]*Cell{"name": {v: Str(n.ID)}, "value": {v: orUnknown(c.own(n.ID))}}}
			ip.set(c.attrs.cell(n.ID), m)
		}
	}
}

// lookup finds an attribute in the class and its bases, nil when there is none.
func (c *Class) lookup(name string) Value {
	if v := c.own(name); v != nil {
		return v
	}
	for _, b := range c.above {
		if v := b.own(name); v != nil {
			return v
		}
	}
	return nil
}

// own is an attribute of the class itself, nil when it has none of that name.
func (c *Class) own(name string) Value {
	if cell := c.attrs.vars[name]; cell != nil {
		return cell.v
	}
	return nil
}

func (c *Class) has(name string) bool { return c.lookup(name) != nil || c.external() }

// external: some base is not known, so attributes that are not found may still exist.
func (c *Class) external() bool { return c.open }

// isA reports whether the class is or derives from other.
func (c *Class) isA(other *Class) bool { return c == other || slices.Contains(c.above, other) }

// byValue: objects of the class are equal when their fields are.
func (c *Class) byValue() bool {
	if c == nil || !c.Dataclass || c.identity || c.isRemade() || c.external() || c.lookup("__eq__") != nil {
		return false
	}
	return !slices.ContainsFunc(c.Fields, func(f Field) bool {
		w, ok := f.Default.(*Wrapped)
		return ok && w.Kind == "field" && w.Call.Arg("compare") != nil
	})
}

// isRemade: the class or one that it derives from went through a decorator that is not known.
func (c *Class) isRemade() bool {
	return c.remade || slices.ContainsFunc(c.above, func(a *Class) bool { return a.remade })
}

func (ip *interp) instantiate(fr *frame, c *Class, args Args, at *callSite) Value {
	if c.NamedTup {
		return ip.namedTuple(c, args, at)
	}
	if c.Enum {
		return Unknown
	}
	o := &Instance{Class: c, fields: map[string]*Cell{}}
	if c.isRemade() {
		o.Open = true
		for _, a := range args {
			ip.escape(a.Value, 0)
		}
		return o
	}
	switch init := c.lookup("__init__").(type) {
	case *Func:
		ip.callFunc(init, append(Args{{Value: o}}, args...), at)
	default:
		if c.Dataclass {
			ip.initFields(fr, o, c, args, at)
			break
		}
		o.Open = c.external() || len(args) > 0
		for _, a := range args {
			ip.escape(a.Value, 0)
		}
	}
	return o
}

// initFields is the __init__ that dataclasses make.
func (ip *interp) initFields(fr *frame, o *Instance, c *Class, args Args, at *callSite) {
	values, ok := ip.fieldValues(fr, c, args)
	o.Open = !ok
	for i, f := range c.Fields {
		ip.set(o.cell(f.Name), values[i])
	}
	if post, ok := c.lookup("__post_init__").(*Func); ok {
		ip.callFunc(post, Args{{Value: o}}, at)
	}
}

// fieldValues distributes arguments over the fields; ok is false when some could not be placed.
func (ip *interp) fieldValues(fr *frame, c *Class, args Args) ([]Value, bool) {
	out := make([]Value, len(c.Fields))
	ok := true
	i := 0
	var repeat Value
	for _, a := range args {
		switch {
		case a.Star == 1:
			repeat = a.Value
		case a.Star == 2:
			ok = false
		case a.Name != "":
			found := false
			for k, f := range c.Fields {
				if f.Name == a.Name {
					out[k], found = a.Value, true
				}
			}
			ok = ok && found
		case repeat != nil:
			ok = false
		case i < len(out):
			out[i] = a.Value
			i++
		default:
			ok = false
		}
	}
	for k, f := range c.Fields {
		if out[k] != nil {
			continue
		}
		switch {
		case repeat != nil && k >= i:
			out[k] = repeat
		case !ok || f.Default == nil:
			out[k] = Unknown
		default:
			out[k] = ip.fieldDefault(fr, f.Default)
		}
	}
	return out, ok
}

// fieldDefault is the value of a default, which may be dataclasses.field(...).
func (ip *interp) fieldDefault(fr *frame, v Value) Value {
	w, ok := v.(*Wrapped)
	if !ok || w.Kind != "field" {
		return v
	}
	if d := w.Call.Arg("default"); d != nil {
		return d
	}
	if f := w.Call.Arg("default_factory"); f != nil {
		return ip.call(fr, f, nil, &callSite{})
	}
	return Unknown
}

func (ip *interp) namedTuple(c *Class, args Args, at *callSite) Value {
	values, ok := ip.fieldValues(nil, c, args)
	if !ok {
		for i := range values {
			values[i] = Unknown
		}
	}
	names := make([]string, len(c.Fields))
	for i, f := range c.Fields {
		names[i] = f.Name
	}
	t := &Tuple{Head: values, Class: c, Names: names}
	if at != nil {
		t.Loc = at.loc
	}
	return t
}

// super is super().name inside a method: an object whose attributes are looked up in the bases.
func (ip *interp) super(fr *frame, args Args) Value {
	if fr.fn == nil || fr.fn.Class == nil || len(fr.fn.Params) == 0 {
		return Unknown
	}
	self := ip.lookup(fr.env, fr.fn.Params[0].Name)
	return &superOf{fr.fn.Class, self}
}

type superOf struct {
	class *Class
	self  Value
}

// isInstance decides isinstance(v, class) where it can.
func (ip *interp) isInstance(v, class Value) (known, is bool) {
	if t, ok := class.(*Tuple); ok {
		known = t.Rest == nil
		for _, c := range elems(t) {
			k, m := ip.isInstance(v, c)
			if k && m {
				return true, true
			}
			known = known && k
		}
		return known, false
	}
	switch v := v.(type) {
	case *Instance:
		if c, ok := class.(*Class); ok {
			if v.Class.isA(c) {
				return true, true
			}
			return !v.Class.external(), false
		}
		return false, false
	case *Opaque, *Union:
		return false, false
	}
	api, ok := class.(*API)
	if !ok {
		if c, isClass := class.(*Class); isClass {
			if t, isTuple := v.(*Tuple); isTuple && t.Class != nil {
				is := t.Class.isA(c)
				return is || !t.Class.external(), is
			}
			return true, false
		}
		return false, false
	}
	return instanceOfBuiltin(v, api.Name)
}

func instanceOfBuiltin(v Value, name string) (known, is bool) {
	switch v.(type) {
	case *Int:
		return oneOf(name, "builtins.int", "builtins.int")
	case Bool:
		return oneOf(name, "builtins.bool", "builtins.int")
	case Float:
		return oneOf(name, "builtins.float", "builtins.float")
	case Str:
		return oneOf(name, "builtins.str", "builtins.str")
	case *Tuple:
		return oneOf(name, "builtins.tuple", "collections.abc.Sequence")
	case *List:
		return oneOf(name, "builtins.list", "collections.abc.Sequence")
	case *Dict:
		return oneOf(name, "builtins.dict", "collections.abc.Mapping")
	case *BlockSpec:
		return oneOf(name, "jax.experimental.pallas.BlockSpec", "jax.experimental.pallas.BlockSpec")
	case *SliceVal:
		return oneOf(name, "builtins.slice", "builtins.slice")
	case None:
		return oneOf(name, "types.NoneType", "types.NoneType")
	case *Func, *Partial, *Bound:
		return oneOf(name, "collections.abc.Callable", "typing.Callable")
	case *Array:
		switch name {
		case "jax.Array":
			return true, true
		case "builtins.int", "builtins.float", "builtins.str", "builtins.tuple", "builtins.list", "builtins.dict", "builtins.bool":
			return true, false
		}
	}
	return false, false
}

// oneOf: the builtin classes are all known, so a class that is none of the value's is not its class.
func oneOf(name string, classes ...string) (known, is bool) {
	for _, c := range classes {
		if c == name {
			return true, true
		}
	}
	switch name {
	case "builtins.int", "builtins.bool", "builtins.float", "builtins.str", "builtins.tuple", "builtins.list", "builtins.dict", "builtins.slice",
		"jax.experimental.pallas.BlockSpec", "jax.Array", "types.NoneType", "jax.ShapeDtypeStruct":
		return true, false
	}
	return false, false
}
