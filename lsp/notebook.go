package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/parse"
)

// A notebook is one document: its Python cells one after another. Requests name a cell, and are answered with places in cells.

// book is the cells of one version of a notebook.
type book struct {
	all   []cell // as the client counts them
	cells []cell // those of Python, as text has them
	text  *parse.Notebook
}

// cell is one version of a cell.
type cell struct {
	uri     uri.URI
	version int32
	text    string
	python  bool
}

func newBook(all []cell) *book {
	b := &book{all: all}
	var texts []string
	for _, c := range all {
		if c.python {
			b.cells = append(b.cells, c)
			texts = append(texts, c.text)
		}
	}
	b.text = parse.JoinCells(texts)
	return b
}

// notebookSync asks for the Python cells of every notebook.
func notebookSync() *protocol.NotebookDocumentSyncOptions {
	return &protocol.NotebookDocumentSyncOptions{NotebookSelector: []protocol.NotebookSelector{
		&protocol.NotebookDocumentFilterWithCells{Cells: []protocol.NotebookCellLanguage{{Language: "python"}}}}}
}

// DidOpenNotebookDocument implements notebookDocument/didOpen.
func (s *Server) DidOpenNotebookDocument(_ context.Context, p *protocol.DidOpenNotebookDocumentParams) error {
	u := uri.URI(strings.Clone(string(p.NotebookDocument.URI)))
	d := &document{uri: u, path: pathOf(u)}
	s.setCells(d, p.NotebookDocument.Version, cellsOf(p.NotebookDocument.Cells, p.CellTextDocuments))
	s.mu.Lock()
	s.docs[u] = d
	s.mu.Unlock()
	s.w.SetOpen(d.path, func() *parse.File { return d.now.Load().file() })
	s.changed(d)
	return nil
}

// cellsOf are cells with the texts that came with them.
func cellsOf(cells []protocol.NotebookCell, texts []protocol.TextDocumentItem) []cell {
	out := make([]cell, 0, len(cells))
	for _, c := range cells {
		next := cell{uri: uri.URI(strings.Clone(string(c.Document)))}
		for i := range texts {
			if t := &texts[i]; t.URI == c.Document {
				next.version, next.text = t.Version, strings.Clone(t.Text)
				next.python = c.Kind == protocol.NotebookCellKindCode && isPython(t)
			}
		}
		out = append(out, next)
	}
	return out
}

// setCells makes the next version of a notebook; only the read loop does.
func (s *Server) setCells(d *document, version int32, all []cell) {
	var old []cell
	if n := d.now.Load(); n != nil {
		old = n.book.all
	}
	b := newBook(all)
	n := s.snapshot(d, version, b.text.Text, nil)
	n.book = b
	d.now.Store(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range old {
		delete(s.books, c.uri)
	}
	for _, c := range all {
		s.books[c.uri] = d
	}
}

// DidChangeNotebookDocument implements notebookDocument/didChange: first which cells there are, then their texts.
func (s *Server) DidChangeNotebookDocument(_ context.Context, p *protocol.DidChangeNotebookDocumentParams) error {
	d := s.find(p.NotebookDocument.URI)
	if d == nil || d.now.Load().book == nil || p.Change.Cells == nil {
		return nil
	}
	all := slices.Clone(d.now.Load().book.all)
	if change := p.Change.Cells.Structure; change != nil {
		from, gone := int(change.Array.Start), int(change.Array.DeleteCount)
		if from > len(all) || gone > len(all)-from {
			return fmt.Errorf("cells %d to %d of %d", from, from+gone, len(all))
		}
		all = slices.Replace(all, from, from+gone, kept(all, cellsOf(change.Array.Cells, change.DidOpen))...)
	}
	for _, change := range p.Change.Cells.TextContent {
		i := slices.IndexFunc(all, func(c cell) bool { return c.uri == change.Document.URI })
		if i < 0 {
			return fmt.Errorf("no cell %s", change.Document.URI)
		}
		text := []byte(all[i].text)
		for _, c := range change.Changes {
			text = applyChange(text, c, s.enc)
		}
		all[i].text, all[i].version = string(text), change.Document.Version
	}
	s.setCells(d, p.NotebookDocument.Version, all)
	s.changed(d)
	return nil
}

// kept gives cells that were only moved, of which no text came, the text that they had.
func kept(old, cells []cell) []cell {
	for i, c := range cells {
		if at := slices.IndexFunc(old, func(o cell) bool { return o.uri == c.uri }); at >= 0 && c.text == "" && !c.python {
			cells[i] = old[at]
		}
	}
	return cells
}

// DidCloseNotebookDocument implements notebookDocument/didClose.
func (s *Server) DidCloseNotebookDocument(_ context.Context, p *protocol.DidCloseNotebookDocumentParams) error {
	d := s.find(p.NotebookDocument.URI)
	if d == nil || d.now.Load().book == nil {
		return nil
	}
	s.mu.Lock()
	for _, c := range d.now.Load().book.all {
		delete(s.books, c.uri)
	}
	s.mu.Unlock()
	s.close(d)
	return nil
}

// notebookOf returns the open notebook that has a cell, or nil.
func (s *Server) notebookOf(cell uri.URI) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.books[cell]
}

// of is the snapshot as seen from a cell; nil when there is no such cell of Python.
func (n *snapshot) of(u uri.URI) *snapshot {
	i := slices.IndexFunc(n.book.cells, func(c cell) bool { return c.uri == u })
	if i < 0 {
		return nil
	}
	return n.at(i)
}

func (n *snapshot) at(cell int) *snapshot {
	view := *n
	view.cell, view.version = cell, n.book.cells[cell].version
	return &view
}

// views are the documents that a client sees of a snapshot: itself, or each of its cells.
func (n *snapshot) views() []*snapshot {
	if n.book == nil {
		return []*snapshot{n}
	}
	out := make([]*snapshot, len(n.book.cells))
	for i := range out {
		out[i] = n.at(i)
	}
	return out
}

// uri is that of the document that a client sees: a cell's in a notebook.
func (n *snapshot) uri() uri.URI {
	if n.book == nil {
		return n.doc.uri
	}
	return n.book.cells[n.cell].uri
}

// holds reports whether a file is the text of this notebook.
func (n *snapshot) holds(f *parse.File) bool {
	return n.book != nil && f.Path == n.doc.path && n.book.text.Len() > 0
}

// here reports whether an offset is in what a request is about: in a notebook, in its cell.
func (n *snapshot) here(off int) bool { return n.book == nil || n.book.text.Cell(off) == n.cell }

// lineText names a line, from 1, of the document; in a notebook with its cell.
func (n *snapshot) lineText(line int) string {
	if n.book == nil {
		return fmt.Sprintf("line %d", line)
	}
	cell := n.book.text.Cell(n.file().LineStart(line - 1))
	text := fmt.Sprintf("line %d", line-n.book.text.Line(cell))
	if cell != n.cell {
		text += " of another cell"
	}
	return text
}
