package trace

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// tupleIndex: an operand that is a tree gives the kernel a tree of refs, which Python indexes, not JAX.
var tupleIndex = &rule.Rule{
	Name: "tuple-of-refs-index",
	Page: page("tuple_index.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		refs, _ := infer.Elements(x.Values[0])
		if len(refs) == 0 {
			return
		}
		for _, v := range refs {
			if _, isRef := v.(*infer.Ref); !isRef {
				return
			}
		}
		kind := "tuple"
		if _, isList := x.Values[0].(*infer.List); isList {
			kind = "list"
		}
		whole := "it"
		if e, ok := edit.ExprAt(p.File, x.Loc); ok {
			if index, ok := e.(*parse.Index); ok {
				whole = "`" + parse.Loc{Chunk: x.Loc.Chunk, Span: index.X.Span()}.Text() + "`"
			}
		}
		p.Report(x.Loc, "%s is a %s of %d refs, not a ref: index it with an integer first, then the ref", whole, kind, len(refs)).
			Says("TypeError: %s indices must be integers or slices, not %s", kind, x.Detail)
	}, "sequence-key"),
}
