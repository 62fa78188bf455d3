package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/testdata/oracle"
)

// TestReleases holds rules to what each measured release answered: no error where it accepted the block, the page's own error where it
// refused a bad block with the page's message, and the page's range of releases to the two.
func TestReleases(t *testing.T) {
	pages, err := oracle.Pages(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	measured := os.DirFS(filepath.Join("..", "testdata", "oracle", "measured"))
	for _, p := range pages {
		t.Run(p.Path, func(t *testing.T) {
			measures, err := oracle.ReadMeasures(measured, p)
			if err != nil {
				t.Fatal(err)
			}
			if !measures.Complete(p) {
				t.Fatal("not put to every release; run testdata/oracle/releases -ranges")
			}
			for _, problem := range oracle.JudgeReleases(p, measures) {
				t.Error(problem)
			}
			for _, b := range p.Blocks {
				for _, q := range b.ReleaseQuestions() {
					if a, ok := measures.Answer(b, q.JAX); ok {
						checkRelease(t, b, q, a)
					}
				}
			}
		})
	}
}

// unfound are refusals of older releases that we know of and do not find: what an operation binds there is not known.
var unfound = map[string]string{
	"block/index_map_captures.md": "0.8.3",
	"ops/dynamic_index.md":        "0.8.3",
	"ops/scan_xs.md":              "0.9.2",
}

func checkRelease(t *testing.T, b *oracle.Block, q oracle.Question, a oracle.Answer) {
	t.Helper()
	own := false
	for _, d := range findingsOf(t, b, q) {
		own = own || d.Rule.Name == b.Page.Name
		if a.Outcome == "ok" && d.Severity == rule.Error {
			t.Errorf("%s: JAX %s accepts it, and %s says: %s", b, q.JAX, d.Rule.Name, d.Message)
		}
	}
	if b.Kind == "bad" && b.Page.Severity == "error" && b.Page.Predicted(a) && !own && !explains(b.Page.Name) && unfound[b.Page.Path] != q.JAX {
		t.Errorf("%s: JAX %s refuses it as predicted, and %s is silent: %s", b, q.JAX, b.Page.Name, a.Said())
	}
}

// findingsOf is what we say of a block for one release and chip.
func findingsOf(t *testing.T, b *oracle.Block, q oracle.Question) []*rule.Diagnostic {
	t.Helper()
	cfg := &rules.Config{OnPanic: func(r *rule.Rule, v any) { t.Errorf("%s: rule %s panics: %v", b, r.Name, v) }}
	cfg.Chip, _ = jax.ParseChip(q.Chip)
	facts := infer.Analyze(parse.Parse("block.py", []byte(b.File())), infer.Options{Chip: cfg.Chip, Release: jax.For(q.JAX)})
	found := rules.Check(facts, cfg)
	return slices.DeleteFunc(rules.Suppress(facts, found, cfg), func(d *rule.Diagnostic) bool { return d.Severity > rule.Warning })
}
