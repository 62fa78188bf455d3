package config

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/rules"
	"pallas-lsp/rules/rule"
)

func catalogue(t *testing.T) {
	t.Helper()
	list := []*rule.Rule{{Name: "one-rule", Old: []string{"old-rule"}}, {Name: "two-rule"}}
	t.Cleanup(rules.Swap(list))
}

func TestParse(t *testing.T) {
	catalogue(t)
	o, problems := Parse(`
[project]
name = "x"

[tool.pallas-lsp]
chip = "TPU v5 lite"
jax-version = "0.10.2"
select = ["one-rule"]
ignore = ["two-rule"]
severity = { old-rule = "hint", "two-rule" = "off" }

[tool.pallas-lsp.hints]
copies = false
`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if o.Chip.Name != "v5e" || o.JAXVersion != "0.10.2" || !slices.Equal(o.Select, []string{"one-rule"}) || !slices.Equal(o.Ignore, []string{"two-rule", "two-rule"}) ||
		o.Severity["one-rule"] != rule.Hint || len(o.Severity) != 1 || o.Hints.Refs != nil || *o.Hints.Copies {
		t.Errorf("%+v", o)
	}
}

func TestNoTable(t *testing.T) {
	for _, text := range []string{"", "[tool.ruff]\nx = 1\n", "[tool]\n", "not toml at all = ="} {
		if o, problems := Parse(text); o != nil || len(problems) > 0 {
			t.Errorf("%q: %v %v", text, o, problems)
		}
	}
}

// TestProblems has one wrong line in each text; whatever else is right is still used.
func TestProblems(t *testing.T) {
	catalogue(t)
	for _, c := range []struct {
		text string
		line int
		want string
	}{
		{"[tool.pallas-lsp]\nchop = \"v5e\"", 2, "did you mean `chip`?"},
		{"[tool.pallas-lsp]\nchip = \"v99\"", 2, `"v99" is no chip; chips are`},
		{"[tool.pallas-lsp]\n\nchip = 5", 3, "5 is no chip"},
		{"[tool.pallas-lsp]\njax-version = \"newest\"", 2, "is no version of JAX"},
		{"[tool.pallas-lsp]\njax-version = 0.9", 2, "is no version of JAX"},
		{"[tool.pallas-lsp]\nselect = \"one-rule\"", 2, "must be a list of rule names"},
		{"[tool.pallas-lsp]\nignore = [\"one-rul\"]", 2, "did you mean `one-rule`?"},
		{"[tool.pallas-lsp]\nignore = [3]", 2, "is no rule"},
		{"[tool.pallas-lsp]\nseverity = 3", 2, "must be a table"},
		{"[tool.pallas-lsp]\nchip = \"v5e\"\n[tool.pallas-lsp.severity]\none-rule = \"loud\"", 4, `not "loud"`},
		{"[tool.pallas-lsp]\nseverity = { none-rule = \"hint\" }", 1, "is no rule"},
		{"[tool.pallas-lsp]\nhints = 7", 2, "must be true, false or a table"},
		{"[tool.pallas-lsp.hints]\nref = true", 2, "is no kind of hint"},
		{"[tool.pallas-lsp]\nhints = { refs = 1 }", 1, "must be true or false"},
		{"[tool]\npallas-lsp = 4", 2, "must be a table"},
		{"[tool.pallas-lsp]\nchip = ", 2, "this is not TOML"},
	} {
		_, problems := Parse(c.text)
		if len(problems) != 1 || problems[0].Line != c.line || !strings.Contains(problems[0].Message, c.want) {
			t.Errorf("%q: %v", c.text, problems)
		}
	}
}

func TestFromEditor(t *testing.T) {
	catalogue(t)
	for _, value := range []any{nil, "x", map[string]any{}, map[string]any{"pallas-lsp": map[string]any{"path": "/x", "trace": 1}},
		map[string]any{"severity": []any{}, "hints": []any{}, "ignore": []any{}}} {
		if o, problems := FromEditor(value); o == nil || len(problems) > 0 {
			t.Errorf("%v: %v %v", value, o, problems)
		}
	}
	o, problems := FromEditor(map[string]any{"pallas-lsp": map[string]any{"jaxVersion": "0.9.2", "chip": "", "inlayHints": map[string]any{"refs": false}, "select": nil}})
	if len(problems) > 0 || o.JAXVersion != "0.9.2" || o.Chip != nil || *o.Hints.Refs {
		t.Errorf("%+v %v", o, problems)
	}
}

func TestOver(t *testing.T) {
	catalogue(t)
	chip, _ := ParseChip("7x")
	no := false
	above := &Options{Ignore: []string{"one-rule"}, Severity: map[string]rule.Severity{"one-rule": rule.Hint}}
	below := &Options{Chip: chip, JAXVersion: "0.9.2", Select: []string{"two-rule"}, Ignore: []string{"two-rule"},
		Severity: map[string]rule.Severity{"one-rule": rule.Error, "two-rule": rule.Warning}, Hints: Hints{Refs: &no}}
	o := above.Over(below)
	if o.Chip != chip || o.JAXVersion != "0.9.2" || len(o.Ignore) != 2 || o.Severity["one-rule"] != rule.Hint || o.Severity["two-rule"] != rule.Warning || o.Hints.Refs != &no {
		t.Errorf("%+v", o)
	}
	if below.Severity["one-rule"] != rule.Error {
		t.Error("the lower options were changed")
	}
	var none *Options
	if none.Over(nil) == nil || none.Over(below).Chip != chip {
		t.Error("absent options")
	}
}

// TestSettingsPage: docs/settings.md tells of every key and every kind of hint.
func TestSettingsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Concat(keys, slices.Collect(maps.Keys((&Hints{}).kinds())))
	for _, name := range names {
		if !strings.Contains(string(page), "\n| `"+name+"` |") {
			t.Errorf("docs/settings.md says nothing of `%s`", name)
		}
	}
}
