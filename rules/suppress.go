package rules

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// directive is one `# pallas: ignore[...]` or `# pallas: file-ignore[...]`. Offsets count from the start of the file.
type directive struct {
	start, end int // from its # to the end of its reason
	file       bool
	line       int // the line (from 0) it speaks of
	alone      bool
	names      []*ignored
	problem    string // why it can't be understood; empty: it can
}

// ignored is one name of a directive.
type ignored struct {
	name       string
	rule       *rule.Rule // nil: there is none of that name
	start, end int
	used       bool
}

var (
	directiveForm = regexp.MustCompile(`#[ \t]*pallas:[ \t]*([A-Za-z-]+)[ \t]*(?:(\[)([^\]#]*)(\])?)?[^#]*`)
	nameForm      = regexp.MustCompile(`[^\s,]+`)
)

// directives reads the comments of a file.
func directives(f *parse.File) []*directive {
	var out []*directive
	p := placer{f: f}
	for _, c := range f.Comments() {
		if !strings.Contains(c.Text, "pallas:") {
			continue
		}
		line, alone := p.place(int(c.Start))
		for _, m := range directiveForm.FindAllStringSubmatchIndex(c.Text, -1) {
			if d := readDirective(c, m); d != nil {
				d.line, d.alone = line, alone
				out = append(out, d)
			}
		}
	}
	return out
}

// readDirective returns nil for a comment that only looks like one: "# pallas: see the guide".
func readDirective(c parse.Comment, m []int) *directive {
	base := int(c.Start)
	word, bracket := c.Text[m[2]:m[3]], m[4] >= 0
	known := word == "ignore" || word == "file-ignore"
	if !known && !bracket || known && !bracket && strings.TrimSpace(c.Text[m[3]:m[1]]) != "" {
		return nil
	}
	d := &directive{start: base + m[0], end: base + m[0] + len(strings.TrimRight(c.Text[m[0]:m[1]], " \t")), file: word == "file-ignore"}
	switch {
	case !known:
		d.problem = "`" + word + "` is no instruction of pallas-lsp" + DidYouMean(word, []string{"ignore", "file-ignore"})
	case !bracket:
		d.problem = "this silences nothing: name the rule, as in `# pallas: " + word + "[some-rule]`"
	case m[8] < 0:
		d.problem = "the list of rules is not closed with `]`"
	default:
		d.read(c.Text[m[6]:m[7]], base+m[6])
	}
	return d
}

func (d *directive) read(list string, base int) {
	for _, at := range nameForm.FindAllStringIndex(list, -1) {
		name := list[at[0]:at[1]]
		d.names = append(d.names, &ignored{name: name, rule: Find(name), start: base + at[0], end: base + at[1]})
	}
	if len(d.names) == 0 {
		d.problem = "this silences nothing: name the rule between the brackets"
	}
}

// placer finds the lines that comments speak of, one comment after another.
type placer struct {
	f           *parse.File
	first, next int // the comments alone on lines first to next-1 all speak of line next
}

// place finds the line that the directives of a comment speak of: its own, or where it stands alone, the next one that is no comment.
func (p *placer) place(comment int) (line int, alone bool) {
	line, col := p.f.Position(comment, parse.UTF8)
	if !blank(p.f.Src[comment-col : comment]) {
		return line, false
	}
	if p.first <= line && line < p.next {
		return p.next, true
	}
	p.first = line
	for p.next = line + 1; startsComment(p.f, p.next); p.next++ {
	}
	return p.next, true
}

func startsComment(f *parse.File, line int) bool {
	text := bytes.TrimLeft(f.Src[f.LineStart(line):], " \t\f")
	return len(text) > 0 && text[0] == '#'
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// silencers are directives by what they silence.
type silencers map[target]*silencer

// target is a rule on a line; line -1 is the whole file.
type target struct {
	line int
	rule *rule.Rule
}

// silencer are the names, one of each directive, that silence one target.
type silencer struct {
	names []*ignored
	used  bool
}

func silencersOf(all []*directive) silencers {
	out := silencers{}
	for _, d := range all {
		line := d.line
		if d.file {
			line = -1
		}
		seen := map[*rule.Rule]bool{}
		for _, n := range d.names {
			if n.rule == nil || seen[n.rule] {
				continue
			}
			seen[n.rule] = true
			t := target{line, n.rule}
			if out[t] == nil {
				out[t] = &silencer{}
			}
			out[t].names = append(out[t].names, n)
		}
	}
	return out
}

// silence returns the first name that silences a finding of r on the lines from first to last, nil when there is none, and remembers
// of all such names that they did. A finding over several lines is silenced from its first or its last.
func (s silencers) silence(r *rule.Rule, first, last int) *ignored {
	var by *ignored
	for _, line := range []int{-1, first, last} {
		x := s[target{line, r}]
		if x == nil {
			continue
		}
		if by == nil || x.names[0].start < by.start {
			by = x.names[0]
		}
		x.use()
	}
	return by
}

func (s *silencer) use() {
	if s.used {
		return
	}
	s.used = true
	for _, n := range s.names {
		n.used = true
	}
}

// Suppress takes out the findings that comments silence, and adds one for each comment that is not understood or silences
// nothing. The result is ordered by position.
func Suppress(facts *infer.Facts, found []*rule.Diagnostic, cfg *Config) []*rule.Diagnostic {
	f := facts.File
	all := directives(f)
	if len(all) == 0 || len(f.Chunks) == 0 {
		return found
	}
	by := silencersOf(all)
	kept := by.filter(f, found)
	kept = append(kept, by.filter(f, unknown(f, all, cfg))...)
	kept = append(kept, by.filter(f, unused(f, all, cfg, facts.Release))...)
	slices.SortStableFunc(kept, func(a, b *rule.Diagnostic) int { return cmp.Compare(position(f, a), position(f, b)) })
	return kept
}

// filter leaves out what is silenced.
func (s silencers) filter(f *parse.File, found []*rule.Diagnostic) []*rule.Diagnostic {
	var out []*rule.Diagnostic
	for _, d := range found {
		start, end, ok := f.Range(d.Loc)
		if ok {
			first, last := linesOf(f, start, end)
			ok = s.silence(d.Rule, first, last) != nil
		}
		if !ok {
			out = append(out, d)
		}
	}
	return out
}

// linesOf returns the first and the last line of a span.
func linesOf(f *parse.File, start, end int) (first, last int) {
	first, _ = f.Position(start, parse.UTF8)
	last, _ = f.Position(max(start, end-1), parse.UTF8)
	return first, last
}

// Silencer returns what finds the comment in an imported file that silences a finding there: the offset of the rule's name in it.
func Silencer(f *parse.File) func(r *rule.Rule, start, end int) (at int, ok bool) {
	by := silencersOf(directives(f))
	return func(r *rule.Rule, start, end int) (int, bool) {
		first, last := linesOf(f, start, end)
		n := by.silence(r, first, last)
		if n == nil {
			return 0, false
		}
		return n.start, true
	}
}

// maxHints bounds the names of a file for which the nearest rule is looked for.
const maxHints = 100

// unknown makes a finding of each directive, or name in it, that can't be understood.
func unknown(f *parse.File, all []*directive, cfg *Config) []*rule.Diagnostic {
	if !slices.Contains(cfg.active(nil), control.UnknownSuppression) {
		return nil
	}
	var out []*rule.Diagnostic
	hints := 0
	for _, d := range all {
		if d.problem != "" {
			out = append(out, cfg.finding(f, control.UnknownSuppression, d.start, d.end, d.problem))
		}
		for _, n := range d.names {
			if n.rule != nil {
				continue
			}
			why := noRule(n.name)
			if hints++; hints <= maxHints {
				why = CheckName(n.name).Error()
			}
			out = append(out, cfg.finding(f, control.UnknownSuppression, n.start, n.end, "this silences nothing: "+why))
		}
	}
	return out
}

// unused makes a finding of each name that silenced nothing, of rules that are on.
func unused(f *parse.File, all []*directive, cfg *Config, release *jax.Release) []*rule.Diagnostic {
	active := cfg.active(release)
	if !slices.Contains(active, control.UnusedSuppression) {
		return nil
	}
	var out []*rule.Diagnostic
	for _, d := range all {
		for i, n := range d.names {
			if n.used || n.rule == control.UnusedSuppression || !slices.Contains(active, n.rule) {
				continue
			}
			x := cfg.finding(f, control.UnusedSuppression, n.start, n.end, "nothing to silence: `"+n.name+"` finds nothing "+d.scope())
			out = append(out, x.Offer(d.remove(f, i)))
		}
	}
	return out
}

func (d *directive) scope() string {
	switch {
	case d.file:
		return "in this file"
	case d.alone:
		return "on the line below"
	}
	return "on this line"
}

func (c *Config) finding(f *parse.File, r *rule.Rule, start, end int, message string) *rule.Diagnostic {
	return &rule.Diagnostic{Rule: r, Severity: c.severity(r), Loc: locOf(f, start, end), Message: message}
}

// locOf is the location of a span of the file. A comment may stand between chunks; it is then told from the nearest one, with
// offsets outside that chunk's text.
func locOf(f *parse.File, start, end int) parse.Loc {
	if len(f.Chunks) == 0 {
		return parse.Loc{}
	}
	after := sort.Search(len(f.Chunks), func(i int) bool {
		base, _ := f.Base(f.Chunks[i])
		return base > start
	})
	c := f.Chunks[max(0, after-1)]
	base, _ := f.Base(c)
	return parse.Loc{Chunk: c, Span: parse.Span{Start: int32(start - base), End: int32(end - base)}}
}

// remove is the edit that takes name i out, and the directive with its last name.
func (d *directive) remove(f *parse.File, i int) *rule.Fix {
	title := "Remove `" + d.names[i].name + "` from the comment"
	start, end := d.nameSpan(i)
	if len(d.names) == 1 {
		title = "Remove the comment"
		start, end = d.wholeSpan(f)
	}
	return &rule.Fix{Title: title, Safety: rule.Safe, Edits: []rule.Edit{{Loc: locOf(f, start, end)}}}
}

// nameSpan is a name with the comma and the blanks to the next one, or from the one before.
func (d *directive) nameSpan(i int) (start, end int) {
	n := d.names[i]
	if i+1 < len(d.names) {
		return n.start, d.names[i+1].start
	}
	if i > 0 {
		return d.names[i-1].end, n.end
	}
	return n.start, n.end
}

// wholeSpan is the directive with the blanks before it, and the line when nothing else is on it.
func (d *directive) wholeSpan(f *parse.File) (start, end int) {
	line, _ := f.Position(d.start, parse.UTF8)
	lineStart, lineEnd := f.LineStart(line), f.LineStart(line+1)
	before := lineStart + len(bytes.TrimRight(f.Src[lineStart:d.start], " \t\f"))
	after := lineEnd - len(bytes.TrimLeft(f.Src[d.end:lineEnd], " \t"))
	ends := blank(f.Src[after:min(lineEnd, after+2)])
	switch {
	case ends && before == lineStart:
		return lineStart, lineEnd
	case ends:
		return before, d.end
	}
	return d.start, after // another comment follows
}

// IgnoreHere is the edit that silences a rule on the line of a finding: the name is added to the comment of ours that is there,
// or a comment is put at the end of the line. It returns nil where no comment can stand: inside a string, or before a line
// that a backslash joins.
func IgnoreHere(f *parse.File, d *rule.Diagnostic) *parse.Edit {
	start, _, ok := f.Range(d.Loc)
	if !ok {
		return nil
	}
	line, _ := f.Position(start, parse.UTF8)
	for _, x := range directives(f) {
		if !x.file && x.line == line && len(x.names) > 0 {
			at := x.names[len(x.names)-1].end
			return &parse.Edit{Start: at, End: at, New: ", " + d.Rule.Name}
		}
	}
	text := f.Line(line)
	end := f.LineStart(line) + len(text)
	at := f.LineStart(line) + len(strings.TrimRight(text, " \t"))
	edit := &parse.Edit{Start: at, End: end, New: "  # pallas: ignore[" + d.Rule.Name + "]"}
	if strings.HasSuffix(text, `\`) || !makesComment(f, edit) {
		return nil
	}
	return edit
}

// makesComment tries whether the text of an edit becomes a comment, which it would not inside a string.
func makesComment(f *parse.File, edit *parse.Edit) bool {
	c, _ := f.ChunkAt(edit.Start)
	if c == nil {
		return false
	}
	base, _ := f.Base(c)
	at := min(edit.Start-base, len(c.Text))
	tried := parse.Parse(f.Path, []byte(c.Text[:at]+edit.New+c.Text[min(edit.End-base, len(c.Text)):]))
	return slices.ContainsFunc(tried.Comments(), func(x parse.Comment) bool { return int(x.Start) <= at+2 && at+2 < int(x.End) })
}
