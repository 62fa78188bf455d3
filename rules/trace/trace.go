// Package trace holds the rules about what JAX refuses while it traces a kernel, whatever the core: shapes and dtypes that do not go together,
// refs that are used as arrays, Python that asks for values which only the run knows.
package trace

import (
	"embed"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{atAssign, broadcast, dotContract, reshapeSize, storeDType, storeRef, storeObject, storeShape, tooManyIndices, tracedSlice, refAsValue, indexDType, indexKind, formatTraced, arrayAt, tupleIndex}

// faults calls f for each fault of the given kinds that the interpretation met inside a kernel.
func faults(f func(*rule.Pass, *infer.Fault), kinds ...string) func(*rule.Pass, *infer.World) {
	return func(p *rule.Pass, w *infer.World) {
		for _, x := range w.Faults {
			if x.Kernel == nil {
				continue
			}
			for _, k := range kinds {
				if x.Kind == k {
					f(p, x)
				}
			}
		}
	}
}

// arrays are the arrays among the values of a fault.
func arrays(x *infer.Fault) []*infer.Array {
	var out []*infer.Array
	for _, v := range x.Values {
		if a, ok := v.(*infer.Array); ok {
			out = append(out, a)
		}
	}
	return out
}

// ref is the first ref among the values of a fault, nil when there is none.
func ref(x *infer.Fault) *infer.Ref {
	for _, v := range x.Values {
		if r, ok := v.(*infer.Ref); ok {
			return r
		}
	}
	return nil
}
