package infer

import (
	"bytes"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// X64 says whether 64-bit types are kept (jax_enable_x64), as opposed to narrowed to 32 bits.
type X64 uint8

// The states of jax_enable_x64. X64Off is also that of a file that says nothing of it.
const (
	X64Off X64 = iota
	X64On
	X64Unknown
)

// x64Flag names the flag, and stands for it where it is not known.
const x64Flag = "jax_enable_x64"

func init() {
	register(map[string]model{
		"jax.config.update":            configUpdate,
		"jax.config.read":              configRead,
		"jax.enable_x64":               enableX64,
		"jax.experimental.enable_x64":  enableX64,
		"jax.experimental.disable_x64": disableX64,
	})
}

// configUpdate models jax.config.update(name, value).
func configUpdate(ip *interp, _ *frame, c *Call) Value {
	name, known := orUnknown(c.Pos(0)).(Str)
	v := orUnknown(c.Pos(1))
	if on, ok := ip.truth(v); ok {
		v = Bool(on)
	}
	switch {
	case !known:
		ip.set(ip.x64, opaque(x64Flag))
	case name == x64Flag:
		ip.set(ip.x64, v)
	}
	return None{}
}

func configRead(ip *interp, _ *frame, c *Call) Value {
	if name, ok := orUnknown(c.Pos(0)).(Str); ok && name == x64Flag {
		return ip.x64Value()
	}
	return Unknown
}

// configMember is an attribute of jax.config.
func (ip *interp) configMember(a *API, name string) Value {
	switch name {
	case "update", "read":
		return &Method{a, name}
	case x64Flag, "x64_enabled":
		return ip.x64Value()
	}
	return opaque(a.Name + "." + name)
}

// x64Context is what jax.enable_x64(...) returns: the flag has a value inside `with`, and in a function that it decorates.
type x64Context struct{ on Value }

func enableX64(_ *interp, _ *frame, c *Call) Value {
	if len(c.Args) == 0 {
		return &x64Context{Bool(true)}
	}
	return &x64Context{orUnknown(c.Args[0].Value)}
}

func disableX64(*interp, *frame, *Call) Value { return &x64Context{Bool(false)} }

// enterX64 sets the flag for a `with` block; what it returns puts it back.
func (ip *interp) enterX64(c *x64Context) func() {
	was := ip.x64.v
	v := c.on
	if on, ok := ip.truth(v); ok {
		v = Bool(on)
	}
	ip.set(ip.x64, v)
	return func() { ip.set(ip.x64, was) }
}

// x64Value is the flag as Python reads it: unknown where the file does not say.
func (ip *interp) x64Value() Value {
	if b, ok := ip.x64.v.(Bool); ok {
		return b
	}
	return opaque(x64Flag)
}

// wide is the state of the flag. Where the file sets it in a way that can't be followed, it asks for a world of each kind.
func (ip *interp) wide() X64 {
	switch v := ip.x64.v.(type) {
	case Bool:
		return x64Of(bool(v))
	case nil:
		on, known := ip.decided(x64Flag)
		return x64Of(on && known)
	}
	if on, known := ip.decided(x64Flag); known {
		return x64Of(on)
	}
	t := ip.tests[x64Flag]
	if t == nil {
		t = &test{key: x64Flag, locs: map[parse.Loc]bool{}}
		ip.tests[x64Flag] = t
	}
	t.host, t.kernel, t.lossy = true, true, true
	return X64Unknown
}

// Index64 says how JAX made the index of a loop with 64-bit types: an int64 to JAX that Mosaic has as an int32.
type Index64 uint8

// The ways to make such an index. That of pl.loop is computed from another one before the body gets it.
const (
	IndexNot64 Index64 = iota
	IndexFori
	IndexLoop
)

func x64Of(on bool) X64 {
	if on {
		return X64On
	}
	return X64Off
}

// Canonical is the type that JAX makes of d; empty when that is not known.
func (x X64) Canonical(d jax.DType) jax.DType {
	switch narrow := d.Canonical(); {
	case narrow == d, x == X64On:
		return d
	case x == X64Off:
		return narrow
	}
	return ""
}

// canonical is the type that JAX makes of d here.
func (ip *interp) canonical(d jax.DType) jax.DType {
	if d == d.Canonical() {
		return d
	}
	return ip.wide().Canonical(d)
}

var widened = map[jax.DType]jax.DType{jax.Int32: jax.Int64, jax.Uint32: jax.Uint64, jax.Float32: jax.Float64, jax.Complex64: jax.Complex128}

// widest is the default type of a kind as JAX has it, d being the one without 64-bit types.
func (ip *interp) widest(d jax.DType) jax.DType {
	if w, ok := widened[d]; ok {
		return ip.canonical(w)
	}
	return d
}

// asOperand is toArray for JAX's operations: Python's numbers have the default types.
func (ip *interp) asOperand(v Value) (*Array, bool) {
	a, ok := toArray(v)
	if !ok || !isPython(v) || ip.wide() == X64Off {
		return a, ok
	}
	b := *a
	b.DType = ip.widest(a.DType)
	b.Weak = b.Weak && b.DType != ""
	return &b, true
}

// promote is jax.Promote with the flag as it is here.
func (ip *interp) promote(a, b jax.DType, weakA, weakB bool) (jax.DType, bool) {
	d, weak := jax.Promote(a, b, weakA, weakB)
	x := ip.wide()
	if x == X64Off {
		return d, weak
	}
	w, weakWide := jax.PromoteX64(a, b, weakA, weakB)
	if x == X64On || w == d && weak == weakWide {
		return w, weakWide
	}
	return "", false
}

// unsureX64 makes the flag unknown to what runs after the module body when a function that has not run by then sets it: whoever calls that one may
// call others after it.
func (ip *interp) unsureX64() {
	if !bytes.Contains(ip.main.file.Src, []byte(x64Flag)) {
		return
	}
	for _, f := range ip.roots() {
		if !ip.log.called[f.node()] && setsX64(f.Def) {
			ip.x64.v = opaque(x64Flag)
		}
	}
}

// setsX64: a call in the function names the flag.
func setsX64(n parse.Node) (found bool) {
	parse.Walk(n, func(n parse.Node) bool {
		call, ok := n.(*parse.Call)
		if ok && len(call.Args) > 1 {
			s, isStr := call.Args[0].Value.(*parse.Str)
			found = found || isStr && s.Value == x64Flag
		}
		return !found
	})
	return found
}

// x64Start is the flag as entries find it, to be compared.
func (ip *interp) x64Start() string {
	switch v := ip.x64.v.(type) {
	case nil:
		return ""
	case Bool:
		return valueKey(v)
	}
	return x64Flag
}
