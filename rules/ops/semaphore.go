package ops

import (
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// semaphoreValue: a semaphore has an extended dtype, which no arithmetic takes (jax/_src/dtypes.py).
var semaphoreValue = &rule.Rule{
	Name: "semaphore-in-arithmetic",
	Page: page("semaphore.md"),
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		if hasSemaphore(operands(x)) {
			p.Report(x.Loc, "a semaphore is computed with; only `pl.semaphore_read` says what it counts").
				Says("ValueError: dtype=semaphore is not a valid dtype for JAX type promotion.")
		}
	}, "promotion", "op-dtype"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if onGPU(k) {
			return
		}
		for _, c := range k.Calls {
			if !c.Open && decided(c.Path) && computes(c) && hasSemaphore(takes(c)) {
				p.Report(c.Loc, "%s of a semaphore; only `pl.semaphore_read` says what it counts", callee(c)).
					Says("ValueError: ... semaphore ...")
			}
		}
	},
}

// computes: the call takes numbers, and a semaphore is none.
func computes(c *infer.Call) bool {
	return strings.HasSuffix(c.API, ".astype") || c.API == "jax.lax.fori_loop" || len(c.Prims) > 0 && strings.HasPrefix(c.API, "jax.numpy.")
}

// takes are the arrays that a call is applied to; of a loop its bounds.
func takes(c *infer.Call) []*infer.Array {
	values := []infer.Value{c.Arg("lower"), c.Arg("upper")}
	if c.API != "jax.lax.fori_loop" {
		values = nil
		for _, a := range c.Args {
			values = append(values, a.Value)
		}
		if c.Method != nil {
			values = append(values, *c.Method)
		}
	}
	var out []*infer.Array
	for _, v := range values {
		if a, ok := v.(*infer.Array); ok {
			out = append(out, a)
		}
	}
	return out
}

func hasSemaphore(as []*infer.Array) bool {
	for _, a := range as {
		if a.DType.IsSemaphore() {
			return true
		}
	}
	return false
}
