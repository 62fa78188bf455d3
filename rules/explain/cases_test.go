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
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// answer is what the compiler said of one of the kernels in testdata/cases.
type answer struct {
	File, Outcome, Type, Message string
	Line                         int
}

// TestCases holds what a message leads to against what is found in the kernel of which JAX says it: where a rule finds the mistake on JAX's line, the
// page is that of the rule.
func TestCases(t *testing.T) {
	answers, err := filepath.Glob("../../testdata/cases/*/expected.jsonl")
	if err != nil || len(answers) == 0 {
		t.Fatal("no cases", err)
	}
	asked, right := 0, 0
	for _, path := range answers {
		for _, a := range readAnswers(t, path) {
			found := onLine(t, filepath.Join(filepath.Dir(path), a.File), a.Line)
			if a.Outcome != "error" || a.Message == "" || len(found) == 0 {
				continue
			}
			asked++
			text := fmt.Sprintf("Traceback (most recent call last):\n  File \"%s\", line %d, in kernel\n%s: %s\n", a.File, a.Line, a.Type, a.Message)
			name := ""
			if r := Read(text, jax.Newest()).Rule; r != nil {
				name = r.Name
			}
			if slices.Contains(found, name) {
				right++
				continue
			}
			t.Logf("%s: %s explains %q; found there: %s", a.File, name, strings.SplitN(a.Message, "\n", 2)[0], strings.Join(found, " "))
		}
	}
	t.Logf("%d of %d right", right, asked)
	if right*100 < asked*rightPages {
		t.Errorf("of %d messages %d lead to the page of the rule that finds the mistake, less than %d %%", asked, right, rightPages)
	}
}

const rightPages = 90

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
	chip, _ := jax.ParseChip("7x")
	f := parse.Parse(path, src)
	for _, d := range rules.Check(infer.Analyze(f, infer.Options{Chip: chip}), &rules.Config{Chip: chip}) {
		start, _, _ := f.Range(d.Loc)
		if n, _ := f.Position(start, parse.UTF8); n+1 == line && d.Severity == rule.Error {
			names = append(names, d.Rule.Name)
		}
	}
	return names
}
