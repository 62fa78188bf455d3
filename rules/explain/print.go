package explain

import (
	"fmt"
	"strings"

	"pallas-lsp/rules"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// Page is the page of a rule as text: what the front matter says, then the Markdown as it is.
func Page(r *rule.Rule) string {
	m := rules.Meta(r)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Name, m.Summary)
	facts := [][2]string{{"severity", m.Severity.String()}, {"JAX says", says(m)}, {"source", m.Source}, {"JAX", m.JAX}, {"chips", m.Chips},
		{"fix", m.Fix}, {"before", strings.Join(r.Old, ", ")}}
	for _, f := range facts {
		if f[1] != "" {
			fmt.Fprintf(&b, "  %s: %s\n", f[0], f[1])
		}
	}
	b.WriteString("\n" + rules.Readable(m.Body))
	return b.String()
}

func says(m *rules.PageMeta) string {
	var out []string
	for _, c := range m.Messages() {
		out = append(out, c.String())
	}
	if len(out) == 0 {
		return "nothing; " + orElse(m.Silent, "it accepts the code")
	}
	return strings.Join(out, "\n             ")
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// Text is an answer for people: the author's line, where JAX raised it, and the page or what is known without one.
func (a Answer) Text() string {
	var b strings.Builder
	if a.Rule != nil {
		fmt.Fprintf(&b, "%s: %s\n", a.Rule.Name, rules.Meta(a.Rule).Summary)
	} else {
		b.WriteString("no page explains this error yet\n")
		a.what(&b)
	}
	if f := a.Frame; f != nil {
		fmt.Fprintf(&b, "  your line: %s:%d   %s\n", f.Path, f.Line, f.Code)
	}
	if f := a.Found; f != nil {
		fmt.Fprintf(&b, "  found: %s:%d   %s\n    [%s] %s\n", f.Path, f.Line, f.Code, f.Rule.Name, f.Message)
	}
	a.where(&b)
	if a.Rule != nil {
		b.WriteString("\n" + rules.Readable(rules.Meta(a.Rule).Body))
	}
	if len(a.Others) > 0 {
		b.WriteString("\nThe same message can come of:\n")
	}
	for _, r := range a.Others {
		fmt.Fprintf(&b, "  %s: %s\n", r.Name, rules.Meta(r).Summary)
	}
	return b.String()
}

func (a Answer) what(b *strings.Builder) {
	line, _, _ := strings.Cut(a.Error.Message, "\n")
	switch {
	case a.Error.Type != "" && line != "":
		fmt.Fprintf(b, "  error: %s: %s\n", a.Error.Type, line)
	case a.Error.Type+line != "":
		fmt.Fprintf(b, "  error: %s\n", a.Error.Type+line)
	}
}

func (a Answer) where(b *strings.Builder) {
	if m := a.Message; m != nil {
		fmt.Fprintf(b, "  raised in: jax/%s, %s, %s (JAX %s)\n", m.File, m.Function, stageWords[m.Stage], a.Release.Version)
		if f := a.Error.inJAX(); f != nil && f.Code != "" && silent(m, a.Error) {
			fmt.Fprintf(b, "  there: %s\n", f.Code)
		}
		return
	}
	if a.Rule != nil && rules.Meta(a.Rule).Source != "" {
		fmt.Fprintf(b, "  raised in: %s\n", rules.Meta(a.Rule).Source)
	}
}

var stageWords = map[jax.Stage]string{
	jax.StageTrace:     "while tracing the kernel",
	jax.StageLower:     "while lowering it",
	jax.StageCompile:   "while Mosaic compiles it",
	jax.StageInterpret: "in interpret mode only",
}
