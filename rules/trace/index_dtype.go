package trace

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// indexDType models what Mosaic's verifier says of a place in a ref that is named by a float.
var indexDType = &rule.Rule{
	Name: "index-not-int32",
	Page: page("index_dtype.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !k.Core.IsTPU() || k.Interpreted() {
			return
		}
		for _, e := range k.Events {
			for _, x := range subscripts(e) {
				if d := fractional(x.Value); d != "" {
					p.Report(place(x, e), "a place in a ref is named by a %s; divide with `//`, or convert with `.astype(jnp.int32)`", d).At(e.Loc).
						Says("VerificationError: ... op operand must be variadic of 32-bit signless integer, but got 'f32'").
						Offer(wholeIndex(p, x))
					break
				}
			}
		}
	},
}

// subscripts are all that name a place in what an event reads or writes.
func subscripts(e *infer.Event) []infer.IndexItem {
	if e.Op == infer.OpLoad || e.Op == infer.OpStore {
		return e.Index
	}
	var out []infer.IndexItem
	for _, r := range e.Refs {
		if r == nil || e.Implicit {
			continue
		}
		for _, s := range r.Steps {
			out = append(out, s.Index...)
		}
	}
	return out
}

// fractional is the type of an index that is a float for certain; empty otherwise.
func fractional(v infer.Value) string {
	switch v := v.(type) {
	case infer.Float:
		return "Python float"
	case *infer.Array:
		if v.DType.IsFloat() {
			return string(v.DType)
		}
	case *infer.Dynamic:
		return fractional(v.Start)
	}
	return ""
}

func place(x infer.IndexItem, e *infer.Event) parse.Loc {
	if x.Loc.Valid() {
		return x.Loc
	}
	return e.Loc
}
