package rules

import (
	"fmt"
	"strings"

	"pallas-lsp/rules/rule"
)

// Docs is docs/rules.md: a table of all rules, then their pages. URL points into it.
func Docs() string {
	var b strings.Builder
	b.WriteString("<!-- Written by `go test ./rules -update` from the pages of the rules. -->\n\n# Rules\n\n")
	b.WriteString("An **error** is code that JAX, Mosaic or Python refuses. A **warning** is code that is accepted and then hangs, reads garbage or gives\n" +
		"a wrong result. **Information** and **hints** are worth knowing. `pallas-lsp explain NAME` prints a page at the terminal.\n\n")
	b.WriteString("| rule | severity | what it finds | fix |\n|---|---|---|---|\n")
	for _, r := range All() {
		m := Meta(r)
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s |\n", r.Name, r.Name, shown(r, m), cell(m.Summary), cell(m.Fix))
	}
	for _, r := range All() {
		m := Meta(r)
		fmt.Fprintf(&b, "\n## %s\n\n%s (%s).\n\n", r.Name, upper(m.Summary), shown(r, m))
		for _, c := range m.Messages() {
			fmt.Fprintf(&b, "JAX says: `%s` (at %s)\n\n", strings.ReplaceAll(c.Exception+": "+c.Text, "`", "'"), c.Stage)
		}
		if m.Silent != "" {
			fmt.Fprintf(&b, "JAX says nothing: %s.\n\n", m.Silent)
		}
		if m.Source != "" {
			fmt.Fprintf(&b, "Modelled on `%s`%s.\n\n", m.Source, releases(m.JAX))
		}
		b.WriteString(demote(Readable(m.Body)))
	}
	return b.String()
}

// shown is the severity of a rule, and whether it has to be asked for.
func shown(r *rule.Rule, m *PageMeta) string {
	if r.Off {
		return m.Severity.String() + ", off unless selected"
	}
	return m.Severity.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func releases(jax string) string {
	if jax == "" || jax == "all" {
		return ""
	}
	return ", JAX " + jax
}

// demote moves headings one level down, code left alone.
func demote(body string) string {
	lines := strings.Split(body, "\n")
	code := false
	for i, l := range lines {
		if strings.HasPrefix(l, "```") {
			code = !code
		}
		if !code && strings.HasPrefix(l, "#") {
			lines[i] = "#" + l
		}
	}
	return strings.Join(lines, "\n")
}
