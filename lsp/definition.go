package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
)

// Definition implements textDocument/definition for the parameters of kernels: from the parameter to the spec or scratch entry
// that decides what it is, and to the operand that the call gives for it. Everything else is for the servers that ours runs beside.
func (s *Server) Definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	n := s.asked(ctx, p.TextDocument.URI)
	if n == nil {
		return nil, nil
	}
	off := n.offset(p.Position)
	l := &locations{n: n, seen: map[protocol.Location]bool{}}
	n.eachRef(func(_ *inspect.Kernel, r *inspect.Ref) {
		if n.covers(r.Alloc.Param, off) {
			l.add(origin(r.Alloc))
			l.add(operandLoc(r.Alloc))
		}
	})
	if l.out == nil {
		return nil, nil
	}
	return protocol.LocationSlice(l.out), ctx.Err()
}

// covers reports whether a location is in the document and holds the byte at off or ends there.
func (n *snapshot) covers(loc parse.Loc, off int) bool {
	start, end, ok := n.file().Range(loc)
	return ok && start <= off && off <= end
}

// origin is where a ref was asked for: its spec, its scratch entry, or what decided its space.
func origin(a *infer.Alloc) parse.Loc {
	switch {
	case a.Operand != nil && a.Operand.SpecLoc.Valid():
		return a.Operand.SpecLoc
	case a.Mem != nil && a.Mem.Loc.Valid():
		return a.Mem.Loc
	case a.Why != nil:
		return a.Why.Loc
	}
	return parse.Loc{}
}
