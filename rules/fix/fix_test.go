package fix

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

const kernel = `import jax
from jax.experimental import pallas as pl

def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[0] + x_ref[1] + x_ref[2]

f = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8, 128), "float32"))
f(jax.numpy.zeros((8, 8, 128)))
`

// check runs one rule: on each load of the text it calls fix with the load.
func fixes(t *testing.T, text string, unsafe bool, fixOf func(load *infer.Event) []*rule.Fix) (string, int, error) {
	t.Helper()
	r := &rule.Rule{Name: "test", Page: "---\nname: test\nsilent: x\n---\n"}
	r.Kernel = func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Events {
			if e.Op == infer.OpLoad {
				p.Report(e.Loc, "x").Offer(fixOf(e)...)
			}
		}
	}
	defer rules.Swap([]*rule.Rule{r})()
	got, err := All(workspace.New(nil, nil), parse.Parse("a.py", []byte(text)), unsafe)
	return string(got.File.Src), got.Applied, err
}

func replace(e *infer.Event, text string) *rule.Fix {
	return &rule.Fix{Title: text, Safety: rule.Safe, Edits: []rule.Edit{{Loc: e.Loc, New: text}}}
}

func TestAll(t *testing.T) {
	got, n, err := fixes(t, kernel, false, func(e *infer.Event) []*rule.Fix {
		if strings.HasPrefix(e.Loc.Text(), "x_ref[0]") {
			return []*rule.Fix{replace(e, "x_ref[1]")}
		}
		if strings.HasPrefix(e.Loc.Text(), "x_ref[1]") {
			return []*rule.Fix{replace(e, "x_ref[2]")}
		}
		return nil
	})
	if err != nil || n != 3 || !strings.Contains(got, "= x_ref[2] + x_ref[2] + x_ref[2]") {
		t.Errorf("%d fixes, %v\n%s", n, err, got)
	}
}

func TestUnsafe(t *testing.T) {
	offer := func(e *infer.Event) []*rule.Fix {
		shown := replace(e, "shown")
		shown.Safety = rule.Display
		unsafe := replace(e, "1")
		unsafe.Safety = rule.Unsafe
		if strings.HasSuffix(e.Loc.Text(), "[0]") {
			return []*rule.Fix{shown, unsafe}
		}
		return []*rule.Fix{unsafe, replace(e, "2")}
	}
	if got, n, err := fixes(t, kernel, false, offer); err != nil || n != 2 || !strings.Contains(got, "= x_ref[0] + 2 + 2") {
		t.Errorf("safe: %d, %v\n%s", n, err, got)
	}
	if got, n, err := fixes(t, kernel, true, offer); err != nil || n != 2 || !strings.Contains(got, "= x_ref[0] + 1 + 1") {
		t.Errorf("unsafe: %d, %v\n%s", n, err, got)
	}
}

func TestRefusals(t *testing.T) {
	for name, text := range map[string]string{"broken syntax": "(", "for ever": "x_ref[0 + 0]", "nothing": ""} {
		long := ""
		_, _, err := fixes(t, kernel, false, func(e *infer.Event) []*rule.Fix {
			if name == "for ever" {
				long += " + 0"
				return []*rule.Fix{replace(e, "x_ref[0"+long+"]")}
			}
			return []*rule.Fix{replace(e, text)}
		})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	_, _, err := fixes(t, kernel, false, func(e *infer.Event) []*rule.Fix {
		if e.Loc.Text() == "x_ref[0]" {
			return []*rule.Fix{replace(e, "x_ref[9]")}
		}
		if e.Loc.Text() == "x_ref[9]" {
			return []*rule.Fix{replace(e, "x_ref[0]")}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "undo each other near line 5") {
		t.Errorf("back and forth: %v", err)
	}
}

// TestTogether: the same edit of two fixes is made once, edits that touch are left for the next round.
func TestTogether(t *testing.T) {
	got, n, err := fixes(t, kernel, false, func(e *infer.Event) []*rule.Fix {
		f := replace(e, "1")
		top := parse.Loc{Chunk: e.Loc.Chunk, Span: parse.Span{}}
		f.Edits = append(f.Edits, rule.Edit{Loc: top, New: "# a fix\n"})
		return []*rule.Fix{f}
	})
	if err != nil || n != 3 || strings.Count(got, "# a fix") != 1 || !strings.Contains(got, "= 1 + 1 + 1") {
		t.Errorf("%d, %v\n%s", n, err, got)
	}
}

func TestDiff(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"a\n", "a\n", ""},
		{"a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n2\n3\n4\n5\n6\n7\n8\n0\n",
			"@@ -1,4 +1,4 @@\n-1\n+0\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+0\n"},
	} {
		want := c.want
		if want != "" {
			want = "--- old\n+++ new\n" + want
		}
		if got := Diff("old", "new", c.a, c.b); got != want {
			t.Errorf("%q to %q:\n%s", c.a, c.b, got)
		}
	}
}

// TestDiffApplies patches random texts with their diffs.
func TestDiffApplies(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		var b strings.Builder
		for range rnd.IntN(30) {
			fmt.Fprintf(&b, "%d\n", rnd.IntN(4))
		}
		return b.String()
	}
	for range 2000 {
		a, b := text(), text()
		if got := patch(t, a, Diff("a", "b", a, b)); got != b {
			t.Fatalf("%q to %q gave %q", a, b, got)
		}
	}
}

func patch(t *testing.T, text, diff string) string {
	t.Helper()
	if diff == "" {
		return text
	}
	old := strings.SplitAfter(text, "\n")
	var out strings.Builder
	at := 0
	for _, l := range strings.SplitAfter(diff, "\n")[2:] {
		var start, n int
		switch {
		case strings.HasPrefix(l, "@@"):
			if c, _ := fmt.Sscanf(l, "@@ -%d,%d", &start, &n); c == 1 {
				n = 1
			}
			if n > 0 {
				start--
			}
			for ; at < start; at++ {
				out.WriteString(old[at])
			}
		case strings.HasPrefix(l, "+"):
			out.WriteString(l[1:])
		case l != "":
			if old[at] != l[1:] {
				t.Fatalf("the diff removes or keeps %q where %q stands:\n%s", l[1:], old[at], diff)
			}
			if l[0] == ' ' {
				out.WriteString(old[at])
			}
			at++
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}
