package ops

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// printTraced: Python prints while JAX traces the kernel, when there is a tracer and no number.
var printTraced = &rule.Rule{
	Name: "print-of-traced",
	Page: page("print_traced.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		for _, a := range c.Args {
			if x, ok := array(a.Value); ok && x.Traced && a.Name == "" && a.Loc.Valid() {
				p.Report(c.Loc, "`print` runs once, while JAX traces the kernel: it shows a tracer in place of what `%s` holds; use `pl.debug_print`", a.Loc.Text()).
					Offer(debugPrint(p, c))
				return
			}
		}
	}), "builtins.print"),
}

// debugPrint prints the same with pl.debug_print, where the text stands in literals and a placeholder takes each value.
func debugPrint(p *rule.Pass, c *infer.Call) *rule.Fix {
	spot, ok := edit.Find(p.File, c.Loc.Chunk, c.Node)
	if c.Node == nil || !ok || strings.Contains(spot.Text(c.Node), "#") || !onTensorCore(c.Kernel) || len(c.Node.Args) != len(c.Args) {
		return nil
	}
	var words, values []string
	for i, a := range c.Node.Args {
		if a.Name != "" || a.Star > 0 {
			return nil
		}
		switch v := c.Args[i].Value.(type) {
		case infer.Str:
			if _, literal := a.Value.(*parse.Str); !literal || strings.ContainsAny(string(v), "{}\"\\\n") {
				return nil
			}
			words = append(words, string(v))
		case *infer.Array:
			if !v.Shape.IsRank(0) || v.DType != jax.Float32 && v.DType != jax.Int32 && v.DType != jax.Uint32 {
				return nil
			}
			words, values = append(words, "{}"), append(values, spot.Text(a.Value))
		default:
			return nil
		}
	}
	names := &edit.Names{Spot: spot}
	text := names.Name("jax.experimental.pallas", "debug_print") + "(" + strings.Join(append([]string{`"` + strings.Join(words, " ") + `"`}, values...), ", ") + ")"
	return edit.Fix(true, "Print when the kernel runs", rule.Unsafe, append(names.Edits, spot.Replace(c.Node, text)))
}
