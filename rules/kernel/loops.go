package kernel

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const (
	plWhen   = "jax.experimental.pallas.when"
	plLoop   = "jax.experimental.pallas.loop"
	parLoop  = "jax.experimental.pallas.tpu_sc.parallel_loop"
	laxCond  = "jax.lax.cond"
	laxFori  = "jax.lax.fori_loop"
	laxWhile = "jax.lax.while_loop"
	laxScan  = "jax.lax.scan"
)

// whenArity models jax/_src/pallas/helpers.py when, which calls the function without arguments.
var whenArity = &rule.Rule{
	Name:  "when-kernel-arity",
	Page:  page("when_arity.md"),
	World: bodyArity("the function under `pl.when` is called without arguments", plWhen),
}

// loopArity is the same of loops (jax/_src/lax/control_flow/loops.py, jax/_src/pallas/helpers.py loop).
var loopArity = &rule.Rule{
	Name:  "fori-body",
	Page:  page("loop_arity.md"),
	World: bodyArity("", laxFori, laxWhile, laxScan, plLoop, parLoop),
}

// bodyArity reports bodies that can't be called with what the API calls them with.
func bodyArity(what string, apis ...string) func(*rule.Pass, *infer.World) {
	return func(p *rule.Pass, w *infer.World) {
		bodies := map[*infer.Func]*infer.Call{}
		eachCall(w, func(c *infer.Call) {
			if contains(apis, c.API) {
				for _, b := range c.Bodies {
					if b.Func != nil {
						bodies[b.Func] = c
					}
				}
			}
		})
		for _, f := range w.Faults {
			fn, _ := first(f).(*infer.Func)
			c := bodies[fn]
			if fn == nil || c == nil || f.Kind != "missing-argument" && f.Kind != "too-many-arguments" {
				continue
			}
			text := what
			if text == "" {
				text = "the body of `" + short(c.API) + "` is called with " + plural(bodyArgs(c, fn), "argument")
			}
			says := fn.Name + "() takes another number of positional arguments"
			if f.Kind == "missing-argument" {
				text += " and needs `" + f.Detail + "` too"
				says = fn.Name + "() missing 1 required positional argument: '" + f.Detail + "'"
			}
			p.Report(here(p, fn.Loc(), f.Loc), "%s", text).Says("TypeError: %s", says).Offer(bodyParams(p, c, fn, bodyArgs(c, fn))).At(f.Loc)
		}
	}
}

func bodyArgs(c *infer.Call, fn *infer.Func) int {
	for _, b := range c.Bodies {
		if b.Func == fn {
			return len(b.Args)
		}
	}
	return 0
}

// eachCall calls f for every call of JAX's API in a world.
func eachCall(w *infer.World, f func(*infer.Call)) {
	for _, c := range w.Calls {
		f(c)
	}
	for _, k := range w.Kernels {
		for _, c := range k.Calls {
			f(c)
		}
	}
}

// short is an API as people call it: lax.fori_loop, pl.loop.
func short(api string) string {
	for _, m := range [][2]string{{"jax.experimental.pallas.tpu_sc.", "plsc."}, {"jax.experimental.pallas.tpu.", "pltpu."}, {"jax.experimental.pallas.", "pl."}, {"jax.lax.", "lax."}} {
		if len(api) > len(m[0]) && api[:len(m[0])] == m[0] {
			return m[1] + api[len(m[0]):]
		}
	}
	return api
}

// whenScalar models the check of the predicate in jax/_src/lax/control_flow/conditionals.py cond.
var whenScalar = &rule.Rule{
	Name: "when-non-scalar",
	Page: page("when_scalar.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plWhen: scalarPredicate, laxCond: scalarPredicate},
}

func scalarPredicate(p *rule.Pass, c *infer.Call) {
	a, ok := c.Pos(0).(*infer.Array)
	if !ok {
		return
	}
	if n, known := a.Shape.Rank(); !known || n == 0 {
		return
	}
	p.Report(c.Loc, "the condition of `%s` is an array %s; it must be a scalar (jnp.any, jnp.all), or choose elements with jnp.where", short(c.API), a.Shape).
		Says("TypeError: Pred must be a scalar, got ... of shape %s.", a.Shape).
		Offer(anyOf(p, predicate(c)))
}

// predicate is where the condition of a call is written.
func predicate(c *infer.Call) parse.Loc {
	if len(c.Args) > 0 && c.Args[0].Name == "" && c.Args[0].Star == 0 {
		return c.Args[0].Loc
	}
	return parse.Loc{}
}

// whenReturns models the comparison of branches in jax/_src/lax/control_flow/conditionals.py cond: the other branch of pl.when is None.
var whenReturns = &rule.Rule{
	Name: "when-returns-value",
	Page: page("when_returns.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		plWhen: func(p *rule.Pass, c *infer.Call) {
			if _, ok := c.Pos(0).(*infer.Array); !ok {
				return
			}
			for _, b := range c.Bodies {
				if b.Func != nil && something(b.Result) {
					p.Report(here(p, bodyReturn(b), c.Loc), "the function under `pl.when` returns %s; it must return nothing, and store what it computes", kind(b.Result)).
						Says("TypeError: cond branch outputs must have the same pytree structure, but they differ: ...").
						Offer(leaveResult(p, b)).
						At(c.Loc)
				}
			}
		},
	},
}

func bodyReturn(b *infer.Body) parse.Loc {
	if len(b.Returns) > 0 {
		return b.Returns[0]
	}
	return b.Func.Loc()
}
