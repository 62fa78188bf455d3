package config

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pallas-lsp/rules"
	"pallas-lsp/testdata/seeds"
)

// FuzzConfig: whatever a pyproject.toml or an editor says, it is read without a panic, the same each time, and what comes out can be used.
func FuzzConfig(f *testing.F) {
	seeds.Add([]string{
		"[tool.pallas-lsp]\nchip = \"v5e\"\njax-version = \"0.12.0\"\nignore = [\"unused-suppression\"]\nselect = []\nseverity = { unused-suppression = \"hint\" }\nhints = { refs = true, copies = false }\n",
		"[tool.pallas-lsp]\nchip = 5\nignore = 1\nnone = {}\nseverity = [1]\nhints = \"x\"\njax-version = 0.1\n",
		"tool.pallas-lsp.severity.\"a.b\" = 'error'\n[tool.other]\nx = [[[]]]\n", "[tool]\npallas-lsp = 1979-05-27T07:32:00Z\n", "[[tool.pallas-lsp]]\n",
		`{"settings": {"pallasLsp": {"chip": "v4", "inlayHints": {"refs": "x"}, "severity": {"a": 1}, "select": ["a", 1, null]}}}`,
		"[tool.pallas-lsp]\nchip = \"" + strings.Repeat("v", 3000) + "\"\n", "[tool.pallas-lsp" + strings.Repeat("[", 2000),
		"[tool.pallas-lsp]\nx = " + strings.Repeat("{a = ", 1000),
	}, func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) {
		options, problems := Parse(text)
		again, problemsAgain := Parse(text)
		if !reflect.DeepEqual(options, again) || !reflect.DeepEqual(problems, problemsAgain) {
			t.Fatalf("%+v %v, then %+v %v", options, problems, again, problemsAgain)
		}
		for _, p := range problems {
			if p.Line < 0 || p.Line > 1+strings.Count(text, "\n") || p.Message == "" {
				t.Fatalf("problem %+v", p)
			}
		}
		usable(t, options)
		var value any
		if json.Unmarshal([]byte(text), &value) == nil {
			fromEditor, _ := FromEditor(value)
			usable(t, fromEditor)
			usable(t, fromEditor.Over(options))
		}
	})
}

func usable(t *testing.T, o *Options) {
	t.Helper()
	if o == nil {
		return
	}
	for _, name := range append(o.Select, o.Ignore...) {
		if rules.Find(name) == nil {
			t.Fatalf("no rule %q", name)
		}
	}
	for name := range o.Severity {
		if rules.Find(name) == nil {
			t.Fatalf("no rule %q", name)
		}
	}
	if o.JAXVersion != "" && !ValidVersion(o.JAXVersion) {
		t.Fatalf("no version %q", o.JAXVersion)
	}
}
