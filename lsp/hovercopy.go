package lsp

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
)

// onCallee reports whether the cursor is on the name of the function of a call: on async_copy of pltpu.async_copy(...).
func (x *subject) onCallee(c *infer.Call) (parse.Span, bool) {
	if c == nil || c.Node == nil || c.Loc.Chunk != x.chunk {
		return parse.Span{}, false
	}
	span := c.Node.Func.Span()
	if attr, ok := c.Node.Func.(*parse.Attr); ok {
		span = attr.NameSpan
	}
	return span, span.Start <= x.at && x.at <= span.End
}

// copy describes the copy that the call under the cursor makes, starts or waits for.
func (x *subject) copy() (string, parse.Span) {
	for _, k := range x.n.shown().Kernels {
		for _, e := range k.Events {
			if e.Op != infer.OpDMAStart && e.Op != infer.OpDMAWait {
				continue
			}
			if span, ok := x.onCallee(e.Event.Call); ok && e.Op == infer.OpDMAWait && !isSync(e) {
				return "**Wait** for the copy " + route(e), span
			}
			if span, ok := x.onCallee(copyCall(e.Event)); ok && e.Op == infer.OpDMAStart {
				return copyText(e), span
			}
		}
	}
	return "", parse.Span{}
}

func isSync(e *inspect.Event) bool { return e.Event.Desc != nil && e.Event.Desc.Sync }

// route is where a copy goes from and to, and its size.
func route(e *inspect.Event) string {
	text := endpoint(e, 0) + " → " + endpoint(e, 1)
	if size := copyBytes(e); size > 0 {
		text += ", " + bytesText(size)
	}
	return text
}

func copyText(e *inspect.Event) string {
	var b strings.Builder
	b.WriteString("**Copy** " + route(e))
	d := e.Event.Desc
	switch {
	case isSync(e):
		b.WriteString("  \nsync: it is done when the call returns")
	case len(e.Refs) > 2 && e.Refs[2] != nil:
		fmt.Fprintf(&b, "  \nruns beside the kernel; `%s` is signalled when it is done, so wait before the data is read or the source is changed", e.Refs[2].Name)
	default:
		b.WriteString("  \nruns beside the kernel; wait for it before the data is read or the source is changed")
	}
	if d != nil && d.Remote {
		b.WriteString("  \nremote: the destination is on another device")
	}
	return b.String()
}

func copyBytes(e *inspect.Event) int64 {
	var size int64
	for i := range min(2, len(e.Refs)) {
		if e.Refs[i] != nil {
			size = max(size, e.Refs[i].Bytes())
		}
	}
	return size
}

func endpoint(e *inspect.Event, i int) string {
	if i >= len(e.Refs) || e.Refs[i] == nil {
		return "?"
	}
	r := e.Refs[i]
	return fmt.Sprintf("`%s` (%s)", r.Name, r.Memory.String())
}
