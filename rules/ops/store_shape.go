package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// storeShape models the shape check of jax/_src/state/primitives.py _swap_abstract_eval.
var storeShape = &rule.Rule{
	Name: "store-shape-mismatch",
	Page: page("store_shape.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if onGPU(k) {
			return
		}
		for _, e := range stores(k) {
			values, ok := alternatives(e.Value)
			if !ok || !e.RShape || !allDiffer(values, e.Result) {
				continue
			}
			v, ref := values[0], e.Refs[0]
			p.Report(e.Loc, "%s takes an array of shape %s, but the value has shape %s; a store does not broadcast", target(e), e.Result, v.Shape).
				Says("ValueError: Invalid shape for `swap`. Ref shape: %s. Expected shape: %s. Value shape: %s.", ref.Shape, e.Result, v.Shape).
				Also(shapeFrom(ref), "%s is %s here", name(ref), of(ref.Type, ref.Shape)).
				Offer(spread(p, e, v))
		}
	},
}

// stores are the stores by subscript that certainly happen.
func stores(k *infer.Kernel) []*infer.Event {
	var out []*infer.Event
	for _, e := range k.Stores() {
		if e.Via == "indexing" && decided(e.Path) && !e.Refs[0].High && !e.Refs[0].Many {
			out = append(out, e)
		}
	}
	return out
}

func allDiffer(values []*infer.Array, s infer.Shape) bool {
	for _, v := range values {
		if !differ(v.Shape, s) {
			return false
		}
	}
	return true
}
