package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// fileOperations asks to be told of what is made, renamed and deleted in the editor: a folder that goes is one event there, and none of a
// watch on files.
func fileOperations() *protocol.FileOperationOptions {
	which := protocol.FileOperationRegistrationOptions{Filters: []protocol.FileOperationFilter{
		{Scheme: new("file"), Pattern: protocol.FileOperationPattern{Glob: "**/*.py", Matches: protocol.FileOperationPatternKindFile}},
		{Scheme: new("file"), Pattern: protocol.FileOperationPattern{Glob: "**", Matches: protocol.FileOperationPatternKindFolder}},
	}}
	return &protocol.FileOperationOptions{DidCreate: which, DidRename: which, DidDelete: which}
}

// DidCreateFiles implements workspace/didCreateFiles.
func (s *Server) DidCreateFiles(context.Context, *protocol.CreateFilesParams) error {
	return s.moved()
}

// DidRenameFiles implements workspace/didRenameFiles. An open document that is renamed is closed and opened by the client.
func (s *Server) DidRenameFiles(context.Context, *protocol.RenameFilesParams) error {
	return s.moved()
}

// DidDeleteFiles implements workspace/didDeleteFiles.
func (s *Server) DidDeleteFiles(context.Context, *protocol.DeleteFilesParams) error {
	return s.moved()
}

// moved: an import may name another file now, or none.
func (s *Server) moved() error {
	s.w.Forget()
	s.background("file operation", s.renewAll)
	return nil
}
