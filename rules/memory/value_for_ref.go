package memory

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// takesRef are the functions whose first argument is a ref, with the parameter's name and what JAX calls them.
var takesRef = map[string][2]string{
	"jax.experimental.pallas.tpu.load":                    {"ref", "load"},
	"jax.experimental.pallas.tpu.store":                   {"ref", "store"},
	"jax.experimental.pallas.tpu.matmul_acc_lhs":          {"acc", "matmul_acc_lhs"},
	"jax.experimental.pallas.tpu.matmul_pop":              {"acc", "matmul_pop"},
	"jax.experimental.pallas.tpu_sc.load_gather":          {"ref", "load_gather"},
	"jax.experimental.pallas.tpu_sc.store_scatter":        {"ref", "store_scatter"},
	"jax.experimental.pallas.tpu_sc.addupdate_scatter":    {"ref", "addupdate_scatter"},
	"jax.experimental.pallas.tpu_sc.load_expanded":        {"ref", ""},
	"jax.experimental.pallas.tpu_sc.store_compressed":     {"ref", ""},
	"jax.experimental.pallas.tpu_sc.addupdate":            {"ref", ""},
	"jax.experimental.pallas.tpu_sc.addupdate_compressed": {"ref", ""},
	"jax.ref.get":       {"ref", "ref_get"},
	"jax.ref.set":       {"ref", "ref_set"},
	"jax.ref.swap":      {"ref", "ref_swap"},
	"jax.ref.addupdate": {"ref", "ref_addupdate"},
}

// valueForRef models jax/_src/state/primitives.py get_ref_and_transforms and the test of jax/_src/pallas/mosaic/sc_primitives.py.
var valueForRef = &rule.Rule{
	Name: "value-for-ref",
	Page: page("value_for_ref.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Core.IsGPU() {
			return
		}
		for _, c := range k.Calls {
			names, known := takesRef[c.API]
			v, isArray := c.Arg(names[0]).(*infer.Array)
			if !known || !isArray || c.Open {
				continue
			}
			load := loadOf(k, v)
			if load != nil && load.Picks() {
				continue
			}
			says := "ValueError: Can only call `" + names[1] + "` on a `Ref`: ..."
			if names[1] == "" {
				says = "TypeError: ref must be an AbstractRef or TransformedRef, got ..."
			}
			p.Report(c.ArgLoc(names[0]), "`%s` takes a ref; this is a value that was loaded or computed", c.API[strings.LastIndexByte(c.API, '.')+1:]).
				At(c.Loc).Says("%s", says).Offer(place(c.ArgLoc(names[0]), load))
		}
	},
}

// loadOf is the load that gave the value; nil when it was computed.
func loadOf(k *infer.Kernel, v *infer.Array) *infer.Event {
	for _, e := range k.Loads() {
		if e.Value == infer.Value(v) {
			return e
		}
	}
	return nil
}

// place names the part of the ref that the argument loads, with .at.
func place(at parse.Loc, load *infer.Event) *rule.Fix {
	if load == nil || load.Loc != at || load.Via != "indexing" {
		return nil
	}
	x, ok := load.Node.(*parse.Index)
	if !ok {
		return nil
	}
	end := x.X.Span().End
	return &rule.Fix{Title: "Take the place, with `.at`", Safety: rule.Safe,
		Edits: []rule.Edit{{Loc: parse.Loc{Chunk: at.Chunk, Span: parse.Span{Start: end, End: end}}, New: ".at"}}}
}
