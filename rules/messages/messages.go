// Package messages holds the pages about errors that no rule sees in the code: those of the compiler, of Python, and of JAX
// where they depend on what only a run knows.
package messages

import (
	"embed"
	"strings"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

// Rules have names and pages, and find nothing.
var Rules = read()

// read makes a rule of each page of this folder.
func read() []*rule.Rule {
	files, err := pages.ReadDir(".")
	if err != nil {
		panic(err)
	}
	var out []*rule.Rule
	for _, f := range files {
		page := rule.Page(pages, f.Name())
		_, rest, _ := strings.Cut(page, "\nname: ")
		name, _, _ := strings.Cut(rest, "\n")
		out = append(out, &rule.Rule{Name: name, Page: page})
	}
	return out
}
