package ops

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// mathAccuracy models the check that the lowering rules of transcendental functions in jax/_src/pallas/mosaic/lowering.py begin with.
var mathAccuracy = &rule.Rule{
	Name: "math-accuracy",
	Page: page("math_accuracy.md"),
	Call: on(onTPU(func(p *rule.Pass, c *infer.Call) {
		v := given(c, "accuracy")
		if v == nil || maybe(v) {
			return
		}
		p.Report(c.ArgLoc("accuracy"), "`accuracy` of %s: a kernel has one implementation of it, whose accuracy can't be chosen", callee(c)).At(c.Loc).
			Says("NotImplementedError: Not implemented: accuracy").
			Offer(edit.WithoutArg(p, c, "accuracy", rule.Unsafe))
	}), "jax.lax.exp", "jax.lax.exp2", "jax.lax.log", "jax.lax.log1p", "jax.lax.logistic", "jax.lax.sin", "jax.lax.cos", "jax.lax.tan", "jax.lax.tanh",
		"jax.lax.rsqrt", "jax.lax.sqrt"),
}
