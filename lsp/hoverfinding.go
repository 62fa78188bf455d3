package lsp

import (
	"fmt"
	"strings"

	"pallas-lsp/rules"
	"pallas-lsp/rules/report"
	"pallas-lsp/rules/rule"
)

// aboutFindings is the first part of the page of each finding at an offset, and the span of the first of them.
func (n *snapshot) aboutFindings(off int) (parts []string, start, end int) {
	told := map[*rule.Rule]bool{}
	for _, d := range n.whole().Findings {
		from, to, ok := n.file().Range(d.Loc)
		if !ok || off < from || off > to || told[d.Rule] {
			continue
		}
		if len(told) == 0 {
			start, end = from, to
		}
		told[d.Rule] = true
		parts = append(parts, page(d))
	}
	return parts, start, end
}

// page is what happens, why, and the way out with its code: a page up to the end of its first section with code that works.
func page(d *rule.Diagnostic) string {
	m := rules.Meta(d.Rule)
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**: %s\n\n", d.Rule.Name, m.Summary)
	if says := report.Says(d); says != "" {
		fmt.Fprintf(&b, "JAX will say: %s\n\n", says)
	}
	b.WriteString(firstPart(m.Body))
	fmt.Fprintf(&b, "\n[%s](%s)", d.Rule.Name, rules.URL(d.Rule))
	return b.String()
}

// firstPart takes a page up to and with its first fixed or good block, without the bad ones, which are on the screen already.
func firstPart(body string) string {
	var out []string
	inside, skip := false, false
	for _, line := range strings.Split(body, "\n") {
		fence := strings.HasPrefix(line, "```")
		switch {
		case fence && !inside:
			inside, skip = true, strings.HasPrefix(line, "```python bad")
			if !skip {
				out = append(out, language(line))
			}
		case fence:
			inside = false
			if !skip {
				return strings.Join(append(out, line), "\n") + "\n"
			}
		case !inside && strings.HasPrefix(line, "## See also"):
			return strings.Join(out, "\n")
		case !inside && strings.HasPrefix(line, "## "):
			out = append(out, "**"+strings.TrimPrefix(line, "## ")+"**")
		case !skip || !inside:
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// language keeps the language of a fence and drops our own words behind it.
func language(fence string) string {
	first, _, _ := strings.Cut(fence, " ")
	return first
}
