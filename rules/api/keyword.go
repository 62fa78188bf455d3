package api

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// unknownKeyword: Python refuses a keyword that the signature does not have. Compiler parameters have a rule of their own.
var unknownKeyword = &rule.Rule{
	Name: "unknown-pallas-call-kwarg",
	Page: page("keyword.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){"*": func(p *rule.Pass, c *infer.Call) {
		if !strings.HasPrefix(c.API, "jax.experimental.pallas") || strings.HasSuffix(c.API, "CompilerParams") || p.Release.Asked != "" {
			return
		}
		obj, ok := p.Release.Lookup(c.API)
		if !ok || !obj.HasParams {
			return
		}
		for _, a := range c.Extra {
			if a.Name == "" || obj.Accepts(a.Name) {
				continue
			}
			near := nearest(a.Name, c, obj.Params)
			hint := ""
			if near != "" {
				hint = "; did you mean `" + near + "`?"
			}
			p.Report(keywordLoc(a), "`%s` takes no argument `%s`%s", short(c.API), a.Name, hint).At(c.Loc).
				Says("TypeError: %s() got an unexpected keyword argument '%s'", lastPart(c.API), a.Name).Offer(respell(a, near))
		}
	}},
}

func lastPart(dotted string) string {
	_, last, _ := cutLast(dotted)
	return last
}

// keywordLoc is the name before the = where it is written in front of its value, else the value.
func keywordLoc(a infer.Arg) parse.Loc {
	loc := a.Loc
	if loc.Chunk == nil {
		return loc
	}
	before := strings.TrimRight(loc.Chunk.Text[:loc.Start], " \t")
	head := strings.TrimRight(strings.TrimSuffix(before, "="), " \t")
	if len(head) == len(before) || !strings.HasSuffix(head, a.Name) {
		return loc
	}
	end := int32(len(head))
	return parse.Loc{Chunk: loc.Chunk, Span: parse.Span{Start: end - int32(len(a.Name)), End: end}}
}

func respell(a infer.Arg, near string) *rule.Fix {
	loc := keywordLoc(a)
	if near == "" || loc.Text() != a.Name {
		return nil
	}
	return &rule.Fix{Title: "Write `" + near + "`", Safety: rule.Unsafe, Edits: []rule.Edit{{Loc: loc, New: near}}}
}
