package api

import (
	"slices"
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// wrongArguments: Python refuses a call of JAX's that leaves out a required argument or has a position too many. Meshes have rules of
// their own, and so have unknown keywords.
var wrongArguments = &rule.Rule{
	Name: "wrong-arguments",
	Page: page("arguments.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){"*": func(p *rule.Pass, c *infer.Call) {
		if c.Open && c.Site == nil || c.Guarded || p.Release.Asked != "" || !judged(c.API) {
			return
		}
		if strangeKeyword(c) || reportMissing(p, c) {
			return
		}
		for _, a := range c.Extra {
			if a.Name == "" {
				reportTooMany(p, c, a)
				return
			}
		}
	}},
}

// strangeKeyword: Python complains of such a keyword first, and the argument that seems to lack may be what it was meant to be.
func strangeKeyword(c *infer.Call) bool {
	return slices.ContainsFunc(c.Extra, func(a infer.Arg) bool { return a.Name != "" })
}

// judged: the signature that the data has is the one that Python checks the call against.
func judged(api string) bool {
	if strings.HasSuffix(api, "Mesh") || strings.HasSuffix(api, "_mesh") {
		return false
	}
	return slices.ContainsFunc(plain, func(module string) bool { return strings.HasPrefix(api, module) })
}

// plain are the public modules whose functions are not wrapped by decorators that change how they are called.
var plain = []string{"jax.experimental.pallas.", "jax.lax.", "jax.numpy.", "jax.nn.", "jax.ref.", "jax.random.", "jax.ShapeDtypeStruct", "memory_space"}

func reportMissing(p *rule.Pass, c *infer.Call) bool {
	var names []string
	word := "positional"
	for _, m := range c.Missing {
		if m.Name == "mesh" {
			continue
		}
		if m.Kind == jax.KeywordOnly {
			word = "keyword-only"
		}
		names = append(names, m.Name)
	}
	if len(names) == 0 {
		return false
	}
	arguments := "argument"
	if len(names) > 1 {
		arguments = "arguments"
	}
	p.Report(c.Func, "`%s` needs %s too", called(c), "`"+strings.Join(names, "` and `")+"`").At(c.Loc).
		Says("TypeError: %s() missing %d required %s %s: '%s'", lastPart(c.API), len(names), word, arguments, strings.Join(names, "' and '"))
	return true
}

func reportTooMany(p *rule.Pass, c *infer.Call, extra infer.Arg) {
	obj, ok := p.Release.Lookup(c.API)
	if !ok || !obj.HasParams || obj.Kind == jax.KindMethod {
		return
	}
	takes, given, next := 0, 0, ""
	for _, q := range obj.Params {
		switch {
		case q.Kind == jax.PositionalOnly || q.Kind == jax.PositionalOrKeyword:
			takes++
		case q.Kind == jax.KeywordOnly && next == "":
			next = q.Name
		}
	}
	for _, a := range c.Args {
		if a.Name == "" {
			given++
		}
	}
	hint := ""
	if next != "" {
		hint = "; the rest, such as `" + next + "`, is named"
	}
	loc := extra.Loc
	if !loc.Valid() {
		loc = c.Func
	}
	p.Report(loc, "`%s` takes %d arguments without a name, and is given %d%s", called(c), takes, given, hint).At(c.Loc).
		Says("TypeError: %s() takes %d positional arguments but %d were given", lastPart(c.API), takes, given)
}

// called is the function as the author wrote it, where that is a name.
func called(c *infer.Call) string {
	if text := c.Func.Text(); text != "" && len(text) < 40 && !strings.ContainsAny(text, "(@\n") {
		return text
	}
	return short(c.API)
}
