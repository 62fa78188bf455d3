package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/testdata/oracle"
)

// TestPages holds every page to what it shows: our findings in its blocks, our fixes, and what real JAX answered.
func TestPages(t *testing.T) {
	pages, err := oracle.Pages(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := oracle.Elsewhere(os.DirFS(filepath.Join("..", "testdata")))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range pages {
		seen[p.Name] = true
		t.Run(p.Path, func(t *testing.T) {
			r := rules.Find(p.Name)
			if r == nil {
				t.Fatalf("no rule %q", p.Name)
			}
			for i := range p.Blocks {
				checkBlock(t, p, i)
			}
			records, err := oracle.ReadRecords(os.DirFS(filepath.Join("..", "testdata", "oracle", "recorded")), p)
			if err != nil {
				t.Fatal(err)
			}
			for _, problem := range append(oracle.Judge(p, records), oracle.JudgeAlso(p, elsewhere, inSource)...) {
				t.Error(problem)
			}
		})
	}
	for _, r := range rules.All() {
		if !seen[r.Name] {
			t.Errorf("rule %s has no page of its own under rules/", r.Name)
		}
	}
}

// inSource tells whether the source of one of JAX's releases has the message, with any values in its holes.
func inSource(c oracle.Claim) bool {
	stages := map[jax.Stage]string{jax.StageTrace: "tracing", jax.StageLower: "lowering", jax.StageInterpret: "interpreting"}
	said := func(m jax.Message) bool {
		return m.Exception == c.Type && stages[m.Stage] == c.Stage && c.Matches(m.Template)
	}
	return slices.ContainsFunc(jax.Versions(), func(v string) bool { return slices.ContainsFunc(jax.For(v).Messages(), said) })
}

func checkBlock(t *testing.T, p *oracle.Page, i int) {
	b := p.Blocks[i]
	f, found := findings(t, b)
	switch b.Kind {
	case "bad":
		if explains(p.Name) {
			return
		}
		expectFindings(t, b, f, found)
	case "fixed":
		expectNothing(t, b, f, found)
		checkFix(t, p, i)
	default:
		expectNothing(t, b, f, found)
	}
}

// explains: the rule only explains a message, it finds nothing itself.
func explains(name string) bool {
	r := rules.Find(name)
	return r.Kernel == nil && r.Site == nil && r.Call == nil && r.World == nil
}

func findings(t *testing.T, b *oracle.Block) (*parse.File, []*rule.Diagnostic) {
	t.Helper()
	f := parse.Parse("block.py", []byte(b.File()))
	cfg := &rules.Config{OnPanic: func(r *rule.Rule, v any) { t.Errorf("%s: rule %s panics: %v", b, r.Name, v) }}
	if r := rules.Find(b.Page.Name); r != nil && r.Off {
		cfg.Severity = map[string]rule.Severity{r.Name: rules.Meta(r).Severity}
	}
	switch {
	case len(b.Chips) > 0:
		cfg.Chip, _ = jax.ParseChip(b.Chips[0])
	case len(b.Page.Chips) > 0:
		cfg.Chip, _ = jax.ParseChip(b.Page.Chip())
	}
	opts := infer.Options{Chip: cfg.Chip, OnPanic: func(v any) { t.Errorf("%s: inference panics: %v", b, v) }}
	if len(b.JAX) > 0 {
		opts.Release = jax.For(b.JAX[0])
	}
	facts := infer.Analyze(f, opts)
	return f, rules.Suppress(facts, rules.Check(facts, cfg), cfg)
}

func line(f *parse.File, b *oracle.Block, d *rule.Diagnostic) int {
	start, _, _ := f.Range(d.Loc)
	n, _ := f.Position(start, parse.UTF8)
	return n + 1 - b.HeaderLines()
}

func expectFindings(t *testing.T, b *oracle.Block, f *parse.File, found []*rule.Diagnostic) {
	for _, e := range b.Expect {
		if !slices.ContainsFunc(found, func(d *rule.Diagnostic) bool { return d.Rule.Name == e.Name && line(f, b, d) == e.Line }) {
			t.Errorf("%s: line %d: %s is not found", b, e.Line, e.Name)
		}
	}
	for _, d := range found {
		if d.Severity > rule.Warning {
			continue
		}
		if !slices.ContainsFunc(b.Expect, func(e oracle.Expect) bool { return d.Rule.Name == e.Name && line(f, b, d) == e.Line }) {
			t.Errorf("%s: line %d: unexpected %s: %s", b, line(f, b, d), d.Rule.Name, d.Message)
		}
	}
}

func expectNothing(t *testing.T, b *oracle.Block, f *parse.File, found []*rule.Diagnostic) {
	for _, d := range found {
		if d.Severity <= rule.Warning || d.Rule.Name == b.Page.Name {
			t.Errorf("%s: line %d: %s: %s", b, line(f, b, d), d.Rule.Name, d.Message)
		}
	}
}

// checkFix applies our quick fix to the bad block above and wants the fixed block, byte for byte.
func checkFix(t *testing.T, p *oracle.Page, i int) {
	fixed := p.Blocks[i]
	for i--; i >= 0 && p.Blocks[i].Kind != "bad"; i-- {
	}
	if i < 0 {
		t.Errorf("%s: no bad block above it", fixed)
		return
	}
	bad := p.Blocks[i]
	f, found := findings(t, bad)
	for _, d := range found {
		for _, fix := range d.Fixes {
			if d.Rule.Name != p.Name || !strings.HasPrefix(fix.Title, fixed.Fix) {
				continue
			}
			got := apply(t, f, fix)
			if bad.HeaderLines() > 0 {
				got = strings.TrimPrefix(got, oracle.Header)
			}
			if got != fixed.Code {
				t.Errorf("%s: %q gives\n%s\nnot\n%s", fixed, fix.Title, got, fixed.Code)
			}
			return
		}
	}
	t.Errorf("%s: no fix %q is offered on the bad block", fixed, fixed.Fix)
}

func apply(t *testing.T, f *parse.File, fix *rule.Fix) string {
	t.Helper()
	var edits []parse.Edit
	for _, e := range fix.Edits {
		start, end, ok := f.Range(e.Loc)
		if !ok {
			t.Fatalf("fix %q edits another file", fix.Title)
		}
		edits = append(edits, parse.Edit{Start: start, End: end, New: e.New})
	}
	out, err := parse.Apply(f.Src, edits)
	if err != nil {
		t.Fatalf("fix %q: %v", fix.Title, err)
	}
	return string(out)
}
