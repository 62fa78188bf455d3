package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
)

// InlayHint implements textDocument/inlayHint: what each parameter of a kernel is, and the route of each copy.
func (s *Server) InlayHint(ctx context.Context, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	n := s.newest(p.TextDocument.URI)
	jsonrpc2.Async(ctx)
	if n == nil || n.quiet() {
		return nil, nil
	}
	h := &hinter{n: n, from: n.offset(p.Range.Start), to: n.offset(p.Range.End), at: map[int]*hint{}}
	on := n.whole().Settings.Hints
	for _, k := range n.shown().Kernels {
		if on.Refs == nil || *on.Refs {
			h.refs(k)
		}
		if on.Copies == nil || *on.Copies {
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

// refs hints at parameters: ": HBM f32[1024, 16]".
func (h *hinter) refs(k *inspect.Kernel) {
	for _, r := range k.Refs {
		if !r.Set.Known() {
			continue
		}
		if param := h.param(r.Alloc.Param); param != nil {
			label, end := ": "+memory(&r.Memory), param.NameSpan.End
			if param.Ann != nil {
				label, end = " "+memory(&r.Memory), param.Ann.Span().End
			}
			if base, ok := h.n.file().Base(r.Alloc.Param.Chunk); ok {
				h.add(base+int(end), label, false)
			}
		}
	}
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

// memory is what a hint says of a ref: "VMEM f32[8, 128]", a semaphore by its kind alone.
func memory(m *inspect.Memory) string {
	if m.DType != nil && m.DType.IsSemaphore() {
		return semaphore(m)
	}
	return m.String()
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
func bytesText(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	size, i := float64(n), 0
	for size >= 1024 && i < len(units)-1 {
		size /= 1024
		i++
	}
	if size == float64(int64(size)) {
		return fmt.Sprintf("%d %s", int64(size), units[i])
	}
	return fmt.Sprintf("%.1f %s", size, units[i])
}

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
