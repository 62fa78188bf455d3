package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// storeDType models the dtype check of jax/_src/state/primitives.py _swap_abstract_eval, after _maybe_implicit_cast.
var storeDType = &rule.Rule{
	Name: "store-dtype-mismatch",
	Page: page("store_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if onGPU(k) {
			return
		}
		for _, e := range stores(k) {
			values, ok := alternatives(e.Value)
			ref := e.Refs[0]
			if !ok || !allOtherType(values, ref.Type) || e.RShape && allDiffer(values, e.Result) {
				continue
			}
			v := values[0]
			p.Report(e.Loc, "%s holds %s, but the value is %s; a store does not convert", name(ref), ref.Type, v.DType).
				Says("ValueError: Invalid dtype for `swap`. Ref dtype: %s. Value dtype: %s.", ref.Type, v.DType).
				Also(shapeFrom(ref), "%s is %s here", name(ref), of(ref.Type, ref.Shape)).
				Offer(converted(p, e))
		}
	},
}

func allOtherType(values []*infer.Array, d jax.DType) bool {
	for _, v := range values {
		if !otherType(v, d) {
			return false
		}
	}
	return true
}

// otherType: the value certainly has another type than the ref, and JAX does not convert it by itself: integers it converts, and the float
// that a Python number is.
func otherType(v *infer.Array, d jax.DType) bool {
	from := v.DType.Canonical()
	switch {
	case from == "" || d == "" || d.IsExtended() || from.IsExtended() || d != d.Canonical():
		return false
	case from.IsInteger() && d.IsInteger(), v.Weak && from.IsFloat() && d.IsFloat():
		return false
	}
	return from != d
}
