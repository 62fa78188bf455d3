package lsp

import (
	"fmt"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
	"pallas-lsp/rules/jax"
)

// ref describes the ref that the name under the cursor is: a parameter, a use of one, or an operand of something a kernel does.
func (x *subject) ref() (string, parse.Span) {
	if len(x.nodes) == 0 {
		return "", parse.Span{}
	}
	switch node := x.nodes[len(x.nodes)-1].(type) {
	case *parse.Param:
		if node.NameSpan.Start <= x.at && x.at <= node.NameSpan.End {
			return x.refAt(node.NameSpan), node.NameSpan
		}
	case *parse.Name:
		if span, ok := x.binding(node.ID); ok {
			return x.refAt(span), node.Span()
		}
		return x.operand(node.Span()), node.Span()
	}
	return "", parse.Span{}
}

// binding finds the parameter that a name means: of the innermost function around the cursor that binds the name.
func (x *subject) binding(name string) (parse.Span, bool) {
	for i := len(x.nodes) - 1; i >= 0; i-- {
		params, bound := paramsOf(x.nodes[i], name)
		if !bound {
			continue
		}
		for _, p := range params {
			if p.Name == name {
				return p.NameSpan, true
			}
		}
		return parse.Span{}, false
	}
	return parse.Span{}, false
}

// paramsOf returns the parameters of a function, and whether it binds the name; false for what is no function.
func paramsOf(n parse.Node, name string) ([]*parse.Param, bool) {
	switch f := n.(type) {
	case *parse.FuncDef:
		return f.Params, f.Scope != nil && f.Scope.Locals[name]
	case *parse.Lambda:
		return f.Params, f.Locals[name]
	}
	return nil, false
}

// refAt describes the ref that a parameter is, in each kernel that it is one of.
func (x *subject) refAt(span parse.Span) string {
	var parts []string
	for _, k := range x.n.shown().Kernels {
		for _, r := range k.Refs {
			if r.Alloc.Param.Chunk == x.chunk && r.Alloc.Param.Start == span.Start {
				if text := x.n.refText(k, r); !slices.Contains(parts, text) {
					parts = append(parts, text)
				}
			}
		}
	}
	return strings.Join(firstFew(parts), "\n\n")
}

// maxContexts bounds how many sites of one kernel a hover tells about.
const maxContexts = 4

func firstFew(parts []string) []string {
	if len(parts) > maxContexts {
		return append(parts[:maxContexts:maxContexts], fmt.Sprintf("and %d more", len(parts)-maxContexts))
	}
	return parts
}

// operand describes the ref at an operand of an event: a variable that holds one, or a parameter of a helper.
func (x *subject) operand(span parse.Span) string {
	for _, k := range x.n.shown().Kernels {
		for _, e := range k.Events {
			for i, loc := range e.Event.Locs {
				whole := loc == e.Event.Loc // of an operand that is not written, as the semaphore of sync_copy
				if i < len(e.Refs) && e.Refs[i] != nil && !whole && loc.Chunk == x.chunk && loc.Start <= span.Start && span.End <= loc.End {
					return x.n.operandText(k, e.Refs[i])
				}
			}
		}
	}
	return ""
}

func (n *snapshot) operandText(k *inspect.Kernel, r *inspect.Named) string {
	for _, whole := range k.Refs {
		if whole.Alloc == r.Alloc {
			return n.refText(k, whole)
		}
	}
	return headline(r.Name, &r.Memory)
}

// refText is what a ref is, why, what its core can do with it, and where it is used.
func (n *snapshot) refText(k *inspect.Kernel, r *inspect.Ref) string {
	lines := []string{headline(r.Name, &r.Memory)}
	if r.Because != nil {
		lines = append(lines, n.reason(r))
	}
	if can := abilities(k.Core, r); can != "" {
		lines = append(lines, can)
	}
	if used := n.uses(k, r); used != "" {
		lines = append(lines, "used: "+used)
	}
	return strings.Join(lines, "  \n") // two blanks: a line break in Markdown
}

func headline(name string, m *inspect.Memory) string {
	what := "Ref"
	if m.DType != nil && m.DType.IsSemaphore() {
		what = "Semaphore"
	}
	line := fmt.Sprintf("**%s**: %s", name, what)
	if m.Set.Known() && what == "Ref" {
		line += " in " + m.Set.String()
	}
	if m.DType != nil || m.Shape != nil {
		dtype := "?"
		if m.DType != nil {
			dtype = m.DType.String()
		}
		line += ", `" + dtype + m.Dims() + "`"
	}
	if size := m.Bytes(); size > 0 {
		line += " (" + bytesText(size) + ")"
	}
	return line
}

func (n *snapshot) reason(r *inspect.Ref) string {
	where := n.lineText(r.Because.Line)
	if r.Because.Path != n.doc.path {
		where = r.Because.Path + ":" + fmt.Sprint(r.Because.Line)
	}
	return fmt.Sprintf("%s (%s)", r.Because.Text, where)
}

// abilities says what a core can do with a ref in its space. It is known of the TPU's cores only.
func abilities(core jax.Core, r *inspect.Ref) string {
	space := r.Set.One()
	if space == 0 || !core.IsTPU() || r.DType != nil && r.DType.IsSemaphore() {
		return ""
	}
	direct := jax.SpacesOf(jax.VMEM, jax.SMEM)
	if core == jax.SCScalarSubcore {
		direct = jax.SpacesOf(jax.SMEM)
	}
	if space == jax.ACC || space == jax.CMEM || space == jax.HOST {
		return ""
	}
	sign := "✗"
	if direct.Has(space) {
		sign = "✓"
	}
	return fmt.Sprintf("%s: load %s  store %s  DMA ✓", core, sign, sign)
}

// maxUses bounds how many uses a hover lists.
const maxUses = 8

// uses lists what the kernel does with a ref, in the order of the program.
func (n *snapshot) uses(k *inspect.Kernel, r *inspect.Ref) string {
	var out []string
	for _, e := range k.Events {
		for i, operand := range e.Refs {
			if operand == nil || operand.Alloc != r.Alloc || e.Op == infer.OpDMAWait && isSync(e) {
				continue
			}
			if text := n.useText(e, i); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if len(out) > maxUses {
		out = append(out[:maxUses:maxUses], fmt.Sprintf("and %d more", len(out)-maxUses))
	}
	return strings.Join(out, ", ")
}

func (n *snapshot) useText(e *inspect.Event, i int) string {
	text := strings.ReplaceAll(string(e.Op), "_", " ")
	switch {
	case e.Op == infer.OpDMAStart && i == 0 && len(e.Refs) > 1 && e.Refs[1] != nil:
		text = "copied to `" + e.Refs[1].Name + "`"
	case e.Op == infer.OpDMAStart && i == 1 && e.Refs[0] != nil:
		text = "filled from `" + e.Refs[0].Name + "`"
	case e.Op == infer.OpDMAStart && i > 1:
		text = "signalled by a copy"
	case e.Op == infer.OpDMAWait:
		text = "waited for"
	case e.Op == infer.OpAlloc:
		text = "made"
	}
	return text + " " + n.lineText(e.Line)
}
