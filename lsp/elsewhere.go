package lsp

import (
	"context"
	"reflect"
	"sync"

	"go.lsp.dev/protocol"
)

// elsewhere holds what the analyses of open documents found in files that they import: a helper is right or wrong by what
// is given to it, so that its own file alone says nothing.
type elsewhere struct {
	mu sync.Mutex
	by map[*document]map[string]*outside // by the document that was analysed and the path of the finding
}

// outside is what the analysis of one document found in one other file.
type outside struct {
	found    []protocol.Diagnostic
	silenced map[int]bool // offsets of names in comments there that silenced something
}

// uses reports whether a name in a comment of the file at path silences something for others.
func (e *elsewhere) uses(path string, offset int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, other := range e.by {
		if o := other[path]; o != nil && o.silenced[offset] {
			return true
		}
	}
	return false
}

// add appends to the diagnostics of the file at path what others found in it, each once.
func (e *elsewhere) add(list []protocol.Diagnostic, path string) []protocol.Diagnostic {
	e.mu.Lock()
	defer e.mu.Unlock()
	type key struct {
		code protocol.ProgressToken
		at   protocol.Range
	}
	seen := map[key]bool{}
	for _, d := range list {
		seen[key{d.Code, d.Range}] = true
	}
	for _, other := range e.by {
		if other[path] == nil {
			continue
		}
		for _, d := range other[path].found {
			if k := (key{d.Code, d.Range}); !seen[k] {
				seen[k] = true
				list = append(list, d)
			}
		}
	}
	return list
}

// set replaces what the analysis of a document found elsewhere, and returns the paths for which that is something else now.
// A document that is closed has found nothing.
func (e *elsewhere) set(d *document, found map[string]*outside, open func() bool) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !open() {
		found = nil
	}
	old := e.by[d]
	var changed []string
	for path := range old {
		if !reflect.DeepEqual(old[path], found[path]) {
			changed = append(changed, path)
		}
	}
	for path := range found {
		if old[path] == nil {
			changed = append(changed, path)
		}
	}
	if len(found) == 0 {
		delete(e.by, d)
	} else {
		e.by[d] = found
	}
	return changed
}

// foreign is what the analysis of a snapshot found in other files.
func (n *snapshot) foreign() map[string]*outside {
	out := map[string]*outside{}
	if n.quiet() {
		return out
	}
	at := func(path string) *outside {
		if out[path] == nil {
			out[path] = &outside{}
		}
		return out[path]
	}
	for _, d := range n.whole().Findings {
		if p, ok := n.whole().Place(d.Loc); ok && p.File.Path != n.doc.path {
			o := at(p.File.Path)
			o.found = append(o.found, n.diagnostic(d, p))
		}
	}
	for spot := range n.whole().Silenced {
		o := at(spot.Path)
		if o.silenced == nil {
			o.silenced = map[int]bool{}
		}
		o.silenced[spot.Offset] = true
	}
	return out
}

// tellElsewhere shows what was found in other files: with the findings of an open document, or on its own.
func (s *Server) tellElsewhere(ctx context.Context, d *document, found map[string]*outside) {
	for _, path := range s.elsewhere.set(d, found, func() bool { return s.find(d.uri) == d }) {
		if other := s.find(uriOf(path)); other != nil {
			s.again(other)
			continue
		}
		if !s.can.pull {
			s.publishing.Lock()
			s.send(ctx, &protocol.PublishDiagnosticsParams{URI: uriOf(path), Diagnostics: s.elsewhere.add([]protocol.Diagnostic{}, path)})
			s.publishing.Unlock()
		}
	}
}

// again has the diagnostics of a document sent once more, without another analysis.
func (s *Server) again(d *document) {
	old := d.now.Load()
	next := *old
	next.result = s.results.Add(1)
	d.now.CompareAndSwap(old, &next)
	s.queue.add(d)
}
