package trace

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexKind models what jax/_src/state/indexing.py NDIndexer.from_indices_shape makes of a subscript that is no integer, slice or array.
var indexKind = &rule.Rule{
	Name: "ref-index-type",
	Page: page("index_kind.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		r := ref(x)
		if r == nil || x.Kernel.Core.IsGPU() {
			return
		}
		p.Report(x.Loc, "%s is no index of `%s`; refs are indexed by integers, slices and `pl.ds`", x.Detail, r.Name).
			Says("TypeError: Argument ... is not a valid JAX type").Because(r.Why)
	}, "index-type"),
}

// formatTraced: tracers have no __format__ of their own, and that of object takes no format.
var formatTraced = &rule.Rule{
	Name: "format-of-traced",
	Page: page("format_traced.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		if infer.Typed(x.Path) {
			return
		}
		if x.Kind == "traced-percent" {
			p.Report(x.Loc, "`%s` needs a number while Python builds the kernel, and a traced value exists only when it runs; use `pl.debug_print`", x.Detail).
				Says("%s", saysOfPercent(x.Detail))
			return
		}
		p.Report(x.Loc, "a format needs a number while Python builds the kernel, and `%s` exists only when it runs; use `pl.debug_print`", x.Loc.Text()).
			Says("TypeError: unsupported format string passed to DynamicJaxprTracer.__format__")
	}, "traced-format", "traced-percent"),
}

// saysOfPercent is what Python, or the tracer that it asks, says of a conversion.
func saysOfPercent(conversion string) string {
	switch conversion {
	case "%x", "%X", "%o":
		return "TypeError: " + conversion + " format: an integer is required, not DynamicJaxprTracer"
	case "%d", "%i", "%u":
		return "TypeError: " + conversion + " format: a real number is required, not DynamicJaxprTracer"
	case "%c":
		return "TypeError: %c requires int or char"
	}
	return "ConcretizationTypeError: Abstract tracer value encountered where concrete value is expected: ..."
}

// arrayAt: `.at[...]` of an array is for updates (jax/_src/numpy/indexing.py _IndexUpdateRef), no view.
var arrayAt = &rule.Rule{
	Name: "array-at-as-view",
	Page: page("array_at.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		p.Report(x.Loc, "`.at[...]` of an array is no view: it has `.set(...)`, `.add(...)` and the like; a part of the array is the array with plain brackets").
			Says("TypeError: '_IndexUpdateRef' object is not subscriptable")
	}, "array-at"),
}
