package infer

import (
	"reflect"
	"strings"

	"pallas-lsp/parse"
)

// likeness compares values of two runs. Values are alike when nothing that reads them could tell them apart; names that functions read when
// they are called count as their own.
type likeness struct {
	seen map[[2]uintptr]bool // pairs of pointers that are being compared, or were found alike
	left int                 // what may still be compared
}

// maxLikeness bounds the parts of two values that are compared; larger values count as different.
const maxLikeness = 20_000

func (l *likeness) values(a, b Value) bool {
	if same, plain := plainlySame(a, b); plain {
		return same
	}
	l.seen, l.left = map[[2]uintptr]bool{}, maxLikeness
	return l.same(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
}

func (l *likeness) lists(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !l.values(a[i], b[i]) {
			return false
		}
	}
	return true
}

// plainlySame decides for the values that most names of a module have.
func plainlySame(a, b Value) (same, plain bool) {
	switch a := a.(type) {
	case nil:
		return b == nil, true
	case *Func:
		b, ok := b.(*Func)
		if !ok || a.Chunk != b.Chunk || a.node() != b.node() {
			return false, true
		}
		return true, a.Class == nil && b.Class == nil && len(a.defaults)+len(b.defaults) == 0 && a.env == a.env.mod.env && b.env == b.env.mod.env &&
			a.env.mod.file.Path == b.env.mod.file.Path && isUncalled(a) == isUncalled(b)
	case *API:
		b, ok := b.(*API)
		return ok && a.Name == b.Name && a.Obj == b.Obj, true
	case *Module:
		b, ok := b.(*Module)
		return ok && a.Name == b.Name && a.mod.same(b.mod), true
	case Str, Bool, Float, Complex, None:
		return a == b, true
	}
	return false, false
}

func isUncalled(f *Func) bool { return f.called == nil || f.called.v == nil }

func (m *module) same(other *module) bool {
	if m == nil || other == nil {
		return m == other
	}
	return m.file.Path == other.file.Path
}

var (
	typeOfCell   = reflect.TypeFor[Cell]()
	typeOfEnv    = reflect.TypeFor[*env]()
	typeOfModule = reflect.TypeFor[*module]()
)

// fixed are the types whose values are the same only when they are one object: what comes from the text, and what JAX's data hold.
func fixed(t reflect.Type) bool {
	pkg := t.PkgPath()
	return pkg == reflect.TypeFor[parse.Chunk]().PkgPath() || strings.HasSuffix(pkg, "/rules/jax")
}

func (l *likeness) same(a, b reflect.Value) bool {
	if l.left--; l.left < 0 || a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && l.same(a.Elem(), b.Elem())
	case reflect.Pointer:
		return l.pointers(a, b)
	case reflect.Struct:
		if a.Type() == typeOfCell { // the rest of a cell is bookkeeping
			return l.same(a.FieldByName("v"), b.FieldByName("v"))
		}
		for i := range a.NumField() {
			if !l.same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !l.same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return l.maps(a, b)
	case reflect.Func:
		return a.IsNil() && b.IsNil()
	default:
		return a.Equal(b)
	}
}

func (l *likeness) pointers(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() || a.Pointer() == b.Pointer() {
		return a.Pointer() == b.Pointer()
	}
	if fixed(a.Type().Elem()) {
		return false
	}
	pair := [2]uintptr{a.Pointer(), b.Pointer()}
	if l.seen[pair] {
		return true
	}
	l.seen[pair] = true
	switch a.Type() {
	case typeOfModule:
		return l.same(a.Elem().FieldByName("file").Elem().FieldByName("Path"), b.Elem().FieldByName("file").Elem().FieldByName("Path"))
	case typeOfEnv:
		return l.envs(a, b)
	}
	return l.same(a.Elem(), b.Elem())
}

// envs: the environment of a module is the same as that of another version; what is read there is compared by name.
func (l *likeness) envs(a, b reflect.Value) bool {
	isModules := func(e reflect.Value) bool {
		return e.Elem().FieldByName("mod").Elem().FieldByName("env").Pointer() == e.Pointer()
	}
	if isModules(a) != isModules(b) {
		return false
	}
	if isModules(a) {
		return l.same(a.Elem().FieldByName("mod"), b.Elem().FieldByName("mod"))
	}
	return l.same(a.Elem(), b.Elem())
}

// maps: keys that are pointers are compared as such.
func (l *likeness) maps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for it := a.MapRange(); it.Next(); {
		other := b.MapIndex(it.Key())
		if !other.IsValid() || !l.same(it.Value(), other) {
			return false
		}
	}
	return true
}
