package dma

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// methodArgs: what the methods of jax/_src/pallas/mosaic/primitives.py AsyncCopyDescriptor take.
var methodArgs = &rule.Rule{
	Name: "dma-method-arguments",
	Page: page("method_args.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){"*": checkMethod},
}

func checkMethod(p *rule.Pass, c *infer.Call) {
	method, ok := strings.CutPrefix(c.API, tpu+"AsyncCopyDescriptor.")
	if !ok || len(c.Args) == 0 {
		return
	}
	allowed := 0
	if method == "start" {
		allowed = 1
	}
	positions := 0
	for _, a := range c.Args {
		switch {
		case a.Star != 0:
			return
		case a.Name != "":
			if method != "start" || a.Name != "priority" && a.Name != "add" {
				p.Report(where(c, a), "%s takes no `%s`; a copy is described by make_async_copy", method, a.Name).At(c.Loc).
					Says("TypeError: AsyncCopyDescriptor.%s() got an unexpected keyword argument '%s'", method, a.Name)
			}
			continue
		}
		if positions++; positions > allowed {
			p.Report(where(c, a), "%s takes no such argument; a copy is described by make_async_copy", method).At(c.Loc).
				Says("TypeError: AsyncCopyDescriptor.%s() takes %d positional argument but %d were given", method, allowed+1, positions+1)
		} else if _, isRef := a.Value.(*infer.Ref); isRef {
			p.Report(where(c, a), "the argument of start is the priority of the copy, a number, not a ref").At(c.Loc).
				Says("TypeError: As of JAX v0.7, parameters to jaxpr equations must have __hash__ and __eq__ methods.")
		}
	}
}

func where(c *infer.Call, a infer.Arg) parse.Loc {
	if a.Loc.Valid() {
		return a.Loc
	}
	return c.Loc
}
