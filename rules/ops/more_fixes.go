package ops

import (
	"regexp"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// sameInJAX calls the function of jax.numpy that has the name of numpy's.
func sameInJAX(p *rule.Pass, x *infer.Fault) *rule.Fix {
	e, _ := edit.ExprAt(p.File, x.Loc)
	call, ok := e.(*parse.Call)
	if !ok {
		return nil
	}
	a, ok := call.Func.(*parse.Attr)
	if !ok {
		return nil
	}
	module, ok := a.X.(*parse.Name)
	names := edit.NamesAt(p.File, x.Loc)
	if _, known := p.Release.Lookup("jax.numpy." + a.Name); !ok || !known || names == nil || !isNumpy(p, module.ID) {
		return nil
	}
	written := names.Name("jax.numpy", a.Name)
	return edit.Fix(true, "Call `"+written+"`", rule.Safe, append(names.Edits, rule.Edit{Loc: parse.Loc{Chunk: x.Loc.Chunk, Span: a.Span()}, New: written}))
}

// isNumpy: the file imports numpy under the name.
func isNumpy(p *rule.Pass, name string) bool {
	for _, b := range p.File.Imports() {
		if b.Name == name && b.Target == "numpy" && !b.Member {
			return true
		}
	}
	return false
}

// widened converts the operand of a call before it, and the result back to the dtype that it had.
func widened(p *rule.Pass, c *infer.Call, to jax.DType) *rule.Fix {
	if c.Node == nil || c.Method != nil || len(c.Args) == 0 || c.Args[0].Star != 0 || c.Args[0].Name != "" {
		return nil
	}
	x, ok := edit.ExprAt(p.File, c.Args[0].Loc)
	names := edit.NamesAt(p.File, c.Args[0].Loc)
	result, isArray := c.Result.(*infer.Array)
	if !ok || names == nil || !isArray || c.Args[0].Loc == c.Loc {
		return nil
	}
	wide := names.Name("jax.numpy", string(to))
	edits := append(names.Edits, edit.Append(c.Loc.Chunk, x, ".astype("+wide+")")...)
	if d := result.DType; strings.HasPrefix(c.API, "jax.numpy.") && d.Known() && d != to && d != jax.Bool && d != jax.Int32 {
		edits = append(edits, after(c, ".astype("+names.Name("jax.numpy", string(d))+")"))
	}
	return edit.Fix(true, "Convert to `"+wide+"` first", rule.Unsafe, edits)
}

// asInt32 reduces integers as int32. The order of uint32 is that of int32 with the highest bit flipped.
func asInt32(p *rule.Pass, c *infer.Call, prim string, d jax.DType) *rule.Fix {
	fix := widened(p, c, jax.Int32)
	result, isArray := c.Result.(*infer.Array)
	if fix == nil || d != jax.Uint32 || prim == "reduce_sum" {
		return fix
	}
	x, ok := edit.ExprAt(p.File, c.Args[0].Loc)
	names := edit.NamesAt(p.File, c.Args[0].Loc)
	if !ok || names == nil || !isArray || result.DType != d {
		return nil
	}
	edits := edit.Append(c.Loc.Chunk, x, ".astype("+names.Name("jax.numpy", "int32")+") ^ "+highestBit)
	edits = append(edits, edit.Around(c.Loc, "(", " ^ "+highestBit+").astype("+names.Name("jax.numpy", "uint32")+")")...)
	return edit.Fix(true, "Compare as `int32`, with the highest bit flipped", rule.Unsafe, append(names.Edits, edits...))
}

// highestBit of an int32, as a number that fits.
const highestBit = "-0x80000000"

var placeholder = regexp.MustCompile(`\{([A-Za-z_]\w*|\d*)(![rsa])?(:[^{}]*)?\}`)

// plainFormat writes {} for every placeholder of a format that is written as one literal, and passes named values in order.
func plainFormat(p *rule.Pass, c *infer.Call, d *printed) *rule.Fix {
	lit, loc := formatAt(p, c)
	if lit == "" || strings.Contains(lit, "{{") || strings.Contains(lit, "}}") {
		return nil
	}
	found := placeholder.FindAllStringSubmatch(lit, -1)
	if len(found) != d.placeholders {
		return nil
	}
	var edits []rule.Edit
	call := c.Node
	if d.names || d.keywords {
		values, ok := inOrder(call, found)
		if !ok {
			return nil
		}
		args := []string{placeholder.ReplaceAllString(lit, "{}")}
		for _, v := range values {
			args = append(args, parse.Loc{Chunk: c.Loc.Chunk, Span: v.Span()}.Text())
		}
		inside := parse.Loc{Chunk: c.Loc.Chunk, Span: parse.Span{Start: call.ArgsSpan.Start + 1, End: call.ArgsSpan.End - 1}}
		if strings.Contains(inside.Text(), "#") {
			return nil
		}
		edits = []rule.Edit{{Loc: inside, New: strings.Join(args, ", ")}}
	} else {
		edits = []rule.Edit{{Loc: loc, New: placeholder.ReplaceAllString(lit, "{}")}}
	}
	return edit.Fix(true, "Write plain `{}`", rule.Safe, edits)
}

// inOrder are the values of the placeholders in the order in which the format names them.
func inOrder(call *parse.Call, found [][]string) (out []parse.Expr, ok bool) {
	byName := map[string]parse.Expr{}
	var positional []parse.Expr
	for i, a := range call.Args {
		switch {
		case a.Name != "":
			byName[a.Name] = a.Value
		case i > 0:
			positional = append(positional, a.Value)
		}
	}
	next := 0
	for _, f := range found {
		v := byName[f[1]]
		switch {
		case f[1] == "" && next < len(positional):
			v = positional[next]
			next++
		case len(f[1]) == 1 && f[1][0] >= '0' && f[1][0] <= '9' && int(f[1][0]-'0') < len(positional):
			v = positional[f[1][0]-'0']
			next++
		}
		if v == nil {
			return nil, false
		}
		out = append(out, v)
	}
	return out, next >= len(positional)
}

// formatAt is the literal that is the format of a call, as it is written, and where.
func formatAt(p *rule.Pass, c *infer.Call) (string, parse.Loc) {
	if c.Node == nil || len(c.Node.Args) == 0 || c.Node.Args[0].Name != "" {
		return "", parse.Loc{}
	}
	loc := parse.Loc{Chunk: c.Loc.Chunk, Span: c.Node.Args[0].Value.Span()}
	s, ok := c.Node.Args[0].Value.(*parse.Str)
	text := loc.Text()
	if _, _, in := p.File.Range(loc); !ok || !in || s.F || s.Bytes || text == "" || text[0] != '"' && text[0] != '\'' || strings.Contains(text, "\n") {
		return "", parse.Loc{}
	}
	return text, loc
}

// noPlaceholder leaves the placeholders of a format out, for a core that prints the value behind the text.
func noPlaceholder(p *rule.Pass, c *infer.Call, d *printed) *rule.Fix {
	lit, loc := formatAt(p, c)
	if lit == "" || len(d.args) > 1 || d.keywords || strings.Contains(lit, "{{") {
		return nil
	}
	text := placeholder.ReplaceAllString(lit, "")
	quote := text[len(text)-1:]
	text = strings.TrimRight(text[:len(text)-1], " ") + quote
	return edit.Fix(true, "Leave the placeholder out", rule.Safe, []rule.Edit{{Loc: loc, New: text}})
}
