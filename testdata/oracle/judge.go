package oracle

import (
	"fmt"
	"slices"
	"strings"
)

func contains(list []string, x string) bool { return slices.Contains(list, x) }

// Judge holds what the page claims against what JAX answered; each string is one claim that is not true, or was not asked.
func Judge(p *Page, records Records) []string {
	j := &judge{page: p, records: records, said: map[int]bool{}}
	j.stale()
	for _, b := range p.Blocks {
		j.block(b)
	}
	j.versions()
	for i, claim := range p.Raises {
		if !j.said[i] && len(j.problems) == 0 {
			j.problem(p.Path, "no bad block makes JAX say %q", claim.Message)
		}
	}
	if !p.messages() && !slices.ContainsFunc(p.Blocks, func(b *Block) bool { return b.Kind == "bad" }) {
		j.problem(p.Path, "no bad block")
	}
	return j.problems
}

type judge struct {
	page     *Page
	records  Records
	said     map[int]bool // claims that some bad block made JAX say
	problems []string
}

func (j *judge) problem(where any, format string, args ...any) {
	j.problems = append(j.problems, fmt.Sprintf("%v: ", where)+fmt.Sprintf(format, args...))
}

// stale reports answers to questions that the page no longer asks.
func (j *judge) stale() {
	asked := map[string]bool{}
	for _, q := range j.page.Questions() {
		asked[q.key()] = true
	}
	for k, a := range j.records {
		if !asked[k] {
			j.problem(j.page.Path, "the record answers what is not asked any more (a %s block); run testdata/oracle/record", a.Kind)
			return
		}
	}
}

func (j *judge) block(b *Block) {
	if (b.Kind == "bad") != (len(b.Expect) > 0) {
		j.problem(b, "EXPECT markers belong into bad blocks, one at least")
	}
	for _, q := range b.Page.Questions() {
		if q.Block != b {
			continue
		}
		a, ok := j.records.Answer(q)
		switch {
		case !ok:
			j.problem(b, "JAX %s was not asked (%s, %s); run testdata/oracle/record", q.JAX, q.Mode, q.Chip)
		case b.Kind != "bad":
			j.right(b, a)
		case j.page.holds(q) && (b.JAX != nil || q.JAX == j.page.primary()):
			j.wrong(b, a)
		case !j.page.holds(q) && j.predicted(a):
			j.problem(b, "JAX %s says it on %s too, where the page says that it does not", q.JAX, q.Chip)
		}
	}
	j.shown(b)
}

// holds tells whether the page claims anything of that release and chip.
func (p *Page) holds(q Question) bool {
	return p.JAX.Has(q.JAX) && (len(p.Chips) == 0 || contains(p.Chips, q.Chip))
}

// primary is the release in which every bad block must be wrong as the page says.
func (p *Page) primary() string {
	if p.JAX.Has(Newest) {
		return Newest
	}
	return Older
}

// right: good and fixed blocks are accepted, and run without a trace of trouble.
func (j *judge) right(b *Block, a Answer) {
	switch {
	case a.Outcome != "ok":
		j.problem(b, "JAX %s refuses it (%s): %s", a.JAX, a.Mode, a.Said())
	case a.Mode == "interpret" && a.troubled():
		j.problem(b, "interpret mode shows trouble: %s", a.Said())
	case a.Mode == "interpret" && b.Kind == "fixed" && j.page.quiet():
		j.alike(b, a)
	}
}

// quiet: what the page is about does no harm.
func (p *Page) quiet() bool { return p.Severity == "information" || p.Severity == "hint" }

// alike: what came of code that was right gives the same numbers.
func (j *judge) alike(b *Block, a Answer) {
	before, ok := j.records.Answer(Question{b.before(), "interpret", a.JAX, a.Chip})
	if !ok || before.Digest != a.Digest || a.Digest == "" {
		j.problem(b, "interpret mode gives other numbers than before the fix")
	}
}

// before is the bad block that a fixed one was made of.
func (b *Block) before() *Block {
	var out *Block
	for _, o := range b.Page.Blocks {
		if o == b {
			break
		}
		if o.Kind == "bad" {
			out = o
		}
	}
	return out
}

// wrong: a bad block is refused as predicted; or accepted, and interpret mode shows it wrong.
func (j *judge) wrong(b *Block, a Answer) {
	switch {
	case a.Mode == "interpret" && j.page.quiet():
		j.right(b, a)
	case a.Mode == "interpret" && !j.goesWrong(b, a):
		j.problem(b, "interpret mode does not show it wrong: %s", a.Said())
	case a.Mode == "interpret" || j.predicted(a):
	case j.page.Silent != "":
		j.problem(b, "the page calls it silent, but JAX %s refuses it (%s): %s", a.JAX, a.Mode, a.Said())
	default:
		j.problem(b, "JAX %s does not say what the page predicts (%s, %s): %s", a.JAX, a.Mode, a.Chip, a.Said())
	}
}

// shown: a bug that JAX does not mention must be seen, or the page must say why it can't be.
func (j *judge) shown(b *Block) {
	if b.Kind == "bad" && j.page.Silent != "" && !b.Interpret && b.Unshown == "" && !j.page.quiet() {
		j.problem(b, `a silent bug needs interpret, or unshown="why"`)
	}
	if b.Unshown != "" && (b.Interpret || b.Kind != "bad") {
		j.problem(b, "unshown is for bad blocks without interpret")
	}
}

// predicted tells whether the answer is what the page says of bad code, leaving interpret mode aside.
func (j *judge) predicted(a Answer) bool {
	if j.page.Silent != "" {
		return a.Outcome == "ok"
	}
	found := false
	for i, claim := range j.page.Raises {
		if claim.fits(a) {
			j.said[i], found = true, true
		}
	}
	return found
}

var stages = map[string]string{"import": "tracing", "trace": "tracing", "lower": "lowering", "compile": "compiling", "interpret": "interpreting"}

func (c Claim) fits(a Answer) bool {
	match := func(text string) bool { return c.match.MatchString(spaces.ReplaceAllString(text, " ")) }
	switch {
	case strings.HasSuffix(c.Type, "Warning") && a.Outcome == "ok":
		return slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.HasPrefix(w, c.Type+": ") && match(w) })
	case c.Type == "abort":
		return a.Outcome == "abort" && match(a.Message)
	}
	// Who runs a block is not told at which stage it failed.
	return a.Outcome == "error" && a.Type == c.Type && (a.Stage == "run" || stages[a.Stage] == c.Stage) && match(a.Message)
}

// goesWrong tells whether interpret mode showed the bug. That it can't run the code is no proof.
func (j *judge) goesWrong(b *Block, a Answer) bool {
	if a.Outcome == "ok" && !a.troubled() {
		right, ok := j.reference(a)
		return ok && right.Outcome == "ok" && right.Digest != a.Digest
	}
	return a.Type != "NotImplementedError"
}

// reference is the answer for the block whose result is right: the first fixed one, else the first good one.
func (j *judge) reference(like Answer) (Answer, bool) {
	for _, kind := range []string{"fixed", "good"} {
		for _, b := range j.page.Blocks {
			if b.Kind == kind && b.Interpret {
				return j.records.Answer(Question{b, "interpret", like.JAX, like.Chip})
			}
		}
	}
	return Answer{}, false
}

// troubled tells whether a run that ended well still raced or read what was never written.
func (a Answer) troubled() bool {
	return a.Race || slices.ContainsFunc(a.NaN, func(n int) bool { return n > 0 })
}

// Said is the answer in a line.
func (a Answer) Said() string {
	switch {
	case a.Outcome == "ok" && a.Mode == "interpret":
		return fmt.Sprintf("ok, NaN %v, race %v", a.NaN, a.Race)
	case a.Outcome == "ok":
		return "ok " + strings.Join(a.Warnings, "; ")
	case a.Type == "":
		return strings.TrimSpace(a.Outcome + " " + a.Message)
	}
	return fmt.Sprintf("%s at %s, line %d: %s", a.Type, a.Stage, a.Line, a.Message)
}

// versions: inside its range, the page holds on the older release too, with one bad block at least.
func (j *judge) versions() {
	p := j.page
	other := Older
	if p.primary() == Older {
		other = Newest
	}
	if !p.JAX.Named() || !p.JAX.Has(other) {
		return
	}
	asked := false
	for _, q := range p.Questions() {
		a, ok := j.records.Answer(q)
		if ok && q.JAX == other && q.Block.Kind == "bad" && q.Mode != "interpret" {
			if j.predicted(a) {
				return
			}
			asked = true
		}
	}
	if asked {
		j.problem(p.Path, "the page says that it holds in JAX %s, and no bad block shows it there", other)
	}
}
