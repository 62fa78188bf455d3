package trace

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// storeShape models the shape check of jax/_src/state/primitives.py _swap_abstract_eval.
var storeShape = &rule.Rule{
	Name:    "store-shape-mismatch",
	Follows: true,
	Page:    page("store_shape.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		r, as := ref(x), arrays(x)
		if r == nil || len(as) == 0 {
			return
		}
		p.Report(x.Loc, "a value of shape %s is stored where `%s` selects %s; a store does not broadcast", as[0].Shape, r.Name, x.Detail).
			Says("ValueError: Invalid shape for `swap`. Ref shape: %s. Expected shape: %s. Value shape: %s.", r.View, x.Detail, as[0].Shape).Because(r.Why).
			Offer(fill(p, x, as[0]))
	}, "store-shape"),
}

// storeDType models the dtype check of jax/_src/state/primitives.py _swap_abstract_eval, after _maybe_implicit_cast.
var storeDType = &rule.Rule{
	Name:    "store-dtype-mismatch",
	Follows: true,
	Page:    page("store_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Core.IsGPU() {
			return
		}
		for _, e := range k.Stores() {
			r := e.Refs[0]
			v, ok := otherType(e.Value, r.Type, k.X64)
			if !ok || e.Via != "indexing" || r.High {
				continue
			}
			d := p.Report(e.Loc, "a value of dtype %s is stored into `%s`, which is %s; a store does not convert", v, r.Name, r.Type).
				Says("ValueError: Invalid dtype for `swap`. Ref dtype: %s. Value dtype: %s.", r.Type, v).Because(r.Why)
			if _, isArray := e.Value.(*infer.Array); isArray && e.Aug == "" {
				d.Offer(cast(p, e, r))
			}
		}
	},
}

// otherType is the dtype of a value that certainly has another one than the ref and that JAX does not convert by itself: integers it
// converts to integers, and what was computed of Python's floats alone to floats.
func otherType(v infer.Value, to jax.DType, x64 infer.X64) (jax.DType, bool) {
	var from jax.DType
	weak := false
	switch v := v.(type) {
	case *infer.Array:
		if v.NumPy {
			return "", false
		}
		from, weak = x64.Canonical(v.DType), v.Weak
	case *infer.Int:
		from = x64.Canonical(jax.Int64)
	case infer.Bool:
		from = jax.Bool
	case infer.Float:
		from, weak = x64.Canonical(jax.Float64), true
	case *infer.Union:
		for _, a := range v.Alts {
			d, other := otherType(a, to, x64)
			if !other {
				return "", false
			}
			from = d
		}
		return from, true
	}
	switch {
	case from.Known() && to.IsSemaphore() && !from.IsExtended(), from.IsSemaphore() && to.Known() && !to.IsExtended():
		return from, true
	case !from.Known() || !to.Known() || from.IsExtended() || to.IsExtended() || to != to.Canonical():
		return "", false
	case from.IsInteger() && to.IsInteger(), weak && from.IsFloat() && to.IsFloat():
		return "", false
	}
	return from, from != to
}

// storeRef models the first check of jax/_src/state/primitives.py _swap_abstract_eval.
var storeRef = &rule.Rule{
	Name: "store-ref-into-ref",
	Page: page("store_ref.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Stores() {
			if v, ok := e.Value.(*infer.Ref); ok && e.Via == "indexing" {
				p.Report(e.Loc, "`%s` is a ref; store the value that `%s[...]` reads", v.Name, v.Name).
					Says("ValueError: Cannot store a Ref into another Ref. Did you forget to load from it using `[...]`?").Because(v.Why).
					Offer(readStored(p, e))
			}
		}
	},
}

// storeObject models jax/_src/core.py: what is stored must be an array or a number.
var storeObject = &rule.Rule{
	Name: "store-not-array",
	Page: page("store_object.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Core.IsGPU() {
			return
		}
		for _, e := range k.Stores() {
			what := object(e.Value)
			if what == "" || e.Via != "indexing" || e.Refs[0].High {
				continue
			}
			p.Report(e.Loc, "%s is stored into `%s`, which takes arrays and numbers", what, e.Refs[0].Name).
				Says("TypeError: Argument '...' of type ... is not a valid JAX type").Because(e.Refs[0].Why)
		}
	},
}

// object says what a value is that is no array for certain.
func object(v infer.Value) string {
	switch v := v.(type) {
	case infer.None:
		return "None, which a function without `return` gives,"
	case infer.Str:
		return "a string"
	case *infer.Tuple:
		if v.Class == nil {
			return "a tuple"
		}
	case *infer.List:
		return "a list"
	}
	return ""
}
