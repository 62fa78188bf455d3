package report

import (
	"fmt"
	"io"
	"strings"

	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

var (
	githubText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes workflow commands, which GitHub shows as annotations of a change.
func GitHub(w io.Writer, findings []*Finding, style Style) error {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "::%s title=pallas-lsp (%s),%s::%s: %s\n", githubLevel(f.Severity), f.Rule.Name, githubPlace(f.Place, style),
			githubText.Replace(style.at(f.Place)), githubText.Replace(f.Message))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// githubPlace is the file and its lines; the lines of a notebook's cell are not lines of the file.
func githubPlace(p workspace.Place, style Style) string {
	name := "file=" + githubProperty.Replace(style.Name(p.File.Path))
	start, end := position(p.File, p.Start), position(p.File, p.End)
	if start.Cell > 0 {
		return name
	}
	return fmt.Sprintf("%s,line=%d,col=%d,endLine=%d,endColumn=%d", name, start.Row, start.Column, end.Row, end.Column)
}

func githubLevel(s rule.Severity) string {
	switch s {
	case rule.Error:
		return "error"
	case rule.Warning:
		return "warning"
	}
	return "notice"
}
