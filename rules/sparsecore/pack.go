package sparsecore

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// packLayout models the check of needs_layout_passes in jax/_src/pallas/mosaic/sc_primitives.py _pack_lowering_rule.
var packLayout = &rule.Rule{
	Name: "sc-pack-needs-no-layout-passes",
	Page: page("pack_layout.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plsc + "pack": checkPackLayout, plsc + "unpack": checkPackLayout},
}

func checkPackLayout(p *rule.Pass, c *infer.Call) {
	if !compiled(c.Kernel) || !layoutPasses(c.Kernel) {
		return
	}
	p.Report(c.Loc, "`%s` needs `needs_layout_passes=False` in this kernel's compiler parameters", name(c)).
		Also(c.Kernel.Site.Call.ArgLoc("compiler_params"), "the kernel's call").
		Says("NotImplementedError: %s is not supported with needs_layout_passes=True. Use jax.lax.convert_element_type or jax.Array.astype instead.", name(c)).
		Offer(edit.Param(p, c.Kernel.Site, "needs_layout_passes", "False", "Pass `needs_layout_passes=False`"))
}

// layoutPasses: the kernel is known to run Mosaic's layout passes, which is the default.
func layoutPasses(k *infer.Kernel) bool {
	for k.Outer != nil {
		k = k.Outer
	}
	switch v := k.Site.Params.(type) {
	case nil, infer.None:
		return !k.Site.Call.Open
	case *infer.Params:
		switch b := v.Call.Arg("needs_layout_passes").(type) {
		case nil:
			return !v.Call.Open
		case infer.Bool:
			return bool(b)
		}
	}
	return false
}

// packOperands models jax/_src/pallas/mosaic/sc_primitives.py _pack_abstract_eval.
var packOperands = &rule.Rule{
	Name: "sc-pack-operands",
	Page: page("pack_operands.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plsc + "pack": func(p *rule.Pass, c *infer.Call) {
		a, b := arrayArg(c, "a"), arrayArg(c, "b")
		if a == nil || b == nil {
			return
		}
		eq, known := a.Shape.Equal(b.Shape)
		switch {
		case known && !eq:
			p.Report(c.Loc, "`plsc.pack` gets shapes %s and %s; they must be the same", a.Shape, b.Shape).
				Says("ValueError: Packed arrays must have the same shape, got %s and %s", a.Shape, b.Shape)
		case a.DType.Known() && no(b.DType, a.DType):
			p.Report(c.Loc, "`plsc.pack` gets %s and %s; they must be the same", a.DType, b.DType).Says("TypeError: Packed arrays must have the same dtype, got %s and %s", a.DType, b.DType).
				Offer(alike(p, c, a.DType, b.DType))
		case no(a.DType, jax.Float32, jax.Int32):
			p.Report(c.Loc, "`plsc.pack` packs float32 and int32; these are %s", a.DType).Says("TypeError: Only packing of float32 and int32 is supported, got %s", a.DType)
		}
	}},
}
