package infer

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
