package lsp

import (
	"context"
	"strconv"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Diagnostic implements textDocument/diagnostic, for clients that pull.
func (s *Server) Diagnostic(ctx context.Context, p *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	n := s.newest(p.TextDocument.URI)
	jsonrpc2.Async(ctx)
	if n == nil || n.book != nil { // what is pushed would be there twice
		return full("", []protocol.Diagnostic{}), nil
	}
	id := strconv.FormatUint(n.result, 10)
	if p.PreviousResultID != nil && *p.PreviousResultID == id {
		return &protocol.RelatedUnchangedDocumentDiagnosticReport{UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{
			Kind: "unchanged", ResultID: id}}, nil
	}
	items := n.diagnostics()
	s.tellElsewhere(context.WithoutCancel(ctx), n.doc, n.foreign())
	s.configProblems(context.WithoutCancel(ctx), n)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return full(id, items), nil
}

func full(id string, items []protocol.Diagnostic) *protocol.RelatedFullDocumentDiagnosticReport {
	r := protocol.FullDocumentDiagnosticReport{Kind: "full", Items: items}
	if id != "" {
		r.ResultID = &id
	}
	return &protocol.RelatedFullDocumentDiagnosticReport{FullDocumentDiagnosticReport: r}
}
