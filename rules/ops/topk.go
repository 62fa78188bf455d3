package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// topKStable models jax/_src/pallas/mosaic/lowering.py _top_k_lowering_rule.
var topKStable = &rule.Rule{
	Name: "top-k-stable",
	Page: page("top_k_stable.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		obj, _ := p.Release.Lookup(c.API)
		if obj == nil || !hasParam(obj, "is_stable") {
			return
		}
		if v := c.Arg("is_stable"); v != nil && !isTrue(v) {
			return
		}
		p.Report(c.Loc, "%s keeps the order of equal elements, which a TensorCore does not; pass `is_stable=False`", callee(c)).
			Says("NotImplementedError: is_stable=True is not supported in Pallas top_k. For efficiency, only is_stable=False is supported").
			Offer(setFlag(c, "is_stable", "False"))
	}), "jax.lax.top_k"),
}

// topKType models the checks of the dtype of jax/_src/pallas/mosaic/lowering.py _top_k_lowering_rule and _approx_top_k_lowering_rule.
var topKType = &rule.Rule{
	Name: "top-k-dtype",
	Page: page("top_k_dtype.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		if ok, known := p.Release.Lowers(jax.TensorCore, "top_k"); !ok || !known {
			return
		}
		x, ok := array(c.Arg("operand"))
		if !ok || x.DType == "" {
			return
		}
		switch {
		case x.DType != jax.Float32 && x.DType != jax.BFloat16:
			p.Report(c.Loc, "%s of %s: a TensorCore does it for float32 and bfloat16", callee(c), x.DType).
				Says("NotImplementedError: Pallas top_k only supports float32 and bfloat16, got %s", x.DType)
		case x.DType == jax.BFloat16 && p.Chip != nil && p.Chip.Generation < 6:
			p.Report(c.Loc, "%s of bfloat16: a TPU %s does it for float32 only", callee(c), p.Chip.Name).
				Says("NotImplementedError: bfloat16 top_k is not supported on TPUv5 or older")
		}
	}), "jax.lax.top_k", "jax.lax.approx_max_k"),
}

func hasParam(o *jax.Object, name string) bool {
	for _, p := range o.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}
