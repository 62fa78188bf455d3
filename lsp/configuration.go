package lsp

import (
	"bytes"
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// section is the name of our settings in an editor.
const section = "pallas-lsp"

// Initialized implements initialized: what is still to be asked of the client or registered with it.
func (s *Server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.background("initialized", func(ctx context.Context) {
		s.register(ctx)
		s.askConfiguration(ctx)
	})
	return nil
}

// watched are the files whose change may change findings elsewhere.
var watched = []string{"**/*.py", "**/pyproject.toml", "**/{uv,poetry,pdm}.lock", "**/pylock.toml", "**/requirements*.txt"}

func (s *Server) register(ctx context.Context) {
	var list []protocol.Registration
	if s.can.watchFiles {
		var o struct {
			Watchers []map[string]string `json:"watchers"`
		}
		for _, pattern := range watched {
			o.Watchers = append(o.Watchers, map[string]string{"globPattern": pattern})
		}
		list = append(list, registration(protocol.MethodWorkspaceDidChangeWatchedFiles, o))
	}
	if s.can.watchConfiguration {
		list = append(list, registration(protocol.MethodWorkspaceDidChangeConfiguration, map[string]string{"section": section}))
	}
	if len(list) > 0 {
		s.call(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{Registrations: list}, nil)
	}
}

func registration(method string, options any) protocol.Registration {
	raw, err := json.Marshal(options)
	if err != nil {
		raw = nil
	}
	return protocol.Registration{ID: source + " " + method, Method: method, RegisterOptions: raw}
}

// call asks the client; it must not run on the read loop.
func (s *Server) call(ctx context.Context, method string, params, result any) bool {
	if _, err := s.conn.Call(ctx, method, params, result); err != nil {
		s.log.notification(method, err)
		return false
	}
	return true
}

func (s *Server) askConfiguration(ctx context.Context) {
	if !s.can.configuration {
		return
	}
	name := section
	var answer []protocol.LSPAny
	if !s.call(ctx, protocol.MethodWorkspaceConfiguration, &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &answer) {
		return
	}
	settings := s.options
	if len(answer) > 0 && string(answer[0]) != "null" {
		settings = answer[0]
	}
	if bytes.Equal(settings, s.settings) {
		return
	}
	s.configure(settings)
	s.renewAll(ctx)
}

// DidChangeConfiguration implements workspace/didChangeConfiguration. Clients that answer questions are asked, others send all.
func (s *Server) DidChangeConfiguration(_ context.Context, p *protocol.DidChangeConfigurationParams) error {
	settings := append(protocol.LSPAny{}, p.Settings...)
	s.background("configuration", func(ctx context.Context) {
		if s.can.configuration {
			s.askConfiguration(ctx)
			return
		}
		s.configure(settings)
		s.renewAll(ctx)
	})
	return nil
}

// renewAll has every document analysed again and the client ask again for what it pulls.
func (s *Server) renewAll(ctx context.Context) {
	for _, d := range s.all() {
		s.renew(d)
	}
	if s.can.pull && s.can.refreshDiagnostics {
		s.call(ctx, protocol.MethodWorkspaceDiagnosticRefresh, nil, nil)
	}
	if s.can.refreshHints {
		s.call(ctx, protocol.MethodWorkspaceInlayHintRefresh, nil, nil)
	}
}
