package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/parse"
	"pallas-lsp/rules/config"
)

// Initialize implements initialize: what the client can do decides what we offer.
func (s *Server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.can = capabilities(&p.Capabilities)
	kind := s.encoding(&p.Capabilities)
	s.setFolders(foldersOf(p))
	s.options = append(protocol.LSPAny{}, p.InitializationOptions...)
	s.configure(s.options)
	if p.ProcessID != nil {
		s.watchParent(int(*p.ProcessID))
	}
	s.mu.Lock()
	s.state = running
	s.mu.Unlock()
	return &protocol.InitializeResult{Capabilities: s.offers(kind),
		ServerInfo: protocol.ServerInfo{Name: source, Version: protocol.NewOptional(s.version)}}, nil
}

func yes(b *bool) bool { return b != nil && *b }

func capabilities(c *protocol.ClientCapabilities) client {
	var out client
	if w := c.Workspace; w != nil {
		out.workspace(w)
	}
	if t := c.TextDocument; t != nil {
		out.textDocument(t)
	}
	return out
}

func (c *client) workspace(w *protocol.WorkspaceClientCapabilities) {
	c.configuration = yes(w.Configuration)
	c.watchConfiguration = w.DidChangeConfiguration != nil && yes(w.DidChangeConfiguration.DynamicRegistration)
	c.watchFiles = w.DidChangeWatchedFiles != nil && yes(w.DidChangeWatchedFiles.DynamicRegistration)
	c.refreshDiagnostics = w.Diagnostics != nil && yes(w.Diagnostics.RefreshSupport)
	c.refreshHints = w.InlayHint != nil && yes(w.InlayHint.RefreshSupport)
	c.documentChanges = w.WorkspaceEdit != nil && yes(w.WorkspaceEdit.DocumentChanges)
}

func (c *client) textDocument(t *protocol.TextDocumentClientCapabilities) {
	if d := t.PublishDiagnostics; d != nil {
		c.diagnostics(&d.DiagnosticsCapabilities)
	}
	if d := t.Diagnostic; d != nil && c.refreshDiagnostics { // others would keep what a setting or another file made stale
		c.pull = true
		c.diagnostics(&d.DiagnosticsCapabilities)
	}
	if h := t.Hover; h != nil {
		c.markdown = slices.Contains(h.ContentFormat, protocol.MarkupKindMarkdown)
	}
	if a := t.CodeAction; a != nil {
		c.literalActions = len(a.CodeActionLiteralSupport.CodeActionKind.ValueSet) > 0
		c.resolveEdit = slices.Contains(a.ResolveSupport.Properties, "edit") && yes(a.DataSupport)
	}
}

func (c *client) diagnostics(d *protocol.DiagnosticsCapabilities) {
	c.related = c.related || yes(d.RelatedInformation)
	c.tags = c.tags || len(d.TagSupport.ValueSet) > 0
	c.codeDescription = c.codeDescription || yes(d.CodeDescriptionSupport)
	c.data = c.data || yes(d.DataSupport)
}

// encoding chooses what columns count, as ruff does so that the two agree in one buffer: UTF-8, else UTF-32, else UTF-16.
func (s *Server) encoding(c *protocol.ClientCapabilities) protocol.PositionEncodingKind {
	var offered []protocol.PositionEncodingKind
	if c.General != nil {
		offered = c.General.PositionEncodings
	}
	switch {
	case slices.Contains(offered, protocol.PositionEncodingKindUTF8):
		s.enc = parse.UTF8
		return protocol.PositionEncodingKindUTF8
	case slices.Contains(offered, protocol.PositionEncodingKindUTF32):
		s.enc = parse.UTF32
		return protocol.PositionEncodingKindUTF32
	}
	s.enc = parse.UTF16
	return protocol.PositionEncodingKindUTF16
}

func foldersOf(p *protocol.InitializeParams) []protocol.WorkspaceFolder {
	if folders, ok := p.WorkspaceFolders.Get(); ok && len(folders) > 0 {
		return folders
	}
	if p.RootURI != nil && *p.RootURI != "" {
		return []protocol.WorkspaceFolder{{URI: *p.RootURI}}
	}
	if path, ok := p.RootPath.Get(); ok && path != "" {
		return []protocol.WorkspaceFolder{{URI: uri.File(path)}}
	}
	return nil
}

// Kinds of code actions.
const (
	quickFix = protocol.CodeActionKindQuickFix
	rewrite  = protocol.CodeActionKindRefactorRewrite
	fixAll   = protocol.CodeActionKind("source.fixAll." + source)
)

func (s *Server) offers(kind protocol.PositionEncodingKind) protocol.ServerCapabilities {
	change := protocol.TextDocumentSyncKindIncremental
	c := protocol.ServerCapabilities{
		PositionEncoding:     kind,
		TextDocumentSync:     &protocol.TextDocumentSyncOptions{OpenClose: new(true), Change: &change},
		NotebookDocumentSync: notebookSync(),
		HoverProvider:        protocol.Boolean(true),
		DefinitionProvider:   protocol.Boolean(true),
		InlayHintProvider:    protocol.Boolean(true),
		CodeLensProvider:     &protocol.CodeLensOptions{},
		ReferencesProvider:   protocol.Boolean(true),

		DocumentHighlightProvider: protocol.Boolean(true),
		Workspace: &protocol.WorkspaceOptions{WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
			Supported: new(true), ChangeNotifications: protocol.Boolean(true)}, FileOperations: fileOperations()},
	}
	if s.can.literalActions {
		c.CodeActionProvider = &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{quickFix, rewrite, fixAll}, ResolveProvider: new(s.can.resolveEdit)}
	}
	if s.can.pull {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{Identifier: new(source), InterFileDependencies: true}
	}
	return c
}

// configure takes the editor's settings: JSON, perhaps null.
func (s *Server) configure(raw protocol.LSPAny) {
	s.settings = raw
	var value any
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &value); err != nil {
			s.log.notification("settings", err)
		}
	}
	options, problems := config.FromEditor(value)
	s.w.SetOptions(options)
	s.settingsProblems(problems)
}
