package oracle

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const loud = "---\nname: no-load\nseverity: error\nraises: ValueError at lowering, \"Loads are only allowed on {spaces} references\"\njax: 0.10 and later\n---\n" +
	"```python bad\nf(x)  # EXPECT: no-load\n```\n```python fixed compile fix=\"Stage it\"\nimport jax\ng(x)\n```\n"

const quiet = "---\nname: no-init\nseverity: warning\nsilent: garbage is read\n---\n" +
	"```python bad interpret\nf(x)  # EXPECT: no-init\n```\n```python good interpret\ng(x)\n```\n"

func parse(t *testing.T, text string) *Page {
	t.Helper()
	p, err := ParsePage("topic/page.md", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParsePage(t *testing.T) {
	p := parse(t, loud)
	bad, fixed := p.Blocks[0], p.Blocks[1]
	if bad.Code != "f(x)\n" || len(bad.Expect) != 1 || bad.Expect[0] != (Expect{1, "no-load"}) {
		t.Errorf("bad block: %q %v", bad.Code, bad.Expect)
	}
	if bad.File() != Header+"f(x)\n" || bad.HeaderLines() != strings.Count(Header, "\n") {
		t.Errorf("a block that imports nothing gets the header: %q", bad.File())
	}
	if fixed.File() != "import jax\ng(x)\n" || !fixed.Compile || fixed.Fix != "Stage it" {
		t.Errorf("fixed block: %q compile %v fix %q", fixed.File(), fixed.Compile, fixed.Fix)
	}
}

func TestParsePageRefuses(t *testing.T) {
	for why, text := range map[string]string{
		"not a kind":              strings.Replace(loud, "python bad", "python wrong", 1),
		"no kind":                 strings.Replace(loud, "python bad", "python", 1),
		"a claim without a stage": strings.Replace(loud, " at lowering", "", 1),
		"a claim of anything":     strings.Replace(loud, "Loads are only allowed on {spaces} references", "{anything}", 1),
		"no claim":                strings.Replace(loud, "raises:", "title:", 1),
		"both kinds of claim":     strings.Replace(loud, "jax:", "silent:", 1),
		"a range in prose":        strings.Replace(loud, "0.10 and later", "since 0.10", 1),
		"no end":                  strings.TrimSuffix(loud, "```\n"),
		"no front matter's end":   strings.Replace(loud, "\n---\n", "\n", 1),
	} {
		if _, err := ParsePage("page.md", text); err == nil {
			t.Errorf("%s: no error", why)
		}
	}
}

// answered is the page's record when each question gets the answer that its block's kind gets.
func answered(p *Page, by func(q Question) Answer) Records {
	records := Records{}
	for _, q := range p.Questions() {
		a := by(q)
		a.Block, a.Kind, a.Mode, a.JAX, a.Chip = q.Block.Hash(), q.Block.Kind, q.Mode, q.JAX, q.Chip
		records.Keep(a)
	}
	return records
}

func TestJudgeLoud(t *testing.T) {
	p := parse(t, loud)
	refused := Answer{Outcome: "error", Stage: "lower", Type: "ValueError", Message: "Loads are only allowed on VMEM\nreferences."}
	answer := func(bad Answer) Records {
		return answered(p, func(q Question) Answer {
			if q.Block.Kind == "bad" {
				return bad
			}
			return Answer{Outcome: "ok"}
		})
	}
	good := answer(refused)
	if got := Judge(p, good); got != nil {
		t.Error("true claims:", got)
	}
	for why, a := range map[string]Answer{
		"accepted":        {Outcome: "ok"},
		"another type":    {Outcome: "error", Stage: "lower", Type: "TypeError", Message: refused.Message},
		"another stage":   {Outcome: "error", Stage: "trace", Type: "ValueError", Message: refused.Message},
		"another message": {Outcome: "error", Stage: "lower", Type: "ValueError", Message: "Stores are only allowed"},
	} {
		if Judge(p, answer(a)) == nil {
			t.Error("not noticed:", why)
		}
	}
	if got := Judge(p, Records{}); len(got) < 3 {
		t.Error("questions that were not asked:", got)
	}
	changed := parse(t, strings.Replace(loud, "f(x)", "f(y)", 1))
	if got := Judge(changed, good); !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "not asked any more") }) {
		t.Error("a stale record:", got)
	}
}

func TestJudgeVersions(t *testing.T) {
	answer := func(p *Page, newest, older string) Records {
		return answered(p, func(q Question) Answer {
			outcome := map[string]string{Newest: newest, Older: older}[q.JAX]
			if q.Block.Kind != "bad" || outcome == "ok" {
				return Answer{Outcome: "ok"}
			}
			return Answer{Outcome: "error", Stage: "lower", Type: "ValueError", Message: "Loads are only allowed on X references"}
		})
	}
	for _, c := range []struct{ jax, newest, older, problem string }{
		{"0.10 and later", "error", "error", ""},
		{"0.10 and later", "error", "ok", "no bad block shows it"},
		{"0.11 and later", "error", "ok", ""},
		{"0.11 and later", "error", "error", "says it on 7x too"},
		{"until 0.10", "ok", "error", ""},
		{"until 0.10", "error", "error", "says it on 7x too"},
		{"until 0.10", "ok", "ok", "does not say what the page predicts"},
	} {
		p := parse(t, strings.Replace(loud, "0.10 and later", c.jax, 1))
		got := strings.Join(Judge(p, answer(p, c.newest, c.older)), "\n")
		if (got == "") != (c.problem == "") || !strings.Contains(got, c.problem) {
			t.Errorf("%s, newest %s, older %s: %q, want %q", c.jax, c.newest, c.older, got, c.problem)
		}
	}
}

func TestJudgeSilent(t *testing.T) {
	p := parse(t, quiet)
	answer := func(bad Answer) Records {
		return answered(p, func(q Question) Answer {
			if q.Block.Kind == "bad" && q.Mode == "interpret" {
				return bad
			}
			return Answer{Outcome: "ok", NaN: []int{0}, Digest: "right"}
		})
	}
	for why, a := range map[string]Answer{
		"NaN":           {Outcome: "ok", NaN: []int{0, 3}, Digest: "right"},
		"a race":        {Outcome: "ok", Race: true, Digest: "right"},
		"a hang":        {Outcome: "hang"},
		"out of bounds": {Outcome: "error", Stage: "interpret", Type: "IndexError"},
		"other numbers": {Outcome: "ok", NaN: []int{0}, Digest: "wrong"},
	} {
		if got := Judge(p, answer(a)); got != nil {
			t.Errorf("%s shows the bug: %v", why, got)
		}
	}
	for why, a := range map[string]Answer{
		"the right result":     {Outcome: "ok", NaN: []int{0}, Digest: "right"},
		"can't be interpreted": {Outcome: "error", Stage: "interpret", Type: "NotImplementedError"},
	} {
		if Judge(p, answer(a)) == nil {
			t.Errorf("%s: no proof, and not noticed", why)
		}
	}
	unshown := parse(t, strings.Replace(quiet, "bad interpret", "bad", 1))
	if Judge(unshown, answered(unshown, func(Question) Answer { return Answer{Outcome: "ok"} })) == nil {
		t.Error("a silent bug that is not shown was not noticed")
	}
}

func TestRecordsRoundTrip(t *testing.T) {
	p := parse(t, quiet)
	records := answered(p, func(q Question) Answer {
		if q.Block.Kind == "good" {
			return Answer{Outcome: "ok", Warnings: []string{}} // as ask.py writes none
		}
		return Answer{Outcome: "error", Message: "a < b\nc", Lines: []int{1, 2}, Warnings: []string{"w"}}
	})
	read, err := ReadRecords(fstest.MapFS{"topic/page.jsonl": {Data: records.Format(p)}}, p)
	if err != nil || len(Differences(p, records, read)) > 0 || len(read) != len(records) {
		t.Error(err, Differences(p, records, read))
	}
}

func TestCores(t *testing.T) {
	one := parse(t, quiet)
	two := parse(t, strings.ReplaceAll(quiet, "interpret", "interpret=2"))
	if two.Blocks[0].Cores != 2 || !two.Blocks[0].Interpret || two.Blocks[0].Hash() == one.Blocks[0].Hash() {
		t.Errorf("a block that is interpreted on two cores: %+v", two.Blocks[0])
	}
	if _, err := ParsePage("x.md", strings.ReplaceAll(quiet, "bad interpret", "bad interpret=1")); err == nil {
		t.Error("interpret=1 is taken")
	}
}
