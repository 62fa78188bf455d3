package fix_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/fix"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
	"pallas-lsp/testdata/seeds"
)

// FuzzFix applies each fix of a spoilt kernel alone: the text is as whole as before, the finding is gone, and there is no error that
// was not there before.
func FuzzFix(f *testing.F) {
	for i, text := range seeds.Start() {
		f.Add(text, uint64(i))
		for moves := range seeds.More() {
			f.Add(text, moves)
		}
	}
	f.Fuzz(func(t *testing.T, text string, moves uint64) {
		if len(text) > 20_000 {
			return
		}
		if moves > 0 {
			text = seeds.Spoil(rand.New(rand.NewPCG(moves, 2)), text, seeds.Others())
		}
		w := workspace.New(nil, nil)
		w.OnPanic = func(where string, v any) { t.Errorf("%s: %v", where, v) }
		a := w.Check(parse.Parse("a.py", []byte(text)))
		for _, d := range a.Findings {
			for _, x := range d.Fixes {
				if x.Safety != rule.Display {
					holds(t, w, a, d, x)
				}
			}
		}
	})
}

func holds(t *testing.T, w *workspace.Workspace, a *workspace.Analysis, d *rule.Diagnostic, x *rule.Fix) {
	t.Helper()
	edits, ok := fix.Edits(a, x)
	if !ok {
		return
	}
	what := fmt.Sprintf("fix %q of %s: %s\nin\n%s", x.Title, d.Rule.Name, d.Message, a.File.Src)
	text, err := parse.Apply(a.File.Src, edits)
	if err != nil {
		t.Fatalf("%v\n%s", err, what)
	}
	next := a.File.Edit(text)
	if broken(next) > broken(a.File) {
		t.Fatalf("no Python any more:\n%s\nafter %s", text, what)
	}
	before, after := count(a), count(w.Check(next))
	if after.of[d.Rule.Name] >= before.of[d.Rule.Name] {
		t.Fatalf("%d findings of the rule, then %d:\n%s\nafter %s", before.of[d.Rule.Name], after.of[d.Rule.Name], text, what)
	}
	if broken(a.File) > 0 { // nothing was said of what rests on the statements that are
		return
	}
	for name, n := range after.errors {
		if before.errors[name] == 0 && !stood(a.File, name) && !bound(d, after.found, name) {
			t.Fatalf("%d new errors %s:\n%s\nafter %s", n, name, text, what)
		}
	}
}

// bound reports whether all errors of a rule are in a kernel that was not traced before, as its parameters were not what its site gave it.
func bound(d *rule.Diagnostic, found []*rule.Diagnostic, name string) bool {
	return d.Rule.Unbinds && !slices.ContainsFunc(found, func(e *rule.Diagnostic) bool {
		return e.Rule.Name == name && (e.Rule.Unbinds || kernelOf(e) != kernelOf(d))
	})
}

func kernelOf(d *rule.Diagnostic) string {
	if d.Site == nil || d.Site.Func() == nil {
		return ""
	}
	return d.Site.Func().Name
}

// stood reports whether a rule alone finds an error: one that is said only when those before it are mended.
func stood(f *parse.File, name string) bool {
	return count(workspace.New(nil, &config.Options{Select: []string{name}}).Check(f)).errors[name] > 0
}

// counts are the findings of each rule, and the errors.
type counts struct {
	of, errors map[string]int
	found      []*rule.Diagnostic
}

func count(a *workspace.Analysis) counts {
	c := counts{map[string]int{}, map[string]int{}, a.Findings}
	for _, d := range a.Findings {
		c.of[d.Rule.Name]++
		if d.Severity == rule.Error {
			c.errors[d.Rule.Name]++
		}
	}
	return c
}

func broken(f *parse.File) int {
	n := 0
	for _, c := range f.Chunks {
		if c.Broken {
			n++
		}
	}
	return n
}
