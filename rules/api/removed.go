package api

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// removedAPI: a module of JAX lacks the name, so that Python's own attribute or import error ends the program.
var removedAPI = &rule.Rule{
	Name: "removed-pallas-api",
	Page: page("removed.md"),
	World: func(p *rule.Pass, w *infer.World) {
		for _, u := range w.Names {
			if !u.Missing || u.Guarded || !strings.HasPrefix(u.Name, "jax.experimental.pallas") {
				continue
			}
			d := p.Report(u.Loc, "JAX %s has no `%s`%s", p.Release.Version, short(u.Name), was(u)).Offer(rename(p, u))
			if u.Absence.Message != "" {
				d.Says("AttributeError: %s", u.Absence.Message)
			}
		}
	},
}

// was says what became of a name: the release that had it last, and what stands for it now.
func was(u *infer.NameUse) string {
	in := u.Absence.In
	if len(in) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s was the last known release with it", in[len(in)-1])
}

// rename offers the name that the same thing has in this release, where it is in the same module.
func rename(p *rule.Pass, u *infer.NameUse) *rule.Fix {
	canonical := u.Absence.Canonical
	if _, ok := p.Release.Lookup(canonical); canonical == "" || !ok {
		return nil
	}
	module, name, ok := cutLast(u.Name)
	newModule, newName, ok2 := cutLast(canonical)
	text := u.Loc.Text()
	if !ok || !ok2 || module != newModule || !strings.HasSuffix(text, name) {
		return nil
	}
	loc := parse.Loc{Chunk: u.Loc.Chunk, Span: parse.Span{Start: u.Loc.End - int32(len(name)), End: u.Loc.End}}
	return &rule.Fix{Title: "Use `" + short(canonical) + "`", Safety: rule.Safe, Edits: []rule.Edit{{Loc: loc, New: newName}}}
}

func cutLast(dotted string) (before, last string, ok bool) {
	i := strings.LastIndexByte(dotted, '.')
	if i < 0 {
		return "", dotted, false
	}
	return dotted[:i], dotted[i+1:], true
}
