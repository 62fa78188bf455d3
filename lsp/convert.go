package lsp

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/rules"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

// source is the name that findings carry in the editor.
const source = "pallas-lsp"

// diagnostics are the findings in the snapshot as the protocol has them: its own, and those that open documents that import it
// made in it.
func (n *snapshot) diagnostics() []protocol.Diagnostic {
	out := []protocol.Diagnostic{}
	if n.quiet() {
		return n.s.elsewhere.add(out, n.doc.path)
	}
	for _, d := range n.whole().Findings {
		start, end, ok := n.file().Range(d.Loc)
		if ok && n.here(start) && !(d.Rule == control.UnusedSuppression && n.s.elsewhere.uses(n.doc.path, start)) {
			out = append(out, n.diagnostic(d, workspace.Place{File: n.file(), Start: start, End: end}))
		}
	}
	return n.s.elsewhere.add(out, n.doc.path)
}

func (n *snapshot) diagnostic(d *rule.Diagnostic, at workspace.Place) protocol.Diagnostic {
	can := &n.s.can
	out := protocol.Diagnostic{
		Range:    n.span(at.File, at.Start, at.End),
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
		line, _ := p.File.Position(p.Start, n.s.enc)
		where := n.lineText(line + 1)
		if p.File.Path != n.doc.path {
			where = fmt.Sprintf("%s line %d", filepath.Base(p.File.Path), line+1)
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
