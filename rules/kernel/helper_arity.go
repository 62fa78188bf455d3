package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// helperArity is what Python says of a call inside a kernel whose arguments do not fit.
var helperArity = &rule.Rule{
	Name: "kernel-helper-arguments",
	Page: page("helper_arity.md"),
	World: func(p *rule.Pass, w *infer.World) {
		for _, f := range w.Faults {
			fn, _ := first(f).(*infer.Func)
			if fn == nil || f.Kernel == nil || f.Kernel.Map != nil || infer.Typed(f.Path) || calledByAPI(w, f, fn) {
				continue
			}
			name, says := "`"+fn.Name+"`", ""
			if fn.Def == nil {
				name = "the lambda"
			}
			switch f.Kind {
			case "missing-argument":
				name += " needs `" + f.Detail + "` too"
				says = fn.Name + "() missing 1 required positional argument: '" + f.Detail + "'"
			case "too-many-arguments":
				n, _ := fn.Takes()
				name += " takes " + plural(n, "argument") + ", and is given " + f.Detail
				says = fn.Name + "() takes another number of positional arguments"
			case "unknown-argument":
				name += " has no parameter `" + f.Detail + "`"
				says = fn.Name + "() got an unexpected keyword argument '" + f.Detail + "'"
			default:
				continue
			}
			if here(p, f.Loc, fn.Loc()) != f.Loc {
				continue
			}
			p.Report(f.Loc, "%s", name).Says("TypeError: %s", says).Also(fn.Loc(), "it is defined here")
		}
	},
}

// calledByAPI: the function is run by a site or by an API such as pl.when, for which there are other rules.
func calledByAPI(w *infer.World, f *infer.Fault, fn *infer.Func) bool {
	for _, s := range w.Sites {
		if s.Func() == fn && f.Loc == s.Loc {
			return true
		}
	}
	found := false
	eachCall(w, func(c *infer.Call) {
		for _, b := range c.Bodies {
			found = found || b.Func == fn
		}
	})
	return found
}
