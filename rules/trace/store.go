package trace

import (
	"pallas-lsp/rules/infer"
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
		p.Report(x.Loc, "a value of shape %s is stored where `%s` selects %s", as[0].Shape, r.Name, x.Detail).
			Says("ValueError: Invalid shape for `swap`. Ref shape: %s. Expected shape: %s. Value shape: %s.", r.View, x.Detail, as[0].Shape).Because(r.Why)
	}, "store-shape"),
}

// storeDType models the dtype check of jax/_src/state/primitives.py _swap_abstract_eval. Numbers of Python take the ref's dtype.
var storeDType = &rule.Rule{
	Name:    "store-dtype-mismatch",
	Follows: true,
	Page:    page("store_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Stores() {
			v, ok := e.Value.(*infer.Array)
			r := e.Refs[0]
			if !ok || v.Weak || !v.DType.Known() || !r.Type.Known() || v.DType.Canonical() == r.Type || e.Via != "indexing" || v.NumPy || r.High || r.Type.Bits() == 64 {
				continue
			}
			d := p.Report(e.Loc, "a %s value is stored into `%s`, which is %s", v.DType, r.Name, r.Type).
				Says("ValueError: Invalid dtype for `swap`. Ref dtype: %s. Value dtype: %s.", r.Type, v.DType).Because(r.Why)
			if e.Aug == "" {
				d.Offer(cast(p, e, r))
			}
		}
	},
}

// storeRef models the first check of jax/_src/state/primitives.py _swap_abstract_eval.
var storeRef = &rule.Rule{
	Name: "store-ref-into-ref",
	Page: page("store_ref.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Stores() {
			if v, ok := e.Value.(*infer.Ref); ok && e.Via == "indexing" {
				p.Report(e.Loc, "`%s` is a ref; store the value that `%s[...]` reads", v.Name, v.Name).
					Says("ValueError: Cannot store a Ref into another Ref. Did you forget to load from it using `[...]`?").Because(v.Why)
			}
		}
	},
}
