package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// argNotRef models the first check of jax/_src/pallas/mosaic/primitives.py _dma_start_abstract_eval.
var argNotRef = &rule.Rule{
	Name: "dma-arg-not-ref",
	Page: page("arg_not_ref.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range append(starts(k), waits(k)...) {
			for slot, what := range []string{"source", "destination"} {
				v := e.Slots[slot]
				if !isValue(v) && !isNone(v) || e.Desc.Sync && treeOf(v) || picked(e, v) {
					continue
				}
				report(p, e, slot, "%s is %s, not a ref; the %s of a copy is a ref, or a part of one that `.at[...]` names", text(e.Locs[slot], "this"), kind(v), what).
					Says("ValueError: DMA source/destination arguments must be Refs.").
					Offer(stage.End(p, e, slot))
			}
		}
	},
}

// treeOf: sync_copy takes trees of refs; None is an empty one.
func treeOf(v infer.Value) bool {
	switch v.(type) {
	case *infer.Tuple, *infer.List, *infer.Dict, infer.None:
		return true
	}
	return false
}

// kind says what a value is.
func kind(v infer.Value) string {
	switch v := v.(type) {
	case *infer.Array:
		if v.Shape.Dims != nil {
			return "a value of shape " + v.Shape.String()
		}
	case infer.None:
		return "None"
	case *infer.Tuple, *infer.List, *infer.Dict:
		return "a collection"
	}
	return "a value"
}

// picked: the value may be one of several refs, picked from a tuple.
func picked(e *infer.Event, v infer.Value) bool {
	for _, load := range e.Kernel.Loads() {
		if load.Value == v && load.Picks() {
			return true
		}
	}
	return false
}
