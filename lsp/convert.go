package lsp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/rules"
	"pallas-lsp/rules/rule"
)

// source is the name that findings carry in the editor.
const source = "pallas-lsp"

// diagnostics are the findings of the snapshot as the protocol has them. Findings in imported files are left out.
func (n *snapshot) diagnostics() []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	for _, d := range n.whole().Findings {
		if start, end, ok := n.file().Range(d.Loc); ok {
			out = append(out, n.diagnostic(d, start, end))
		}
	}
	return out
}

func (n *snapshot) diagnostic(d *rule.Diagnostic, start, end int) protocol.Diagnostic {
	can := &n.s.can
	out := protocol.Diagnostic{
		Range:    n.span(n.file(), start, end),
		Severity: severity(d.Severity),
		Code:     protocol.String(d.Rule.Name),
		Source:   protocol.NewOptional(source),
	}
	message := d.Message
	if can.related {
		out.RelatedInformation = n.related(d)
	} else {
		message += n.folded(d)
	}
	out.Message = protocol.String(message)
	if can.codeDescription {
		out.CodeDescription = protocol.CodeDescription{Href: uri.URI(rules.URL(d.Rule))}
	}
	if can.tags && d.Rule.Tag != 0 {
		out.Tags = protocol.NewDiagnosticTags(protocol.DiagnosticTag(d.Rule.Tag))
	}
	if can.data {
		out.Data = dataOf(n.version, d)
	}
	return out
}

// severity is the protocol's, whose numbers are those of rule.Severity.
func severity(s rule.Severity) protocol.DiagnosticSeverity { return protocol.DiagnosticSeverity(s) }

func (n *snapshot) related(d *rule.Diagnostic) []protocol.DiagnosticRelatedInformation {
	var out []protocol.DiagnosticRelatedInformation
	for _, r := range d.Related {
		if p, ok := n.whole().Place(r.Loc); ok {
			out = append(out, protocol.DiagnosticRelatedInformation{Location: n.location(p), Message: r.Message})
		}
	}
	return out
}

// folded is the related information as lines of the message, for clients that show it in no other way.
func (n *snapshot) folded(d *rule.Diagnostic) string {
	var b strings.Builder
	for _, r := range d.Related {
		p, ok := n.whole().Place(r.Loc)
		if !ok {
			continue
		}
		where := fmt.Sprintf("line %d", n.position(p.File, p.Start).Line+1)
		if p.File.Path != n.doc.path {
			where = filepath.Base(p.File.Path) + " " + where
		}
		fmt.Fprintf(&b, "\n%s: %s", where, r.Message)
	}
	return b.String()
}

// data is what a diagnostic carries for us: which version it is of and which fixes it has.
type data struct {
	Version int32    `json:"version"`
	Fixes   []string `json:"fixes,omitempty"` // titles
}

func dataOf(version int32, d *rule.Diagnostic) protocol.LSPAny {
	x := data{Version: version}
	for _, f := range d.Fixes {
		x.Fixes = append(x.Fixes, f.Title)
	}
	text, err := json.Marshal(x)
	if err != nil {
		return nil
	}
	return text
}
