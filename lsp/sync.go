package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/parse"
)

// DidOpen implements textDocument/didOpen. Documents in other languages are not kept.
func (s *Server) DidOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	item := &p.TextDocument
	if !isPython(item) {
		return nil
	}
	u := uri.URI(strings.Clone(string(item.URI))) // the original would keep the whole message in memory
	d := &document{uri: u, path: pathOf(u)}
	d.now.Store(s.snapshot(d, item.Version, []byte(item.Text), nil))
	s.mu.Lock()
	s.docs[u] = d
	s.mu.Unlock()
	s.w.SetOpen(d.path, func() *parse.File { return d.now.Load().file() })
	s.changed(d)
	return nil
}

// DidChange implements textDocument/didChange: the changes are applied in order, nothing is parsed yet.
func (s *Server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	d := s.find(p.TextDocument.URI)
	if d == nil || d.now.Load().book != nil {
		return nil
	}
	text := d.now.Load().text
	for _, c := range p.ContentChanges {
		text = applyChange(text, c, s.enc)
	}
	d.now.Store(s.snapshot(d, p.TextDocument.Version, text, nil))
	s.changed(d)
	return nil
}

// changed asks for the diagnostics of a document, and of those that import it.
func (s *Server) changed(d *document) {
	s.queue.add(d)
	s.renewImporters(d)
}

// renewImporters has the documents analysed again that import one.
func (s *Server) renewImporters(d *document) {
	for _, other := range s.all() {
		if imports := other.imports.Load(); other != d && imports != nil && (*imports)[d.path] {
			s.renew(other)
		}
	}
}

// renew has a document analysed again although its text is the same.
func (s *Server) renew(d *document) {
	old := d.now.Load()
	next := s.snapshot(d, old.version, old.text, old.file)
	next.book = old.book
	d.now.CompareAndSwap(old, next)
	s.queue.add(d)
}

// DidClose implements textDocument/didClose: the findings of a closed document go away, by the worker, as the read loop must not
// wait for a client that reads nothing.
func (s *Server) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	if d := s.find(p.TextDocument.URI); d != nil && d.now.Load().book == nil {
		s.close(d)
	}
	return nil
}

func (s *Server) close(d *document) {
	s.mu.Lock()
	delete(s.docs, d.uri)
	s.mu.Unlock()
	s.w.SetOpen(d.path, nil)
	s.changed(d)
}
