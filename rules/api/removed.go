package api

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
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
			d := p.Report(u.Loc, "JAX %s has no `%s`%s", p.Release.Version, short(u.Name), was(u)).Offer(replaced(p, u))
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

// replaced offers what stands for the name in this release.
func replaced(p *rule.Pass, u *infer.NameUse) *rule.Fix {
	if fix := indexed(p, u); fix != nil {
		return fix
	}
	if canonical := u.Absence.Canonical; canonical != "" {
		if _, ok := p.Release.Lookup(canonical); ok {
			return written(p, u, canonical, rule.Safe)
		}
		return nil
	}
	if to := shorter(p, u.Name); to != "" {
		return written(p, u, to, rule.Unsafe)
	}
	return nil
}

// written writes another name at the place, with the import that it needs where that is another module's.
func written(p *rule.Pass, u *infer.NameUse, to string, safety rule.Safety) *rule.Fix {
	module, name, ok := cutLast(u.Name)
	newModule, newName, ok2 := cutLast(to)
	title := "Use `" + short(to) + "`"
	if !ok || !ok2 || !strings.HasSuffix(u.Loc.Text(), name) {
		return nil
	}
	if module == newModule {
		loc := parse.Loc{Chunk: u.Loc.Chunk, Span: parse.Span{Start: u.Loc.End - int32(len(name)), End: u.Loc.End}}
		return &rule.Fix{Title: title, Safety: safety, Edits: []rule.Edit{{Loc: loc, New: newName}}}
	}
	x, ok := edit.ExprAt(p.File, u.Loc)
	names := edit.NamesAt(p.File, u.Loc)
	if _, isAttr := x.(*parse.Attr); !ok || !isAttr || names == nil {
		return nil // an import, which other places rest on
	}
	text := names.Name(newModule, newName)
	return &rule.Fix{Title: title, Safety: safety, Edits: append(names.Edits, rule.Edit{Loc: u.Loc, New: text})}
}

// shorter is the one name of the same module that is the end of this one: CompilerParams for TPUCompilerParams.
func shorter(p *rule.Pass, dotted string) string {
	module, name, _ := cutLast(dotted)
	found := ""
	for _, other := range p.Release.Attributes(module) {
		prefix, ok := strings.CutSuffix(name, other)
		if !ok || len(prefix) < 2 || prefix != strings.ToUpper(prefix) || strings.HasSuffix(prefix, "_") || len(module)+1+len(other) <= len(found) {
			continue
		}
		found = module + "." + other
	}
	return found
}

func cutLast(dotted string) (before, last string, ok bool) {
	i := strings.LastIndexByte(dotted, '.')
	if i < 0 {
		return "", dotted, false
	}
	return dotted[:i], dotted[i+1:], true
}
