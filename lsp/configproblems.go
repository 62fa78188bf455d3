package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/rules/config"
)

// configProblems shows what is wrong in the pyproject.toml that a document is checked with, in that file, and takes it back
// when it is right again.
func (s *Server) configProblems(ctx context.Context, n *snapshot) {
	settings := s.w.Settings(n.doc.path)
	if settings.Source == "" {
		return
	}
	u := uri.File(settings.Source)
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if len(settings.Problems) == 0 && !s.wrong[u] {
		return
	}
	s.wrong[u] = len(settings.Problems) > 0
	p := &protocol.PublishDiagnosticsParams{URI: u, Diagnostics: []protocol.Diagnostic{}}
	for _, problem := range settings.Problems {
		p.Diagnostics = append(p.Diagnostics, configDiagnostic(problem))
	}
	s.send(ctx, p)
}

func configDiagnostic(p config.Problem) protocol.Diagnostic {
	line := uint32(max(p.Line-1, 0))
	return protocol.Diagnostic{
		Range:    protocol.Range{Start: protocol.Position{Line: line}, End: protocol.Position{Line: line + 1}},
		Severity: protocol.DiagnosticSeverityError,
		Source:   protocol.NewOptional(source),
		Message:  protocol.String(p.Message),
	}
}

// settingsProblems tells, once each, what is wrong in the editor's settings.
func (s *Server) settingsProblems(problems []config.Problem) {
	for _, p := range problems {
		message := "pallas-lsp settings: " + p.Message
		if s.told[message] {
			continue
		}
		s.told[message] = true
		err := s.conn.Notify(context.Background(), protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: message})
		if err != nil {
			s.log.notification(protocol.MethodWindowShowMessage, err)
		}
	}
}
