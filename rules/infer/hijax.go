package infer

import "pallas-lsp/parse"

func init() {
	register(map[string]model{
		"jax.experimental.hijax.register_hitype": registerHiType,
		"jax.typeof":                             jaxTypeof,
	})
}

// registerHiType says that values of a class are of a hijax type, and how that type is made (jax/_src/hijax.py register_hitype).
func registerHiType(ip *interp, fr *frame, c *Call) Value {
	if cls, ok := c.get("val_cls", 0).(*Class); ok {
		cls.typeFn = orUnknown(c.get("typeof_fn", 1))
	}
	return None{}
}

// jaxTypeof is jax.typeof(x): the type of an array, or the hijax type of a value of a registered class.
func jaxTypeof(ip *interp, fr *frame, c *Call) Value {
	v := ip.resolve(orUnknown(c.Pos(0)))
	if inst, ok := v.(*Instance); ok && inst.Class != nil && inst.Class.typeFn != nil {
		return ip.call(fr, inst.Class.typeFn, Args{{Value: v}}, ip.at(c))
	}
	if shape, d, ok := typeOf(v); ok {
		return &ShapeStruct{Shape: shape, DType: d, Loc: c.Loc}
	}
	return Unknown
}

// isHiValue: a value of a class registered with hijax, which is one leaf to JAX whatever its fields are.
func isHiValue(v *Instance) bool {
	return v.Class != nil && (v.Class.HiType || v.Class.typeFn != nil)
}

// hiType is the class of the hijax type that a value is, or that it has; nil when it is not known.
func (ip *interp) hiType(v Value) *Class {
	inst, ok := v.(*Instance)
	if !ok || inst.Class == nil {
		c, _ := v.(*Class)
		return c
	}
	if inst.Class.HiType || inst.Class.typeFn == nil {
		return inst.Class
	}
	ty, _ := ip.call(&frame{env: ip.main.env, mark: len(ip.journal)}, inst.Class.typeFn, Args{{Value: v}}, &callSite{}).(*Instance)
	if ty == nil {
		return nil
	}
	return ty.Class
}

// Lacks reports whether instances of the class certainly have no such attribute. What HiType itself defines does not count.
func (c *Class) Lacks(name string) bool {
	if c.lookup(name) != nil || len(c.above) == maxAncestors {
		return false
	}
	for _, a := range append([]*Class{c}, c.above...) {
		for _, b := range a.Bases {
			if _, ours := b.(*Class); !ours && !isHiType(b) {
				return false
			}
		}
	}
	return true
}

func isHiType(v Value) bool {
	a, ok := v.(*API)
	return ok && a.Name == "jax.experimental.hijax.HiType"
}

// Loc is where the class is defined: its name.
func (c *Class) Loc() parse.Loc {
	if c.Def == nil {
		return parse.Loc{}
	}
	return parse.Loc{Chunk: c.Chunk, Span: c.Def.NameSpan}
}
