package lsp

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/inspect"
)

// spec describes the BlockSpec that the cursor is on: what its kernel parameter is.
func (x *subject) spec() (string, parse.Span) {
	for _, e := range x.n.whole().Facts.Entries {
		for _, w := range e.Worlds {
			for _, s := range w.Sites {
				for _, o := range append(s.Inputs[:len(s.Inputs):len(s.Inputs)], s.Outputs...) {
					if o.Spec == nil {
						continue
					}
					if span, ok := x.onCallee(o.Spec.Call); ok {
						text := specText(o)
						if w := inspect.WindowsOf(s, o); w != nil {
							text += "  \n" + w.String()
						}
						return text, span
					}
				}
			}
		}
	}
	return "", parse.Span{}
}

func specText(o *infer.Operand) string {
	var b strings.Builder
	b.WriteString("**BlockSpec**")
	if o.Param != "" {
		fmt.Fprintf(&b, " of `%s`", o.Param)
	}
	if r := o.Ref; r != nil {
		fmt.Fprintf(&b, ": the kernel sees `%s%s`", r.Type, brackets(r.View))
		if r.Spaces.Known() {
			fmt.Fprintf(&b, " in %s", r.Spaces)
		}
	}
	if o.Array.Dims != nil {
		fmt.Fprintf(&b, "  \nof the array `%s%s`", o.DType, brackets(o.Array))
	}
	switch {
	case o.Spec.NoBlock && o.Spec.Space != nil:
		b.WriteString("  \nwithout a block shape it is the whole array, where it lies")
	case o.Spec.NoBlock:
		b.WriteString("  \nwithout a block shape it is the whole array, at every step of the grid")
	default:
		b.WriteString("  \none block for each step of the grid, copied in and out by the pipeline; the index map counts in blocks")
	}
	return b.String()
}

// brackets shows a shape as "[8, 128]".
func brackets(s infer.Shape) string {
	return "[" + strings.Trim(s.String(), "(),") + "]"
}
