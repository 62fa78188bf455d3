package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
)

// InlayHint implements textDocument/inlayHint: what each parameter of a kernel is, and the route of each copy.
func (s *Server) InlayHint(ctx context.Context, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	n := s.asked(ctx, p.TextDocument.URI)
	if n == nil {
		return nil, nil
	}
	h := &hinter{n: n, from: n.offset(p.Range.Start), to: n.offset(p.Range.End), at: map[int]*hint{}}
	on := n.whole().Settings.Hints
	for _, k := range n.shown().Kernels {
		if config.Shown(on.Refs) {
			h.refs(k, config.Shown(on.Types))
		}
		if config.Shown(on.Copies) {
			h.copies(k)
		}
	}
	return h.result(), ctx.Err()
}

// hinter collects hints by the offset they stand at: a kernel that several sites run gets a hint only where they agree.
type hinter struct {
	n        *snapshot
	from, to int
	at       map[int]*hint
	order    []int
}

type hint struct {
	label string
	copy  bool
	clash bool
}

func (h *hinter) add(off int, label string, isCopy bool) {
	if off < h.from || off > h.to {
		return
	}
	if old := h.at[off]; old != nil {
		old.clash = old.clash || old.label != label
		return
	}
	h.at[off] = &hint{label: label, copy: isCopy}
	h.order = append(h.order, off)
}

// refs hints at parameters and at variables that hold buffers the kernel makes: ": HBM f32[1024, 16]".
func (h *hinter) refs(k *inspect.Kernel, types bool) {
	for _, r := range k.Refs {
		if !r.Set.Known() {
			continue
		}
		text := memory(&r.Memory, types)
		if param := h.param(r.Alloc.Param); param != nil {
			label, end := ": "+text, param.NameSpan.End
			if param.Ann != nil {
				label, end = " "+text, param.Ann.Span().End
			}
			if base, ok := h.n.file().Base(r.Alloc.Param.Chunk); ok {
				h.add(base+int(end), label, false)
			}
			continue
		}
		if end, ok := h.variable(r.Alloc); ok {
			h.add(end, ": "+text, false)
		}
	}
}

// variable is the end of the name that a buffer made in the kernel is assigned to: buf in `buf = jax.empty_ref(...)`.
func (h *hinter) variable(a *infer.Alloc) (end int, ok bool) {
	if a.Role != infer.Scoped || !a.Loc.Valid() {
		return 0, false
	}
	base, ok := h.n.file().Base(a.Loc.Chunk)
	if !ok {
		return 0, false
	}
	for _, node := range a.Loc.Chunk.NodesAt(a.Loc.Start) {
		s, isAssign := node.(*parse.Assign)
		if !isAssign || len(s.Targets) != 1 || s.Value.Span() != a.Loc.Span {
			continue
		}
		if name, isName := s.Targets[0].(*parse.Name); isName {
			return base + int(name.Span().End), true
		}
	}
	return 0, false
}

// param is the parameter whose name is at loc; nil when a call or something else is there.
func (h *hinter) param(loc parse.Loc) *parse.Param {
	if _, _, ok := h.n.file().Range(loc); !ok {
		return nil
	}
	nodes := loc.Chunk.NodesAt(loc.Start)
	for i := len(nodes) - 1; i >= 0; i-- {
		if p, ok := nodes[i].(*parse.Param); ok && p.NameSpan.Start <= loc.Start && loc.Start < p.NameSpan.End {
			return p
		}
	}
	return nil
}

// memory is what a hint says of a ref: "VMEM f32[8, 128]", or only where it is; a semaphore by its kind alone.
func memory(m *inspect.Memory, types bool) string {
	switch {
	case m.DType != nil && m.DType.IsSemaphore():
		return semaphore(m)
	case types:
		return m.String()
	}
	return m.Set.String()
}

func semaphore(m *inspect.Memory) string {
	name := map[string]string{"dma_sem": "DMA sem", "sem": "sem", "barrier_sem": "barrier sem"}[string(*m.DType)]
	if m.Shape != nil && len(*m.Shape) == 0 {
		return name
	}
	return name + m.Dims()
}

// copies hints at the start of a copy's arguments: "HBM→VMEM 64 B".
func (h *hinter) copies(k *inspect.Kernel) {
	for _, e := range k.Events {
		if e.Op != infer.OpDMAStart || len(e.Refs) < 2 || e.Refs[0] == nil || e.Refs[1] == nil {
			continue
		}
		from, to := e.Refs[0], e.Refs[1]
		call := copyCall(e.Event)
		if call == nil || call.Node == nil || !from.Set.Known() || !to.Set.Known() {
			continue
		}
		label := from.Set.String() + "→" + to.Set.String()
		if size := max(from.Bytes(), to.Bytes()); size > 0 {
			label += " " + bytesText(size)
		}
		if base, ok := h.n.file().Base(call.Loc.Chunk); ok && len(call.Node.Args) > 0 {
			h.add(base+int(call.Node.Args[0].Span().Start), label, true)
		}
	}
}

// copyCall is the call that names source and destination: of an async copy it made the descriptor.
func copyCall(e *infer.Event) *infer.Call {
	if e.Desc != nil && e.Desc.Call != nil {
		return e.Desc.Call
	}
	return e.Call
}

// bytesText writes a size as people read it.
func bytesText(n int64) string { return inspect.Size(n) }

func (h *hinter) result() []protocol.InlayHint {
	out := []protocol.InlayHint{}
	for _, off := range h.order {
		x := h.at[off]
		if x.clash {
			continue
		}
		p := protocol.InlayHint{Position: h.n.position(h.n.file(), off), Label: protocol.String(x.label)}
		if x.copy {
			p.PaddingRight = new(true)
		} else {
			p.Kind = protocol.InlayHintKindType
		}
		out = append(out, p)
	}
	return out
}
