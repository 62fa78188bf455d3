package explain

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// answer is what the compiler said of one of the kernels in testdata/cases.
type answer struct {
	File, Outcome, Type, Message string
	Line                         int
}

// TestCases holds what a message leads to against what is found in the kernel of which JAX says it: where a rule finds the mistake on JAX's line, the
// page is that of the rule, or names it as another cause of the same message. With the kernel at hand it is that of the rule.
func TestCases(t *testing.T) {
	root, err := filepath.Abs("../../testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := filepath.Glob(filepath.Join(root, "*", "expected.jsonl"))
	if err != nil || len(answers) == 0 {
		t.Fatal("no cases", err)
	}
	w := workspace.New([]string{root}, &config.Options{Chip: chip(t)})
	asked, right := 0, 0
	for _, path := range answers {
		for _, a := range readAnswers(t, path) {
			file := filepath.Join(filepath.Dir(path), a.File)
			found := onLine(t, file, a.Line)
			if a.Outcome != "error" || a.Message == "" || len(found) == 0 {
				continue
			}
			asked++
			text := fmt.Sprintf("Traceback (most recent call last):\n  File \"%s\", line %d, in kernel\n%s: %s\n", file, a.Line, a.Type, a.Message)
			got := Read(text, jax.Newest(), nil)
			if slices.Contains(found, nameOf(got.Rule)) {
				right++
			} else if !slices.ContainsFunc(got.Others, func(r *rule.Rule) bool { return slices.Contains(found, r.Name) }) {
				t.Logf("%s: %s explains %q; found there: %s", a.File, nameOf(got.Rule), strings.SplitN(a.Message, "\n", 2)[0], strings.Join(found, " "))
			}
			if got = Read(text, jax.Newest(), w); got.Found == nil || !slices.Contains(found, got.Found.Rule.Name) {
				t.Errorf("%s: at hand, but %+v is found", a.File, got.Found)
			}
		}
	}
	t.Logf("%d of %d right", right, asked)
	if right*100 < asked*rightPages {
		t.Errorf("of %d messages %d lead to the page of the rule that finds the mistake, less than %d %%", asked, right, rightPages)
	}
}

func nameOf(r *rule.Rule) string {
	if r == nil {
		return ""
	}
	return r.Name
}

func chip(t *testing.T) *jax.Chip {
	t.Helper()
	c, ok := jax.ParseChip("7x")
	if !ok {
		t.Fatal("no chip 7x")
	}
	return c
}

const rightPages = 95

func readAnswers(t *testing.T, path string) (out []answer) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		a := answer{}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(path, err)
		}
		out = append(out, a)
	}
	return out
}

// onLine are the names of the errors that are found on a line of a kernel.
func onLine(t *testing.T, path string, line int) (names []string) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	chip := chip(t)
	f := parse.Parse(path, src)
	for _, d := range rules.Check(infer.Analyze(f, infer.Options{Chip: chip}), &rules.Config{Chip: chip}) {
		start, _, _ := f.Range(d.Loc)
		if n, _ := f.Position(start, parse.UTF8); n+1 == line && d.Severity == rule.Error {
			names = append(names, d.Rule.Name)
		}
	}
	return names
}
