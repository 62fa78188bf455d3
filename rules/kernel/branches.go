package kernel

import (
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// branchTypes models the comparison of outputs in jax/_src/lax/control_flow/conditionals.py _check_tree_and_avals.
var branchTypes = &rule.Rule{
	Name: "branch-output-mismatch",
	Page: page("branch_types.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){"jax.lax.cond": compareBranches, "jax.lax.switch": compareBranches},
}

func compareBranches(p *rule.Pass, c *infer.Call) {
	if c.Kernel == nil || len(c.Bodies) < 2 {
		return
	}
	first := body(c, 0)
	for i := 1; i < len(c.Bodies); i++ {
		b := body(c, i)
		if first == nil || b == nil {
			return
		}
		why := carryDiffers(first.Result, b.Result)
		if why == "" {
			why = carryDiffers(b.Result, first.Result)
			first, b = b, first
		}
		if why != "" {
			d := p.Report(c.Loc, "the branches of `%s` must return the same types: one %s", short(c.API), strings.NewReplacer("it gets", "returns", "and returns", "and the other").Replace(why)).
				Says("TypeError: cond branches must have equal output types but they differ.")
			d.Also(here(p, bodyReturn(b), c.Loc), "a branch returns here")
			return
		}
	}
}

// whileCondition models the check of cond_fun in jax/_src/lax/control_flow/loops.py while_loop.
var whileCondition = &rule.Rule{
	Name: "while-condition",
	Page: page("while_condition.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){laxWhile: func(p *rule.Pass, c *infer.Call) {
		b := body(c, 0)
		if b == nil || c.Kernel == nil {
			return
		}
		x, ok := b.Result.(*infer.Array)
		if !ok {
			return
		}
		rank, known := x.Shape.Rank()
		what := ""
		switch {
		case known && rank > 0:
			what = "an array of shape " + x.Shape.String()
		case known && x.DType.Known() && x.DType != jax.Bool:
			what = string(x.DType)
		default:
			return
		}
		p.Report(c.Loc, "the condition of `lax.while_loop` returns %s; it must be one boolean", what).
			Says("TypeError: cond_fun must return a boolean scalar, but got output type(s) ...").
			Also(here(p, bodyReturn(b), c.Loc), "the condition returns here")
	}},
}
