// Package control holds the rules about our own comments. They have no functions over facts: rules.Suppress reports them,
// since only it knows which comment silenced what.
package control

import (
	_ "embed"

	"pallas-lsp/rules/rule"
)

//go:embed unused_suppression.md
var unusedPage string

//go:embed unknown_suppression.md
var unknownPage string

// UnusedSuppression: a comment silences a rule that finds nothing there.
var UnusedSuppression = &rule.Rule{Name: "unused-suppression", Page: unusedPage, Tag: rule.Unnecessary}

// UnknownSuppression: a comment names no rule, or one that does not exist.
var UnknownSuppression = &rule.Rule{Name: "unknown-suppression", Page: unknownPage}

// Rules are the rules of this folder.
var Rules = []*rule.Rule{UnusedSuppression, UnknownSuppression}
