package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// branchTraced models jax/_src/core.py TracerBoolConversionError.
var branchTraced = &rule.Rule{
	Name: "python-branch-on-traced",
	Page: page("branch_traced.md"),
	World: func(p *rule.Pass, w *infer.World) {
		for _, f := range w.Faults {
			if f.Kind != "traced-bool" || f.Kernel == nil || infer.Typed(f.Path) {
				continue
			}
			what := "a value that exists only when the kernel runs"
			if a, ok := first(f).(*infer.Array); ok {
				if n, known := a.Shape.Rank(); known && n > 0 {
					what = "an array " + a.Shape.String() + " that exists only when the kernel runs"
				}
			}
			d := p.Report(here(p, f.Loc, f.Kernel.Loc, f.Kernel.Site.Loc), "Python decides here by %s; use `pl.when`, `jnp.where` or `lax.cond`, and `&`, `|` for `and`, `or`", what).
				Says("TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].").
				Offer(decide(p, f)).
				At(f.Loc)
			if a, ok := first(f).(*infer.Array); ok && a.Loc != f.Loc {
				d.Also(a.Loc, "the value is made here")
			}
		}
	},
}

// loopTraced models jax/_src/core.py TracerIntegerConversionError and ConcretizationTypeError.
var loopTraced = &rule.Rule{
	Name: "python-loop-on-traced",
	Page: page("loop_traced.md"),
	World: func(p *rule.Pass, w *infer.World) {
		for _, f := range w.Faults {
			if f.Kind != "traced-int" || f.Kernel == nil || infer.Typed(f.Path) {
				continue
			}
			says := "TracerIntegerConversionError: The __index__() method was called on traced array with shape int32[]"
			if f.Detail != "range" {
				says = "ConcretizationTypeError: Abstract tracer value encountered where concrete value is expected: traced array with shape int32[]"
			}
			way := "compute with `jnp`"
			if f.Detail == "range" {
				way = "loop with `lax.fori_loop` or `pl.loop`"
			}
			p.Report(here(p, f.Loc, f.Kernel.Loc, f.Kernel.Site.Loc), "`%s` needs a number while Python builds the kernel, and gets a value that exists only when it runs; %s", f.Detail, way).
				Says("%s", says).
				Offer(loopFor(p, f), convert(p, f)).
				At(f.Loc)
		}
	},
}

func first(f *infer.Fault) infer.Value {
	if len(f.Values) == 0 {
		return nil
	}
	return f.Values[0]
}
