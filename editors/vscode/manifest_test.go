// Package vscode holds the extension's manifest against what the server takes.
package vscode

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/rules/config"
	"pallas-lsp/rules/jax"
)

type manifest struct {
	Contributes struct {
		Configuration struct {
			Properties map[string]struct {
				Enum []string
			}
		}
	}
}

func read(t *testing.T) manifest {
	t.Helper()
	text, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestChipsAreThoseOfTheServer(t *testing.T) {
	m := read(t)
	want := []string{""}
	for _, c := range jax.Chips() {
		want = append(want, c.Name)
	}
	if got := m.Contributes.Configuration.Properties["pallas-lsp.chip"].Enum; !slices.Equal(got, want) {
		t.Errorf("the setting offers %q, the server takes %q", got, want)
	}
}

func TestEachKindOfHintHasASetting(t *testing.T) {
	m := read(t)
	var declared []string
	for name := range m.Contributes.Configuration.Properties {
		if kind, ok := strings.CutPrefix(name, "pallas-lsp.hints."); ok {
			declared = append(declared, kind)
		}
	}
	slices.Sort(declared)
	if !slices.Equal(declared, config.HintKinds()) {
		t.Errorf("settings for %q, the server has %q", declared, config.HintKinds())
	}
}

// TestSettingsAreThoseOfTheDocs: the manifest, what the extension sends, docs/settings.md and the server name the same settings.
func TestSettingsAreThoseOfTheDocs(t *testing.T) {
	var keys []string
	for _, key := range config.Keys() {
		if key != "hints" {
			keys = append(keys, camel(key))
		}
	}
	var server []string // as the server takes them
	server = append(server, keys...)
	for _, kind := range config.HintKinds() {
		server = append(server, "hints."+kind)
	}
	slices.Sort(server)
	var declared []string
	for name := range read(t).Contributes.Configuration.Properties {
		if name = strings.TrimPrefix(name, "pallas-lsp."); name != "path" && name != "trace.server" { // the extension's own
			declared = append(declared, name)
		}
	}
	slices.Sort(declared)
	if !slices.Equal(declared, server) {
		t.Errorf("the manifest declares %q, the server takes %q", declared, server)
	}
	if sent := quoted(t, "src/settings.ts", `forServer = \[(.*?)\]`, `'([^']+)'`); !slices.Equal(sent, server) {
		t.Errorf("the extension sends %q, the server takes %q", sent, server)
	}
	if named := quoted(t, "../../docs/settings.md", `(?s)\| key \|(.*?)\n\n`, "(?m)^\\| `([^`]+)`"); !slices.Equal(named, config.Keys()) {
		t.Errorf("docs/settings.md explains %q, the server takes %q", named, config.Keys())
	}
	if named := quoted(t, "../../docs/settings.md", `(?s)\| kind of hint \|(.*?)\n\n`, "(?m)^\\| `([^`]+)`"); !slices.Equal(named, config.HintKinds()) {
		t.Errorf("docs/settings.md explains the hints %q, the server has %q", named, config.HintKinds())
	}
}

func camel(key string) string {
	words := strings.Split(key, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// quoted returns, sorted, what a pattern finds in the part of a file that another one finds.
func quoted(t *testing.T, path, part, each string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(part).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s has no %s", path, part)
	}
	var out []string
	for _, name := range regexp.MustCompile(each).FindAllSubmatch(m[1], -1) {
		out = append(out, string(name[1]))
	}
	slices.Sort(out)
	return out
}
