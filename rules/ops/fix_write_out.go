package ops

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// writtenOutSC are functions of one array without a lowering on a SparseCore, written with functions that have one. X stands for the array, jnp
// and lax for whatever the file calls jax.numpy and jax.lax.
var writtenOutSC = map[string]string{
	"jax.nn.sigmoid":       "1 / (1 + jnp.exp(-X))",
	"jax.lax.logistic":     "1 / (1 + jnp.exp(-X))",
	"jax.nn.relu":          "jnp.maximum(X, 0)",
	"jax.numpy.log1p":      "jnp.log(1 + X)",
	"jax.lax.log1p":        "jnp.log(1 + X)",
	"jax.numpy.expm1":      "jnp.exp(X) - 1",
	"jax.lax.expm1":        "jnp.exp(X) - 1",
	"jax.numpy.exp2":       "jnp.exp(X * 0.6931472)",
	"jax.lax.exp2":         "jnp.exp(X * 0.6931472)",
	"jax.numpy.reciprocal": "1 / X",
}

// writtenOutTC is the same for a TensorCore.
var writtenOutTC = map[string]string{
	"jax.numpy.arctan":       "jnp.arctan2(X, 1.0)",
	"jax.numpy.atan":         "jnp.arctan2(X, 1.0)",
	"jax.lax.atan":           "jnp.arctan2(X, 1.0)",
	"jax.numpy.arcsin":       "jnp.arctan2(X, jnp.sqrt(1 - X * X))",
	"jax.numpy.asin":         "jnp.arctan2(X, jnp.sqrt(1 - X * X))",
	"jax.lax.asin":           "jnp.arctan2(X, jnp.sqrt(1 - X * X))",
	"jax.numpy.arccos":       "jnp.arctan2(jnp.sqrt(1 - X * X), X)",
	"jax.numpy.acos":         "jnp.arctan2(jnp.sqrt(1 - X * X), X)",
	"jax.lax.acos":           "jnp.arctan2(jnp.sqrt(1 - X * X), X)",
	"jax.numpy.sinh":         "(jnp.exp(X) - jnp.exp(-X)) / 2",
	"jax.lax.sinh":           "(jnp.exp(X) - jnp.exp(-X)) / 2",
	"jax.numpy.cosh":         "(jnp.exp(X) + jnp.exp(-X)) / 2",
	"jax.lax.cosh":           "(jnp.exp(X) + jnp.exp(-X)) / 2",
	"jax.numpy.arcsinh":      "jnp.log(X + jnp.sqrt(X * X + 1))",
	"jax.numpy.asinh":        "jnp.log(X + jnp.sqrt(X * X + 1))",
	"jax.lax.asinh":          "jnp.log(X + jnp.sqrt(X * X + 1))",
	"jax.numpy.arccosh":      "jnp.log(X + jnp.sqrt(X * X - 1))",
	"jax.numpy.acosh":        "jnp.log(X + jnp.sqrt(X * X - 1))",
	"jax.lax.acosh":          "jnp.log(X + jnp.sqrt(X * X - 1))",
	"jax.numpy.arctanh":      "0.5 * jnp.log((1 + X) / (1 - X))",
	"jax.numpy.atanh":        "0.5 * jnp.log((1 + X) / (1 - X))",
	"jax.lax.atanh":          "0.5 * jnp.log((1 + X) / (1 - X))",
	"jax.numpy.expm1":        "jnp.exp(X) - 1",
	"jax.lax.expm1":          "jnp.exp(X) - 1",
	"jax.numpy.cbrt":         "jnp.sign(X) * jnp.abs(X) ** (1 / 3)",
	"jax.lax.cbrt":           "jnp.sign(X) * jnp.abs(X) ** (1 / 3)",
	"jax.scipy.special.erfc": "1 - lax.erf(X)",
	"jax.lax.erfc":           "1 - lax.erf(X)",
}

// writeOut writes a function that a core has no lowering of with ones that it has.
func writeOut(p *rule.Pass, c *infer.Call) *rule.Fix {
	x, ok := edit.ExprAt(p.File, c.Loc)
	spot, found := edit.Find(p.File, c.Loc.Chunk, x)
	if !ok || !found {
		return nil
	}
	writtenOut := writtenOutTC
	if c.Kernel.Core.IsSparseCore() {
		writtenOut = writtenOutSC
	}
	if base, n := power(c, x); n > 0 && c.Kernel.Core.IsSparseCore() {
		text := spot.Text(base)
		all := text + strings.Repeat(" * "+text, n-1)
		return edit.Fix(true, "Multiply: `"+all+"`", rule.Safe, []rule.Edit{spot.Replace(x, enclosed(spot, all))})
	}
	form := writtenOut[c.API]
	call, ok := x.(*parse.Call)
	if form == "" || !ok || len(call.Args) != 1 || call.Args[0].Name != "" || call.Args[0].Star > 0 {
		return nil
	}
	arg := spot.Text(call.Args[0].Value)
	if !repeatable(call.Args[0].Value) && !isCall(call.Args[0].Value) && !strings.Contains(form, "(X,") && !strings.Contains(form, "(X)") {
		arg = "(" + arg + ")"
	}
	if strings.Count(form, "X") > 1 && !repeatable(call.Args[0].Value) {
		return nil
	}
	names := &edit.Names{Spot: spot}
	text := fill(form, arg, names)
	if !strings.HasPrefix(form, "jnp.") || !strings.HasSuffix(form, ")") {
		text = enclosed(spot, text)
	}
	return edit.Fix(true, "Write it out: `"+text+"`", rule.Unsafe, append(names.Edits, spot.Replace(x, text)))
}

// fill puts an argument, and the names that the file has for functions, into a form.
func fill(form, arg string, names *edit.Names) string {
	var out strings.Builder
	for form != "" {
		i := strings.IndexFunc(form, func(r rune) bool { return r == 'X' || 'a' <= r && r <= 'z' })
		if i < 0 {
			break
		}
		out.WriteString(form[:i])
		if form = form[i:]; form[0] == 'X' {
			out.WriteString(arg)
			form = form[1:]
			continue
		}
		alias, rest, _ := strings.Cut(form, ".")
		member, _, _ := strings.Cut(rest, "(")
		out.WriteString(names.Name(map[string]string{"jnp": "jax.numpy", "lax": "jax.lax"}[alias], member))
		form = rest[len(member):]
	}
	return out.String() + form
}

// power is what a square or a small power raises, and to what; 0 when it is none, or must not be written several times.
func power(c *infer.Call, x parse.Expr) (base parse.Expr, n int) {
	switch x := x.(type) {
	case *parse.Binary:
		if k, ok := x.R.(*parse.Int); ok && x.Op == "**" && k.Value >= 2 && k.Value <= 4 {
			base, n = x.L, int(k.Value)
		}
	case *parse.Call:
		if (c.API == "jax.numpy.square" || c.API == "jax.lax.square") && len(x.Args) == 1 && x.Args[0].Name == "" && x.Args[0].Star == 0 {
			base, n = x.Args[0].Value, 2
		}
	}
	if base == nil || !repeatable(base) {
		return nil, 0
	}
	return base, n
}

// repeatable: a name, an attribute or an element, which may stand twice.
func repeatable(x parse.Expr) bool {
	switch x.(type) {
	case *parse.Name, *parse.Attr, *parse.Index:
	default:
		return false
	}
	ok := true
	parse.Walk(x, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Walrus:
			ok = false
		case *parse.Call:
			f, isAttr := n.Func.(*parse.Attr)
			ok = ok && isAttr && f.Name == "ds"
		}
		return ok
	})
	return ok
}

func isCall(x parse.Expr) bool { _, ok := x.(*parse.Call); return ok }

// enclosed puts parentheses around what takes the place of an expression, where it is a part of one and has none yet.
func enclosed(s *edit.Spot, text string) string {
	up := s.Up(1)
	if up == nil {
		return text
	}
	switch up.Node().(type) {
	case *parse.Binary, *parse.Unary, *parse.Attr, *parse.Index, *parse.Compare:
	default:
		return text
	}
	all, span := s.Chunk.Text, s.Node().Span()
	if span.Start > 0 && int(span.End) < len(all) && all[span.Start-1] == '(' && all[span.End] == ')' {
		return text
	}
	return "(" + text + ")"
}
