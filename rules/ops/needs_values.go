package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// sized are functions whose result has a size that depends on the values, and the argument that fixes it.
var sized = map[string]string{
	"jax.numpy.nonzero": "size", "jax.numpy.flatnonzero": "size", "jax.numpy.argwhere": "size", "jax.numpy.unique": "size",
	"jax.numpy.unique_values": "size", "jax.numpy.union1d": "size", "jax.numpy.setdiff1d": "size",
	"jax.numpy.bincount": "length", "jax.numpy.where": "size",
}

// needsValues: functions of jax.numpy that ask for a concrete value to know the shape of their result.
var needsValues = &rule.Rule{
	Name: "size-from-values",
	Page: page("needs_values.md"),
	Call: needsValuesCalls(),
}

func needsValuesCalls() map[string]func(*rule.Pass, *infer.Call) {
	out := map[string]func(*rule.Pass, *infer.Call){}
	for api, size := range sized {
		out[api] = traced(func(p *rule.Pass, c *infer.Call) {
			if len(c.Args) == 0 || c.Arg(size) != nil || len(c.Extra) > 0 || api == "jax.numpy.where" && len(c.Args) > 1 {
				return
			}
			if x, ok := array(c.Args[0].Value); !ok || !x.Traced {
				return
			}
			p.Report(c.Loc, "how long the result of %s is only the run knows; pass `%s=`", callee(c), size).
				Says("ConcretizationTypeError: Abstract tracer value encountered where concrete value is expected")
		})
	}
	return out
}
