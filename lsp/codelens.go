package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"pallas-lsp/parse"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/inspect"
)

// CodeLens implements textDocument/codeLens: above the call of a kernel, what the kernel takes of the memories of its core.
func (s *Server) CodeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	n := s.asked(ctx, p.TextDocument.URI)
	if n == nil || !config.Shown(n.whole().Settings.Hints.Budget) {
		return nil, nil
	}
	out := []protocol.CodeLens{}
	for _, k := range n.shown().Kernels {
		title := k.Budget()
		if title == "" || k.Ran == nil {
			continue
		}
		start, end, ok := n.file().Range(callee(k.Ran.Call.Func, k.Ran.Loc))
		if !ok || !n.here(start) {
			continue
		}
		at := n.span(n.file(), start, end)
		at.End = at.Start
		out = append(out, protocol.CodeLens{Range: at, Command: protocol.Command{Title: title}})
	}
	return out, ctx.Err()
}

// callee is where the function of a call is written, else the call.
func callee(fn, call parse.Loc) parse.Loc {
	if fn.Valid() {
		return fn
	}
	return call
}

// budget describes what the kernel of the call under the cursor takes, buffer by buffer, and how its grid runs.
func (x *subject) budget() (string, parse.Span) {
	for _, k := range x.n.shown().Kernels {
		if k.Ran == nil || k.Ran.API == "run_scoped" {
			continue
		}
		span, ok := x.onCallee(k.Ran.Call)
		if !ok {
			continue
		}
		if text := budgetText(k); text != "" {
			return text, span
		}
	}
	return "", parse.Span{}
}

func budgetText(k *inspect.Kernel) string {
	text := ""
	if line := k.Budget(); line != "" {
		text = "**`" + k.Name + "`** takes " + line + "\n"
		for _, u := range k.Usage {
			for _, p := range u.Parts {
				text += "\n- " + u.Space.String() + ": " + p.String()
			}
		}
		text += chipTable(k)
	}
	if steps := k.Steps(); steps != nil {
		if text != "" {
			text += "\n\n"
		}
		text += "**" + steps[0] + "**"
		for _, line := range steps[1:] {
			text += "\n- " + line
		}
	}
	return text
}

// chipTable says how much of VMEM there is on each chip, where none is configured.
func chipTable(k *inspect.Kernel) string {
	if len(k.Usage) == 0 || k.Usage[0].Limit > 0 {
		return ""
	}
	text := ""
	for _, c := range inspect.VMEMLimits(k.Ran) {
		if text != "" {
			text += ", "
		}
		text += c
	}
	if text == "" {
		return ""
	}
	return "\n\nVMEM it may take: " + text
}
