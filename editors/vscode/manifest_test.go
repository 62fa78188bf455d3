// Package vscode holds the extension's manifest against what the server takes.
package vscode

import (
	"encoding/json"
	"os"
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
