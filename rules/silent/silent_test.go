package silent_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/testdata/oracle"
)

var marker = regexp.MustCompile(`# EXPECT: (\S+)`)

// TestVariants: the mistakes of the pages in other words are found on their lines, and their near misses are left alone.
func TestVariants(t *testing.T) {
	text, err := os.ReadFile("testdata/variants.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split("\n"+string(text), "\n== ")[1:]
	for _, s := range sections {
		name, code, _ := strings.Cut(s, "\n")
		t.Run(name, func(t *testing.T) {
			var want []string
			for i, line := range strings.Split(code, "\n") {
				if m := marker.FindStringSubmatch(line); m != nil {
					want = append(want, fmt.Sprintf("%d: %s", i+1, m[1]))
				}
			}
			if strings.HasSuffix(name, "_bad") != (len(want) > 0) {
				t.Fatalf("%d expectations", len(want))
			}
			if got := warnings(t, code); !slices.Equal(got, want) {
				t.Errorf("found %q, want %q in\n%s", got, want, code)
			}
		})
	}
}

func warnings(t *testing.T, code string) (out []string) {
	t.Helper()
	f := parse.Parse("variant.py", []byte(oracle.Header+code))
	cfg := &rules.Config{OnPanic: func(r *rule.Rule, v any) { t.Errorf("%s panics: %v", r.Name, v) }}
	for _, d := range rules.Check(infer.Analyze(f, infer.Options{}), cfg) {
		if d.Severity > rule.Warning {
			continue
		}
		start, _, _ := f.Range(d.Loc)
		n, _ := f.Position(start, parse.UTF8)
		out = append(out, fmt.Sprintf("%d: %s", n+1-strings.Count(oracle.Header, "\n"), d.Rule.Name))
	}
	return out
}
