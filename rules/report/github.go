package report

import (
	"fmt"
	"io"
	"strings"

	"pallas-lsp/rules/rule"
)

var (
	githubText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes workflow commands, which GitHub shows as annotations of a change.
func GitHub(w io.Writer, findings []*Finding, style Style) error {
	var b strings.Builder
	for _, f := range findings {
		start, end := position(f.Place.File, f.Place.Start), position(f.Place.File, f.Place.End)
		name := githubProperty.Replace(style.Name(f.Place.File.Path))
		fmt.Fprintf(&b, "::%s title=pallas-lsp (%s),file=%s,line=%d,col=%d,endLine=%d,endColumn=%d::%s: %s\n",
			githubLevel(f.Severity), f.Rule.Name, name, start.Row, start.Column, end.Row, end.Column,
			githubText.Replace(style.at(f.Place)), githubText.Replace(f.Message))
	}
	_, err := io.WriteString(w, b.String())
	return err
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
