package rules_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/testdata/seeds"
)

// FuzzSuppress: whatever comments say, what they leave is a part of what was found, every place is inside the file, and when all that is
// unused is taken out, the same is silenced as before.
func FuzzSuppress(f *testing.F) {
	seeds.Add([]string{
		"one(1)  # pallas: ignore[one] since\none(2)\n", "one(1); two(2)  # pallas: ignore[one, two]\n", "# pallas: file-ignore[one]\none(1)\n",
		"# pallas: ignore[two] why\n# pallas: ignore[one\none(1,\n  2)  # pallas:ignore [ one ,, uno ] # pallas: ignore[one]\n",
		"def f():\n  one(1) # pallas: ignore\n  # pallas: ignore[one]\n\n  # pallas: ignore[nope, unused-suppression]\n  two(2)\r\n#pallas: file-ignore[]\r",
		"one('''# pallas: ignore[one]\n''')\\\n  # pallas: ignore[one]\n", "\ufeff# pallas: ignore[one]",
	}, func(text string) { f.Add(text) })
	list := append([]*rule.Rule{oneRule, twoRule}, control.Rules...)
	f.Cleanup(rules.Swap(list))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 5000 {
			return
		}
		file := parse.Parse("a.py", []byte(text))
		before := found(file)
		kept := rules.Suppress(&infer.Facts{File: file}, before, &rules.Config{})
		var edits []parse.Edit
		for _, d := range kept {
			start, end := inside(t, file, d.Loc)
			if d.Rule == control.UnusedSuppression {
				edits = append(edits, editsOf(t, file, d)...)
			}
			if (d.Rule == oneRule || d.Rule == twoRule) && !slices.Contains(before, d) {
				t.Fatalf("made up: %s at %d-%d", d.Rule.Name, start, end)
			}
		}
		tidy(t, file, kept, edits)
	})
}

func inside(t *testing.T, f *parse.File, loc parse.Loc) (start, end int) {
	t.Helper()
	start, end, ok := f.Range(loc)
	if !ok || start < 0 || end < start || end > len(f.Src) {
		t.Fatalf("place %d-%d, %v, of %q", start, end, ok, f.Src)
	}
	return start, end
}

func editsOf(t *testing.T, f *parse.File, d *rule.Diagnostic) []parse.Edit {
	t.Helper()
	var out []parse.Edit
	for _, x := range d.Fixes {
		for _, e := range x.Edits {
			start, end := inside(t, f, e.Loc)
			out = append(out, parse.Edit{Start: start, End: end, New: e.New})
		}
	}
	return out
}

// tidy takes out the first comment or name that is unused.
func tidy(t *testing.T, file *parse.File, kept []*rule.Diagnostic, edits []parse.Edit) {
	t.Helper()
	if len(edits) == 0 {
		return
	}
	text, err := parse.Apply(file.Src, edits[:1])
	if err != nil {
		t.Fatal(err)
	}
	next := file.Edit(text)
	again := rules.Suppress(&infer.Facts{File: next}, found(next), &rules.Config{})
	if got, want := ours(again), ours(kept); got != want {
		t.Fatalf("%q\nleaves %s, and without what is unused\n%q\nleaves %s", file.Src, want, text, got)
	}
	if bytes.Equal(text, file.Src) {
		t.Fatalf("nothing was taken out of %q", text)
	}
}

func ours(list []*rule.Diagnostic) string {
	var out []string
	for _, d := range list {
		if d.Rule == oneRule || d.Rule == twoRule {
			out = append(out, d.Rule.Name)
		}
	}
	return strings.Join(out, " ")
}
