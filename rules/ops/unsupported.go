package ops

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// unsupportedPrimitive models the look-up of jax/_src/pallas/mosaic/lowering.py lowering_rules for a TensorCore.
var unsupportedPrimitive = &rule.Rule{
	Name: "unsupported-primitive",
	Page: page("unsupported_primitive.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		eachUnlowered(p, k, "tc", "a TensorCore", instead)
	},
}

// scUnsupportedPrimitive is the same for the two subcores of a SparseCore.
var scUnsupportedPrimitive = &rule.Rule{
	Name: "sc-unsupported-primitive",
	Page: page("sc_unsupported_primitive.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		eachUnlowered(p, k, k.Core.Name(), "a "+k.Core.String(), scInstead)
	},
}

// eachUnlowered reports every call that binds a primitive without a lowering.
func eachUnlowered(p *rule.Pass, k *infer.Kernel, name, core string, instead map[string]string) {
	tell := func(loc parse.Loc, what, prim string) *rule.Diagnostic {
		message := what + " has no lowering on " + core
		if what != "`"+prim+"`" {
			message += " (primitive `" + prim + "`)"
		}
		if way := instead[prim]; way != "" {
			message += "; " + way
		}
		return p.Report(loc, "%s", message).
			Says("NotImplementedError: Unimplemented primitive in Pallas TPU lowering for %s: %s. Please file an issue at https://github.com/jax-ml/jax/issues/new/choose.", name, prim)
	}
	eachLowered(k, func(c *infer.Call) {
		if slices.ContainsFunc(c.Prims, takesComplex) {
			return
		}
		if prims := unlowered(p, c); len(prims) > 0 && !topK(p, k, prims[0]) && (c.API != getItem || prims[0] == "rev") && !vectorOfScalars(k, c) {
			tell(c.Loc, callee(c), prims[0]).Offer(writeOut(p, c))
		}
	})
	for _, t := range k.Wraps {
		if t.Kind == "checkpoint" && t.Call != nil {
			tell(t.Loc, "`"+short(t.Call.API)+"`", "remat2")
		}
	}
	for _, s := range innerCalls(p.World, k) {
		tell(s.CallLoc, "`pl.pallas_call` inside a kernel", "pallas_call")
	}
}

// innerCalls are the pallas_calls in the body of a kernel.
func innerCalls(w *infer.World, k *infer.Kernel) []*infer.Site {
	var out []*infer.Site
	for _, s := range w.Sites {
		if s.Outer == k && s.API == "pallas_call" && s.Called {
			out = append(out, s)
		}
	}
	return out
}

// vectorOfScalars: the call is given an array that a scalar subcore loads from its SMEM, which is refused before.
func vectorOfScalars(k *infer.Kernel, c *infer.Call) bool {
	if k.Core != jax.SCScalarSubcore || len(c.Args) == 0 {
		return false
	}
	x, ok := c.Args[0].Value.(*infer.Array)
	if !ok {
		return false
	}
	for _, load := range k.Loads() {
		if load.Value == infer.Value(x) {
			return true
		}
	}
	return false
}

// topK: a TensorCore's refusal of top_k, which has rules of its own.
func topK(p *rule.Pass, k *infer.Kernel, prim string) bool {
	obj, _ := p.Release.Lookup("jax.lax.top_k")
	return prim == "top_k" && k.Core == jax.TensorCore && obj != nil && hasParam(obj, "is_stable")
}
