package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

var (
	oneRule = &rule.Rule{Name: "one", Old: []string{"uno"}}
	twoRule = &rule.Rule{Name: "two"}
)

func catalogue(t *testing.T) {
	t.Helper()
	list := append([]*rule.Rule{oneRule, twoRule}, control.Rules...)
	t.Cleanup(rules.Swap(list))
}

// found makes a finding of a rule at each call of its name that stands in the code.
func found(f *parse.File) []*rule.Diagnostic {
	var out []*rule.Diagnostic
	for _, r := range []*rule.Rule{oneRule, twoRule} {
		for _, c := range f.Chunks {
			for at := 0; ; {
				n := strings.Index(c.Text[at:], r.Name+"(")
				if n < 0 {
					break
				}
				start := at + n
				end := start + len(r.Name) + 1
				if n := strings.IndexByte(c.Text[start:], ')'); n >= 0 {
					end = start + n + 1
				}
				at = end
				if slices.ContainsFunc(c.Comments, func(m parse.Comment) bool { return int(m.Start) < start && start < int(m.End) }) {
					continue
				}
				out = append(out, &rule.Diagnostic{Rule: r, Loc: parse.Loc{Chunk: c, Span: parse.Span{Start: int32(start), End: int32(end)}}})
			}
		}
	}
	return out
}

func suppress(text string, cfg *rules.Config) (*parse.File, []*rule.Diagnostic) {
	f := parse.Parse("a.py", []byte(text))
	return f, rules.Suppress(&infer.Facts{File: f}, found(f), cfg)
}

// say writes findings as "line:name".
func say(f *parse.File, list []*rule.Diagnostic) []string {
	var out []string
	for _, d := range list {
		start, _, _ := f.Range(d.Loc)
		line, _ := f.Position(start, parse.UTF8)
		out = append(out, fmt.Sprintf("%d:%s", line+1, d.Rule.Name))
	}
	return out
}

func TestSuppress(t *testing.T) {
	catalogue(t)
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no comment", "one(1)\ntwo(2)\n", []string{"1:one", "2:two"}},
		{"on the line", "one(1)  # pallas: ignore[one] since\none(2)\n", []string{"2:one"}},
		{"by its old name", "one(1)  # pallas: ignore[uno]\n", nil},
		{"several names", "one(1); two(2)  # pallas: ignore[one, two]\n", nil},
		{"one of two", "one(1); two(2)  # pallas: ignore[two]\n", []string{"1:one"}},
		{"blanks", "one(1)  #pallas:ignore [ one ,two ]\n", []string{"1:unused-suppression"}},
		{"behind another comment", "one(1)  # noqa: E501  # pallas: ignore[one]  # more\n", nil},
		{"alone above", "# pallas: ignore[one] why\none(1)\none(2)\n", []string{"3:one"}},
		{"alone above other comments", "# pallas: ignore[one]\n# another\n# pallas: ignore[two]\none(1); two(2)\n", nil},
		{"alone above, indented", "def f():\n    # pallas: ignore[one]\n    one(1)\n", nil},
		{"not across a blank line", "# pallas: ignore[one]\n\none(1)\n", []string{"1:unused-suppression", "3:one"}},
		{"at the end of a long one", "one(1,\n    2)  # pallas: ignore[one]\n", nil},
		{"in the middle of a long one", "one(1,  # pallas: ignore[one]\n    2,\n    3)\n", nil},
		{"for the file", "one(1)\n\n# pallas: file-ignore[one] generated\n\none(2)\ntwo(3)\n", []string{"6:two"}},
		{"for the file, before all", "# pallas: file-ignore[one, two]\none(1)\ntwo(2)\n", nil},
		{"unused", "x = 1  # pallas: ignore[one]\n", []string{"1:unused-suppression"}},
		{"unused in the file", "# pallas: file-ignore[two]\none(1)\n", []string{"1:unused-suppression", "2:one"}},
		{"unknown", "one(1)  # pallas: ignore[oen]\n", []string{"1:one", "1:unknown-suppression"}},
		{"without names", "one(1)  # pallas: ignore\n", []string{"1:one", "1:unknown-suppression"}},
		{"with no name in the brackets", "one(1)  # pallas: ignore[ ]\n", []string{"1:one", "1:unknown-suppression"}},
		{"open brackets", "one(1)  # pallas: ignore[one\n", []string{"1:one", "1:unknown-suppression"}},
		{"misspelled", "one(1)  # pallas: ingore[one]\n", []string{"1:one", "1:unknown-suppression"}},
		{"only prose", "x = 1  # pallas: see the guide, then ignore the rest\ny = 1  # pallas: ignore the rest\n", nil},
		{"in a string", "x = '# pallas: ignore[one]'; one(1)\n", []string{"1:one"}},
		{"silences its own kind", "# pallas: file-ignore[unused-suppression]\nx = 1  # pallas: ignore[one]\n", nil},
		{"unknown, silenced", "# pallas: ignore[unknown-suppression]\nx = 1  # pallas: ignore[nope]\n", nil},
		{"without code", "# pallas: ignore[one]\n", nil},
		{"Windows line ends", "one(1)  # pallas: ignore[one]\r\none(2)\r\n", []string{"2:one"}},
	} {
		f, got := suppress(c.text, &rules.Config{})
		if say := say(f, got); !slices.Equal(say, c.want) {
			t.Errorf("%s: %q, want %q", c.name, say, c.want)
		}
	}
}

// TestUnusedOnlyOfRulesThatRan: whether a rule that is off would need the comment, nobody knows.
func TestUnusedOnlyOfRulesThatRan(t *testing.T) {
	catalogue(t)
	for _, cfg := range []*rules.Config{{Ignore: []string{"one"}}, {Select: []string{"two", "unused-suppression"}}, {Ignore: []string{"unused-suppression"}}} {
		f, got := suppress("x = 1  # pallas: ignore[one]\n", cfg)
		if len(got) > 0 {
			t.Errorf("%+v: %q", cfg, say(f, got))
		}
	}
}

func TestRemoveUnused(t *testing.T) {
	catalogue(t)
	for _, c := range [][2]string{
		{"x = 1  # pallas: ignore[one]\n", "x = 1\n"},
		{"x = 1  # pallas: ignore[one] a reason\n", "x = 1\n"},
		{"x = 1  # noqa  # pallas: ignore[one] a reason\n", "x = 1  # noqa\n"},
		{"x = 1  # pallas: ignore[one] a reason  # noqa\n", "x = 1  # noqa\n"},
		{"def f():\n    # pallas: ignore[one]\n    x = 1\n", "def f():\n    x = 1\n"},
		{"# pallas: file-ignore[one]\nx = 1\n", "x = 1\n"},
		{"two(1)  # pallas: ignore[one, two]\n", "two(1)  # pallas: ignore[two]\n"},
		{"two(1)  # pallas: ignore[two, one] why\n", "two(1)  # pallas: ignore[two] why\n"},
		{"x = 1  # pallas: ignore[one]\r\n", "x = 1\r\n"},
	} {
		f, got := suppress(c[0], &rules.Config{})
		var edits []parse.Edit
		for _, d := range got {
			for _, fix := range d.Fixes {
				start, end, ok := f.Range(fix.Edits[0].Loc)
				if !ok {
					t.Fatalf("%q: the place of the fix is not in the file", c[0])
				}
				edits = append(edits, parse.Edit{Start: start, End: end, New: fix.Edits[0].New})
			}
		}
		text, err := parse.Apply(f.Src, edits)
		if err != nil || string(text) != c[1] {
			t.Errorf("%q: %q %v", c[0], text, err)
		}
	}
}

// TestIgnoreHere applies the edit: the finding must be gone, and nothing else be found.
func TestIgnoreHere(t *testing.T) {
	catalogue(t)
	for _, c := range [][2]string{
		{"one(1)\n", "one(1)  # pallas: ignore[one]\n"},
		{"one(1)   \n", "one(1)  # pallas: ignore[one]\n"},
		{"one(1)", "one(1)  # pallas: ignore[one]"},
		{"one(1)  # noqa\n", "one(1)  # noqa  # pallas: ignore[one]\n"},
		{"two(2); one(1)  # pallas: ignore[two] why\n", "two(2); one(1)  # pallas: ignore[two, one] why\n"},
		{"# pallas: ignore[two]\ntwo(2); one(1)\n", "# pallas: ignore[two, one]\ntwo(2); one(1)\n"},
		{"f(one(1),\n  2)\n", "f(one(1),  # pallas: ignore[one]\n  2)\n"},
		{"one(1)\r\n", "one(1)  # pallas: ignore[one]\r\n"},
		{"x = one(1) + \"\"\"a\nb\"\"\"\n", ""},
		{"x = one(1) + \\\n  2\n", ""},
	} {
		f, got := suppress(c[0], &rules.Config{})
		i := slices.IndexFunc(got, func(d *rule.Diagnostic) bool { return d.Rule == oneRule })
		edit := rules.IgnoreHere(f, got[i])
		if edit == nil {
			if c[1] != "" {
				t.Errorf("%q: no edit", c[0])
			}
			continue
		}
		text, err := parse.Apply(f.Src, []parse.Edit{*edit})
		if err != nil || string(text) != c[1] {
			t.Errorf("%q: %q %v", c[0], text, err)
			continue
		}
		if f, left := suppress(string(text), &rules.Config{}); len(left) > 0 {
			t.Errorf("%q: left %q", text, say(f, left))
		}
	}
}
