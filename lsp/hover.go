package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
)

// Hover implements textDocument/hover: what a ref, a copy, a spec or a memory space is in this kernel, and the first part of
// the page of each finding there. Elsewhere it is null, as another server has the word.
func (s *Server) Hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	n := s.asked(ctx, p.TextDocument.URI)
	if n == nil {
		return nil, nil
	}
	off := n.offset(p.Position)
	parts, start, end := n.aboutCode(off)
	pages, from, to := n.aboutFindings(off)
	if parts == nil {
		start, end = from, to
	}
	parts = append(parts, pages...)
	if len(parts) == 0 {
		return nil, ctx.Err()
	}
	r := n.span(n.file(), start, end)
	return &protocol.Hover{Contents: s.markup(strings.Join(parts, "\n\n---\n\n")), Range: &r}, ctx.Err()
}

// markup is Markdown, or the same text without its signs for clients that show no Markdown.
func (s *Server) markup(text string) *protocol.MarkupContent {
	if s.can.markdown {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: plainText(text)}
}

func plainText(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			continue
		}
		out = append(out, strings.NewReplacer("**", "", "`", "", "  \n", "\n").Replace(strings.TrimRight(line, " ")))
	}
	return strings.Join(out, "\n")
}

// aboutCode is what is known of the code at an offset, and the span that it is about; nil: nothing.
func (n *snapshot) aboutCode(off int) (parts []string, start, end int) {
	c, at := n.file().ChunkAt(off)
	if c == nil || len(n.shown().Kernels) == 0 {
		return nil, 0, 0
	}
	x := &subject{n: n, chunk: c, at: at, nodes: c.NodesAt(at)}
	text, span := x.describe()
	if text == "" {
		return nil, 0, 0
	}
	base, _ := n.file().Base(c)
	return []string{text}, base + int(span.Start), base + int(span.End)
}

// subject is the code under the cursor.
type subject struct {
	n     *snapshot
	chunk *parse.Chunk
	at    int32
	nodes []parse.Node // from the outermost to the innermost
}

// describe tries the readings of the code from the most special one on.
func (x *subject) describe() (string, parse.Span) {
	for _, reading := range []func() (string, parse.Span){x.ref, x.copy, x.spec, x.scratch, x.budget, x.space, x.api} {
		if text, span := reading(); text != "" {
			return text, span
		}
	}
	return "", parse.Span{}
}
