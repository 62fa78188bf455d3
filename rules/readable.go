package rules

import (
	"regexp"
	"strings"
)

var expectMark = regexp.MustCompile(`(?m)[ \t]*# EXPECT: [a-z0-9-]+[ \t]*$`)

// Readable is the body of a page as people read it: what its blocks carry for the tests is taken out, and the lines that a rule
// names are marked.
func Readable(body string) string {
	lines := strings.Split(expectMark.ReplaceAllString(body, "  # ✗"), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "```python ") {
			lines[i] = "```python"
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n")) + "\n"
}
