package lsp

import (
	"context"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"
)

func (s *Server) setFolders(folders []protocol.WorkspaceFolder) {
	s.folders = folders
	var roots []string
	for _, f := range folders {
		if f.URI.IsFile() {
			roots = append(roots, f.URI.FsPath())
		}
	}
	s.w.SetRoots(roots)
}

// DidChangeWorkspaceFolders implements workspace/didChangeWorkspaceFolders.
func (s *Server) DidChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	left := slices.DeleteFunc(slices.Clone(s.folders), func(f protocol.WorkspaceFolder) bool {
		return slices.ContainsFunc(p.Event.Removed, func(r protocol.WorkspaceFolder) bool { return r.URI == f.URI })
	})
	added, err := protocol.Clone(p.Event.Added)
	if err != nil {
		return err
	}
	s.setFolders(append(left, added...))
	s.background("folders", s.renewAll)
	return nil
}

// DidChangeWatchedFiles implements workspace/didChangeWatchedFiles: configuration and environment are read again, and what
// imports a changed file is analysed again.
func (s *Server) DidChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	if !slices.ContainsFunc(p.Changes, s.concerns) {
		return nil
	}
	s.w.Forget()
	s.background("watched files", s.renewAll)
	return nil
}

// concerns reports whether a change on disk can change findings. An open document is what the editor says it is, whatever is
// on disk.
func (s *Server) concerns(e protocol.FileEvent) bool {
	if !e.URI.IsFile() {
		return false
	}
	path := e.URI.FsPath()
	if filepath.Ext(path) != ".py" || e.Type != protocol.FileChangeTypeChanged {
		return s.find(e.URI) == nil
	}
	return slices.ContainsFunc(s.all(), func(d *document) bool {
		imports := d.imports.Load()
		return d.path != path && imports != nil && (*imports)[path]
	})
}
