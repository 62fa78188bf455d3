package rules

import "pallas-lsp/rules/infer"

// MentionsPallas tells apart, without parsing, the files that can have to do with Pallas.
func MentionsPallas(text []byte) bool { return infer.MentionsPallas(text) }
