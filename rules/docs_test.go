package rules_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"pallas-lsp/rules"
)

var update = flag.Bool("update", false, "write docs/rules.md anew")

func TestDocs(t *testing.T) {
	path := filepath.Join("..", "docs", "rules.md")
	want := rules.Docs()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/rules.md is not what the pages say; run go test ./rules -run TestDocs -update")
	}
}

// TestNames: a name, old or new, means one rule.
func TestNames(t *testing.T) {
	of := map[string]string{}
	for _, r := range rules.All() {
		for _, name := range append([]string{r.Name}, r.Old...) {
			if other, taken := of[name]; taken {
				t.Errorf("%s is a name of %s and of %s", name, other, r.Name)
			}
			of[name] = r.Name
		}
	}
}
