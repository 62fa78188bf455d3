package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
	"pallas-lsp/rules/workspace"
)

// document is an open document. Only the read loop replaces its newest snapshot; snapshots themselves do not change.
type document struct {
	uri     uri.URI
	path    string // of a file; otherwise the URI, which is no absolute path
	now     atomic.Pointer[snapshot]
	parsed  parseOnce
	imports atomic.Pointer[map[string]bool] // of the newest version that was analysed
	reuse   workspace.Reuse

	// Of the last diagnostics; guarded by Server.publishing.
	sent      *snapshot
	published time.Time
	shown     []uri.URI // what diagnostics were sent for: the document, or the cells of a notebook
}

// parseOnce holds the newest version that was parsed: the next one is parsed from it.
type parseOnce struct {
	mu   sync.Mutex
	file *parse.File
}

// snapshot is one version of a document with all that is worked out of it, each part when it is first asked for.
type snapshot struct {
	s       *Server
	doc     *document
	version int32
	text    []byte
	result  uint64 // identifies the snapshot to pulled diagnostics
	book    *book  // the cells of a notebook; nil for a document by itself
	cell    int    // which of them a request is about

	quiet func() bool // it has nothing to do with Pallas: every request is answered with nothing, and nothing is parsed
	file  func() *parse.File
	whole func() *workspace.Analysis // facts and findings
	shown func() *inspect.File       // the facts as hover and hints want them
}

// pathOf is the path of a file, or the URI of what is no file: a path that is not absolute, so that nothing is looked up for it.
func pathOf(u uri.URI) string {
	if u.IsFile() {
		return u.FsPath()
	}
	return string(u)
}

// uriOf is the URI of a path as pathOf made it.
func uriOf(path string) uri.URI {
	if filepath.IsAbs(path) {
		return uri.File(path)
	}
	return uri.URI(path)
}

// snapshot makes the snapshot of a version; file is nil for a text that is still to be parsed.
func (s *Server) snapshot(d *document, version int32, text []byte, file func() *parse.File) *snapshot {
	n := &snapshot{s: s, doc: d, version: version, text: text, result: s.results.Add(1), file: file}
	if file == nil {
		n.file = sync.OnceValue(func() *parse.File { return d.parsed.next(d.path, text) })
	}
	n.quiet = sync.OnceValue(func() bool { return !infer.MentionsPallas(text) })
	n.whole = sync.OnceValue(func() *workspace.Analysis {
		a := s.w.CheckNext(n.file(), &d.reuse)
		limitMemory()
		d.imports.Store(&a.Imports)
		if left := a.Facts.LeftOut; left > 0 {
			s.log.once(d.path, "pallas-lsp: %s: %d functions are not looked at: those before take all that a file may take", d.path, left)
		}
		return a
	})
	n.shown = sync.OnceValue(func() *inspect.File { return inspect.Of(n.whole(), func(path string) string { return path }) })
	return n
}

// next parses a text from the version that was parsed last, whichever that is: only what differs is read anew.
func (p *parseOnce) next(path string, text []byte) *parse.File {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case len(text) > workspace.MaxSource:
		return parse.Parse(path, nil)
	case p.file == nil:
		p.file = parse.Parse(path, text)
	default:
		p.file = p.file.Edit(text)
	}
	return p.file
}

// find returns an open document, nil when it is not open or not Python.
func (s *Server) find(u uri.URI) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.docs[u]
}

// newest returns the newest version of an open document, of a cell that of its notebook; nil when it is not open or not Python.
func (s *Server) newest(u uri.URI) *snapshot {
	if d := s.find(u); d != nil {
		return d.now.Load()
	}
	if d := s.notebookOf(u); d != nil {
		return d.now.Load().of(u)
	}
	return nil
}

// asked returns the newest version of a document that a request is about, and lets the read loop go on; nil when there is nothing to say of it.
func (s *Server) asked(ctx context.Context, u uri.URI) *snapshot {
	n := s.newest(u)
	jsonrpc2.Async(ctx)
	if n == nil || n.quiet() {
		return nil
	}
	return n
}

// all returns the open documents.
func (s *Server) all() []*document {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*document, 0, len(s.docs))
	for _, d := range s.docs {
		out = append(out, d)
	}
	return out
}

// position converts a byte offset; in a notebook to a position in the cell that has it.
func (n *snapshot) position(f *parse.File, off int) protocol.Position {
	line, column := f.Position(off, n.s.enc)
	if n.holds(f) {
		line -= n.book.text.Line(n.book.text.Cell(off))
	}
	return protocol.Position{Line: uint32(line), Character: uint32(column)}
}

// span converts a span of bytes.
func (n *snapshot) span(f *parse.File, start, end int) protocol.Range {
	from, to := n.position(f, start), n.position(f, end)
	if n.holds(f) && n.book.text.Cell(start) != n.book.text.Cell(end) { // it ends in the line end behind the cell
		_, last := n.book.text.Span(n.book.text.Cell(start))
		to = n.position(f, last)
	}
	return protocol.Range{Start: from, End: to}
}

// location converts a place, which may be in another file.
func (n *snapshot) location(p workspace.Place) protocol.Location {
	u := n.doc.uri
	switch {
	case p.File.Path != n.doc.path:
		u = uriOf(p.File.Path)
	case n.holds(p.File):
		u = n.book.cells[n.book.text.Cell(p.Start)].uri
	}
	return protocol.Location{URI: u, Range: n.span(p.File, p.Start, p.End)}
}

// offset converts a position of the document, or of the cell.
func (n *snapshot) offset(p protocol.Position) int {
	if n.book == nil {
		return n.file().Offset(int(p.Line), int(p.Character), n.s.enc)
	}
	_, end := n.book.text.Span(n.cell)
	return min(end, n.file().Offset(n.book.text.Line(n.cell)+int(p.Line), int(p.Character), n.s.enc))
}

// isPython goes by the language that the client names; some name none.
func isPython(item *protocol.TextDocumentItem) bool {
	return item.LanguageID == "python" || item.LanguageID == "" && strings.HasSuffix(string(item.URI), ".py")
}
