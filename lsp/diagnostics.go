package lsp

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
)

// queue holds the documents whose diagnostics are due, each once, in the order in which they became so.
type queue struct {
	mu   sync.Mutex
	due  []*document
	wake chan struct{}
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

func (q *queue) add(d *document) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, x := range q.due {
		if x == d {
			return
		}
	}
	q.due = append(q.due, d)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// next waits for a document; nil when ctx ends.
func (q *queue) next(ctx context.Context) *document {
	for {
		if d := q.take(); d != nil {
			return d
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return nil
		}
	}
}

func (q *queue) take() *document {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.due) == 0 {
		return nil
	}
	d := q.due[0]
	q.due = q.due[1:]
	return d
}

// work analyses documents one after another, always their newest version: the versions of a burst of changes that were
// superseded meanwhile are never looked at.
func (s *Server) work(ctx context.Context) {
	for d := s.queue.next(ctx); d != nil; d = s.queue.next(ctx) {
		s.workOn(ctx, d)
	}
}

func (s *Server) workOn(ctx context.Context, d *document) {
	defer s.survive("diagnostics")
	if s.find(d.uri) != d {
		s.clear(ctx, d)
		s.tellElsewhere(ctx, d, nil)
		return
	}
	n := d.now.Load()
	if s.pulls(n) {
		return
	}
	s.publish(ctx, n, n.reports())
	s.tellElsewhere(ctx, d, n.foreign())
	s.configProblems(ctx, n)
}

// pulls reports whether the client asks for the diagnostics of a document. Clients that pull do so for documents, and not for the cells of a notebook.
func (s *Server) pulls(n *snapshot) bool { return s.can.pull && n.book == nil }

// survive is deferred where nobody else catches a panic.
func (s *Server) survive(where string) {
	if v := recover(); v != nil {
		s.log.panicked(where, v, debug.Stack())
	}
}

// patience is how long diagnostics of superseded versions are held back while somebody types without a pause.
const patience = 500 * time.Millisecond

// reports are the diagnostics of a version, of a notebook for each cell.
func (n *snapshot) reports() []*protocol.PublishDiagnosticsParams {
	var out []*protocol.PublishDiagnosticsParams
	for _, v := range n.views() {
		out = append(out, &protocol.PublishDiagnosticsParams{URI: v.uri(), Version: protocol.NewOptional(v.version), Diagnostics: v.diagnostics()})
	}
	return out
}

// publish sends the diagnostics of a version, unless the document was closed or a newer version is due that will come soon.
func (s *Server) publish(ctx context.Context, n *snapshot, reports []*protocol.PublishDiagnosticsParams) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	d := n.doc
	if s.find(d.uri) != d || d.sent == n || d.now.Load() != n && time.Since(d.published) < patience {
		return
	}
	d.sent, d.published = n, time.Now()
	old := d.shown
	d.shown = nil
	for _, p := range reports {
		s.send(ctx, p)
		d.shown = append(d.shown, p.URI)
	}
	for _, u := range old { // cells that are gone
		if !slices.Contains(d.shown, u) {
			s.send(ctx, &protocol.PublishDiagnosticsParams{URI: u, Diagnostics: []protocol.Diagnostic{}})
		}
	}
}

// clear takes the diagnostics of a closed document back, but for those that others found in it.
func (s *Server) clear(ctx context.Context, d *document) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if s.pulls(d.now.Load()) || s.find(d.uri) != nil { // it is open again
		return
	}
	for _, u := range d.shown {
		if s.newest(u) == nil {
			s.send(ctx, &protocol.PublishDiagnosticsParams{URI: u, Diagnostics: s.elsewhere.add([]protocol.Diagnostic{}, d.path)})
		}
	}
}

func (s *Server) send(ctx context.Context, p *protocol.PublishDiagnosticsParams) {
	if err := s.conn.Notify(ctx, protocol.MethodTextDocumentPublishDiagnostics, p); err != nil {
		s.log.notification(protocol.MethodTextDocumentPublishDiagnostics, err)
	}
}
