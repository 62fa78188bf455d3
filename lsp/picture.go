package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"pallas-lsp/rules/picture"
)

// pictureParams asks for the picture of a kernel: by its name, else the one at a position.
type pictureParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
	Position     *protocol.Position              `json:"position"`
	Kernel       string                          `json:"kernel"`
	Format       string                          `json:"format"` // svg when empty
}

// pictureResult is the picture, and what a client needs to show it and to go from it to the code.
type pictureResult struct {
	Kernel  string         `json:"kernel"`
	Range   protocol.Range `json:"range"` // of the kernel's name
	Kernels []string       `json:"kernels"`
	Version int32          `json:"version"` // of the document
	Format  string         `json:"format"`
	Picture string         `json:"picture"`
}

func (s *Server) picture(p *pictureParams) (*pictureResult, error) {
	if p.Format == "" {
		p.Format = "svg"
	}
	if !slices.Contains(picture.Formats, p.Format) {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "format is one of "+strings.Join(picture.Formats, ", "))
	}
	n := s.newest(p.TextDocument.URI)
	if n == nil || n.quiet() || n.book != nil { // its lines would be those of no cell
		return nil, nil
	}
	return n.picture(p), nil
}

func (n *snapshot) picture(p *pictureParams) *pictureResult {
	line := 0
	if p.Position != nil {
		line = int(p.Position.Line) + 1
	}
	k := picture.Find(n.shown(), p.Kernel, line)
	if k == nil {
		return nil
	}
	out := &pictureResult{Kernel: k.Name, Kernels: picture.Names(n.shown()), Version: n.version, Format: p.Format,
		Picture: picture.Of(n.shown(), k, n.whole().Wrong).In(p.Format)}
	if start, end, ok := n.file().Range(k.Loc); ok {
		out.Range = n.span(n.file(), start, end)
	}
	return out
}
