package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
)

// DocumentHighlight implements textDocument/documentHighlight: on a copy its start with its waits, on a semaphore all that signals it
// or waits for it. Names in general are for the servers that ours runs beside.
func (s *Server) DocumentHighlight(ctx context.Context, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	n := s.asked(ctx, p.TextDocument.URI)
	if n == nil {
		return nil, nil
	}
	h := &highlighter{n: n, seen: map[protocol.Range]bool{}}
	off := n.offset(p.Position)
	for _, k := range n.shown().Kernels {
		if sems := h.semaphoresAt(k, off); len(sems) > 0 {
			h.uses(k, sems)
		}
	}
	return h.out, ctx.Err()
}

type highlighter struct {
	n    *snapshot
	out  []protocol.DocumentHighlight
	seen map[protocol.Range]bool
}

func (h *highlighter) add(loc parse.Loc, kind protocol.DocumentHighlightKind) {
	start, end, ok := h.n.file().Range(loc)
	if !ok || !h.n.here(start) {
		return
	}
	r := h.n.span(h.n.file(), start, end)
	if !h.seen[r] {
		h.seen[r] = true
		h.out = append(h.out, protocol.DocumentHighlight{Range: r, Kind: kind})
	}
}

// semaphoresAt are the semaphores of the copies, waits and signals under the cursor: of those whose function or semaphore it is on.
func (h *highlighter) semaphoresAt(k *inspect.Kernel, off int) []*infer.Alloc {
	var out []*infer.Alloc
	for _, e := range k.Events {
		for i, sem := range semaphores(e) {
			if sem == nil {
				continue
			}
			if h.n.covers(verb(e.Event), off) || i < len(e.Event.Locs) && e.Event.Locs[i] != e.Event.Loc && h.n.covers(e.Event.Locs[i], off) || h.n.covers(sem.Param, off) {
				out = append(out, sem)
			}
		}
	}
	return out
}

// semaphores are the semaphores among the operands of an event, by operand.
func semaphores(e *inspect.Event) []*infer.Alloc {
	first := 0
	switch e.Op {
	case infer.OpDMAStart, infer.OpDMAWait:
		first = 2
	case infer.OpSemSignal, infer.OpSemWait, infer.OpSemRead:
	default:
		return nil
	}
	out := make([]*infer.Alloc, len(e.Refs))
	for i := first; i < len(e.Refs); i++ {
		if e.Refs[i] != nil {
			out[i] = e.Refs[i].Alloc
		}
	}
	return out
}

// verb is where the function is written that does what an event tells of: start of copy.start(), async_copy of pltpu.async_copy(...).
func verb(e *infer.Event) parse.Loc {
	c := e.Call
	if c == nil || c.Node == nil {
		return parse.Loc{}
	}
	if attr, ok := c.Node.Func.(*parse.Attr); ok {
		return parse.Loc{Chunk: c.Loc.Chunk, Span: attr.NameSpan}
	}
	return c.Func
}

// uses highlights what signals the semaphores as writes, what waits for them as reads.
func (h *highlighter) uses(k *inspect.Kernel, sems []*infer.Alloc) {
	for _, e := range k.Events {
		for _, sem := range semaphores(e) {
			if sem == nil || !slices.Contains(sems, sem) {
				continue
			}
			kind := protocol.DocumentHighlightKindRead
			if e.Op == infer.OpDMAStart || e.Op == infer.OpSemSignal {
				kind = protocol.DocumentHighlightKindWrite
			}
			h.add(verb(e.Event), kind)
			h.add(sem.Param, protocol.DocumentHighlightKindText)
		}
	}
}
