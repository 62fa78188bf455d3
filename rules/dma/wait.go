package dma

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// called: the author calls that method of the descriptor, as opposed to one that calls it.
func called(e *infer.Event, method string) bool {
	return e.Call != nil && strings.HasSuffix(e.Call.API, "."+method)
}

// waitInstead replaces the method by wait, which waits for more.
func waitInstead(e *infer.Event) *rule.Fix {
	if e.Call == nil || e.Call.Node == nil {
		return nil
	}
	a, ok := e.Call.Node.Func.(*parse.Attr)
	if !ok {
		return nil
	}
	return &rule.Fix{Title: "Use `wait()`", Safety: rule.Safe, Edits: []rule.Edit{{Loc: parse.Loc{Chunk: e.Call.Func.Chunk, Span: a.NameSpan}, New: "wait"}}}
}

// high: the copy moves values of a hijax type, by the type's own methods.
func high(e *infer.Event) bool {
	for _, r := range e.Refs {
		if r != nil && r.High {
			return true
		}
	}
	return false
}
