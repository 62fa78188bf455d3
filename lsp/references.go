package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
)

// References implements textDocument/references for what a kernel's parameters come from: from a spec, a scratch entry or an operand of
// the call to the parameters, and what the kernel does with them.
func (s *Server) References(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	n := s.asked(ctx, p.TextDocument.URI)
	if n == nil {
		return nil, nil
	}
	off := n.offset(p.Position)
	l := &locations{n: n, seen: map[protocol.Location]bool{}}
	n.eachRef(func(k *inspect.Kernel, r *inspect.Ref) {
		if !n.covers(origin(r.Alloc), off) && !n.covers(operandLoc(r.Alloc), off) {
			return
		}
		l.add(r.Alloc.Param)
		for _, e := range k.Events {
			for i, used := range e.Refs {
				if used != nil && used.Alloc == r.Alloc && i < len(e.Event.Locs) {
					l.add(e.Event.Locs[i])
				}
			}
		}
	})
	return l.out, ctx.Err()
}

// eachRef calls f for every ref of every kernel of the document.
func (n *snapshot) eachRef(f func(*inspect.Kernel, *inspect.Ref)) {
	for _, k := range n.shown().Kernels {
		for _, r := range k.Refs {
			f(k, r)
		}
	}
}

// locations collects places, each once.
type locations struct {
	n    *snapshot
	out  []protocol.Location
	seen map[protocol.Location]bool
}

func (l *locations) add(loc parse.Loc) {
	place, ok := l.n.whole().Place(loc)
	if !ok {
		return
	}
	if at := l.n.location(place); !l.seen[at] {
		l.seen[at] = true
		l.out = append(l.out, at)
	}
}

// operandLoc is where the operand that a kernel's parameter stands for is given to the call; invalid where that is not certain.
func operandLoc(a *infer.Alloc) parse.Loc {
	o := a.Operand
	if o == nil || o.Mem != nil || a.Kernel == nil || a.Kernel.Site == nil || a.Role != infer.Input && a.Role != infer.Prefetch {
		return parse.Loc{}
	}
	s := a.Kernel.Site
	if !s.Called || len(s.Operands) != len(s.Inputs) || o.Index >= len(s.Operands) {
		return parse.Loc{}
	}
	for _, arg := range s.Operands {
		if arg.Star != 0 || arg.Name != "" {
			return parse.Loc{}
		}
	}
	return s.Operands[o.Index].Loc
}
