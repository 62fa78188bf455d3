// Package vscode holds the extension's manifest against what the server takes.
package vscode

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

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

func TestChipsAreThoseOfTheServer(t *testing.T) {
	text, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	want := []string{""}
	for _, c := range jax.Chips() {
		want = append(want, c.Name)
	}
	if got := m.Contributes.Configuration.Properties["pallas-lsp.chip"].Enum; !slices.Equal(got, want) {
		t.Errorf("the setting offers %q, the server takes %q", got, want)
	}
}
