package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// prefetchOrder is block-rank-mismatch where the arrays were given before the scalars that are prefetched (jax/_src/pallas/core.py
// get_grid_mapping).
var prefetchOrder = &rule.Rule{
	Name:    "prefetch-args-order",
	Page:    page("prefetch_order.md"),
	Unbinds: true,
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" {
			return
		}
		for _, o := range swappedPrefetch(s) {
			p.Report(here(p, s.CallLoc, s.Loc), "the first %s of the call %s prefetched, but an array %s comes first; the scalars go before the arrays",
				plural(s.Prefetch, "argument"), areN(s.Prefetch), o.Array).
				Says("ValueError: Block shape for args[%d] (= ...) must have the same number of dimensions as the array shape ...", s.Prefetch).
				Also(s.Loc, "num_scalar_prefetch=%d", s.Prefetch).
				Offer(arraysLast(p, s))
			return
		}
	},
}

// swappedPrefetch are the arrays that stand among the prefetched scalars and would fit a block that its own operand does not fit.
func swappedPrefetch(s *infer.Site) []*infer.Operand {
	if s.Prefetch <= 0 || !s.Called {
		return nil
	}
	var out []*infer.Operand
	for _, o := range s.Blocks() {
		n, _, wrong := rankMismatch(o)
		if !wrong || o.Ref.Role == infer.Output {
			continue
		}
		for _, pre := range s.Inputs {
			if pre.Prefetched() && pre.Array.IsRank(n) && pre.DType != "" && !pre.DType.IsInteger() {
				out = append(out, pre)
			}
		}
	}
	return out
}
