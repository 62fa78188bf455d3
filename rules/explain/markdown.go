package explain

import (
	"fmt"
	"strings"

	"pallas-lsp/rules"
	"pallas-lsp/rules/rule"
)

// Markdown is the page of a rule for a reader that shows Markdown.
func Markdown(r *rule.Rule) string {
	m := rules.Meta(r)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n**%s**: %s\n\n", r.Name, m.Severity, m.Summary)
	for _, c := range m.Messages() {
		fmt.Fprintf(&b, "JAX says: %s\n\n", code(c.String()))
	}
	if len(m.Messages()) == 0 {
		fmt.Fprintf(&b, "JAX says nothing; %s\n\n", orElse(m.Silent, "it accepts the code"))
	}
	b.WriteString(rules.Readable(m.Body))
	return b.String()
}

// Markdown is an answer for a reader that shows Markdown: the page with the author's line and what is wrong there above it.
func (a Answer) Markdown() string {
	var b strings.Builder
	if f := a.Frame; f != nil {
		fmt.Fprintf(&b, "Your line: %s %s\n\n", code(fmt.Sprintf("%s:%d", f.Path, f.Line)), code(f.Code))
	}
	if f := a.Found; f != nil {
		fmt.Fprintf(&b, "Found: %s %s\n\n%s (%s)\n\n", code(fmt.Sprintf("%s:%d", f.Path, f.Line)), code(f.Code), f.Message, f.Rule.Name)
	}
	if a.Rule == nil {
		return "No page explains this error yet.\n\n" + b.String() + strings.TrimSpace(a.known()) + "\n"
	}
	b.WriteString(Markdown(a.Rule))
	if len(a.Others) > 0 {
		b.WriteString("\n## Other causes of the same message\n\n")
	}
	for _, r := range a.Others {
		fmt.Fprintf(&b, "- **%s**: %s\n", r.Name, rules.Meta(r).Summary)
	}
	return b.String()
}

// known is what is known of an error without a page.
func (a Answer) known() string {
	var b strings.Builder
	a.what(&b)
	a.where(&b)
	return "```text\n" + b.String() + "```"
}

// code is text as inline code, with a fence that the text does not hold.
func code(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}
