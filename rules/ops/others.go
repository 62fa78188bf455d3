package ops

import (
	"slices"

	"strings"

	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// padInterior models jax/_src/pallas/mosaic/lowering.py _pad_lowering_rule.
var padInterior = &rule.Rule{
	Name: "pad-interior",
	Page: page("pad_interior.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		rows, ok := c.Arg("padding_config").(*infer.Tuple)
		if l, isList := c.Arg("padding_config").(*infer.List); isList {
			rows, ok = l.Content().(*infer.Tuple)
		}
		if !ok {
			return
		}
		for _, r := range rows.Head {
			if w, ok := r.(*infer.Tuple); ok && len(w.Head) == 3 {
				if n, known := number(w.Head[2]); known && n > 0 {
					p.Report(c.ArgLoc("padding_config"), "padding between the elements; a kernel pads at the edges only").At(c.Loc).
						Says("NotImplementedError: Not implemented: interior padding")
					return
				}
			}
		}
	}), "jax.lax.pad"),
}

// selectCases models jax/_src/pallas/mosaic/lowering.py _select_n_lowering_rule.
var selectCases = &rule.Rule{
	Name: "select-n-cases",
	Page: page("select_cases.md"),
	Call: on(onTPU(func(p *rule.Pass, c *infer.Call) {
		for _, prim := range c.Prims {
			if prim.Name == "select_n" && len(prim.In) > 3 {
				p.Report(c.Loc, "%s of %d cases; a kernel selects between two: nest `jnp.where`", callee(c), len(prim.In)-1).
					Says("NotImplementedError: select_n only supported with <= 2 arguments")
			}
		}
	}), "jax.lax.select_n"),
}

// popcountScalar models jax/_src/pallas/mosaic/lowering.py _population_count_lowering_rule.
var popcountScalar = &rule.Rule{
	Name: "popcount-scalar",
	Page: page("popcount.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		if x, ok := array(c.Result); ok && x.Shape.IsRank(0) && binds(c, "population_count") {
			p.Report(c.Loc, "%s of a scalar; a TensorCore counts bits of vectors: broadcast it first", callee(c)).
				Says("ValueError: Population count is not supported on scalars")
		}
	}), "jax.lax.population_count", "jax.numpy.bitwise_count"),
}

// reciprocalDType models jax/_src/pallas/mosaic/lowering.py _reciprocal_lowering_rule.
var reciprocalDType = &rule.Rule{
	Name: "reciprocal-dtype",
	Page: page("reciprocal.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		x, ok := array(c.Arg("x"))
		if !ok || x.DType == "" || x.DType == jax.Float32 || x.DType == jax.BFloat16 {
			return
		}
		p.Report(c.Loc, "%s of %s; it takes float32 and bfloat16: convert first", callee(c), x.DType).
			Says("ValueError: Only float32 and bfloat16 are supported.")
	}), "jax.experimental.pallas.reciprocal", "jax.experimental.pallas.tpu.reciprocal"),
}

// boolExtremum models jax/_src/pallas/mosaic/lowering.py _max_lowering_rule and _min_lowering_rule.
func boolExtremum(p *rule.Pass, k *infer.Kernel) {
	if !k.Core.IsTPU() || k.Interpreted() {
		return
	}
	eachLowered(k, func(c *infer.Call) {
		for _, prim := range c.Prims {
			if (prim.Name == "max" || prim.Name == "min") && prim.Out != nil && prim.Out.DType == jax.Bool {
				p.Report(c.Loc, "%s of booleans; a kernel has no order of them: use `|` for the maximum, `&` for the minimum", callee(c)).
					Says("NotImplementedError: bool")
				return
			}
		}
	})
}

// approxTopK models jax/_src/pallas/mosaic/lowering.py _approx_top_k_lowering_rule.
var approxTopK = &rule.Rule{
	Name: "approx-top-k-args",
	Page: page("approx_top_k.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		if ok, known := p.Release.Lowers(jax.TensorCore, "approx_top_k"); !ok || !known {
			return
		}
		if strings.HasSuffix(c.API, "min_k") {
			p.Report(c.Loc, "%s has no lowering; take `-lax.approx_max_k(-x, k)[0]`", callee(c)).
				Says("NotImplementedError: is_max_k=False (approx_min_k) is not supported in Pallas")
			return
		}
		if b, ok := c.Arg("aggregate_to_topk").(infer.Bool); ok && !bool(b) {
			p.Report(c.ArgLoc("aggregate_to_topk"), "a kernel reduces the candidates to the k best itself; leave `aggregate_to_topk` out").At(c.Loc).
				Says("NotImplementedError: aggregate_to_topk=False is not supported in Pallas approx_top_k")
		}
	}), "jax.lax.approx_min_k", "jax.lax.approx_max_k"),
}

// complexDType: Mosaic has no complex numbers.
var complexDType = &rule.Rule{
	Name: "dtype-complex",
	Page: page("complex.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !k.Core.IsTPU() || k.Interpreted() {
			return
		}
		if reportComplexMemory(p, k) {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if prim.Out != nil && prim.Out.DType.Kind() == jax.KindComplex && !takesComplex(prim) {
					p.Report(c.Loc, "%s makes complex numbers, which kernels do not have; carry real and imaginary parts as two arrays", callee(c)).
						Says("MLIRError: Invalid type: ... failed to verify 'elementType': VectorElementTypeInterface instance")
					return
				}
			}
		})
	},
}

// reportComplexMemory: what a kernel is given, gives or allocates holds complex numbers.
func reportComplexMemory(p *rule.Pass, k *infer.Kernel) bool {
	s := k.Site
	for _, o := range slices.Concat(s.Inputs, s.Outputs, s.Scratches) {
		if o.Ref == nil || o.Ref.DType.Kind() != jax.KindComplex {
			continue
		}
		says := "JaxRuntimeError: UNIMPLEMENTED: While rewriting computation to not contain X{64|128} element types, ..."
		for _, e := range k.Loads() {
			if e.Refs[0] != nil && e.Refs[0].Alloc == o.Ref.Alloc && !e.Unused && decided(e.Path) {
				p.Report(e.Loc, "`%s` holds complex numbers, which kernels do not have; pass real and imaginary parts as two arrays", o.Ref.Name).At(s.Loc).
					Says("MLIRError: Invalid type: ... failed to verify 'elementType': VectorElementTypeInterface instance").Because(o.Ref.Why)
				return true
			}
		}
		p.Report(s.Loc, "%s holds complex numbers, which kernels do not have; pass real and imaginary parts as two arrays", o.Title()).Says("%s", says)
		return true
	}
	return false
}

// takesComplex: an operand is complex, so that something before it was refused.
func takesComplex(prim infer.Prim) bool {
	for _, x := range prim.In {
		if x != nil && x.DType.Kind() == jax.KindComplex {
			return true
		}
	}
	return false
}

// nonDebugCheck models jax/_src/pallas/mosaic/lowering.py _check_lowering_rule. Under checkify.checkify no check is left.
var nonDebugCheck = &rule.Rule{
	Name: "non-debug-check",
	Page: page("check.md"),
	Call: on(onTPU(func(p *rule.Pass, c *infer.Call) {
		if v := c.Arg("debug"); v != nil && !isFalse(v) {
			return
		}
		for _, n := range p.World.Names {
			if strings.HasSuffix(n.Name, "checkify.checkify") {
				return
			}
		}
		p.Report(c.Loc, "%s in a kernel; there it can only be a debug check: use `pl.debug_check`, or put `checkify.checkify` around the call of the kernel", callee(c)).
			Says("NotImplementedError: Non-debug checks are not supported by the Mosaic backend. Functionalize them via `jax.experimental.checkify`.").
			Offer(edit.Callee(p, c, "jax.experimental.pallas", "debug_check", rule.Unsafe))
	}), "jax.experimental.checkify.check"),
}

func isFalse(v infer.Value) bool {
	b, ok := v.(infer.Bool)
	return ok && !bool(b)
}
