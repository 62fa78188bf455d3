package sparsecore

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// maskValue models jax/_src/pallas/mosaic/sc_primitives.py _load_abstract_eval and _swap_abstract_eval.
var maskValue = &rule.Rule{
	Name: "plsc-mask-value",
	Page: page("mask_value.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		plsc + "addupdate": checkMaskValue, plsc + "load_expanded": checkMaskValue, plsc + "store_compressed": checkMaskValue,
		plsc + "addupdate_compressed": checkMaskValue,
	},
}

func checkMaskValue(p *rule.Pass, c *infer.Call) {
	ref, ok := c.Arg("ref").(*infer.Ref)
	if !ok || c.Kernel == nil {
		return
	}
	if !checkMask(p, c, ref.View, "Mask must have shape %s, got %s") {
		checkValue(p, c, ref)
	}
}

// checkMask says what is wrong about a mask that must have a shape; JAX's words hold that shape and the mask's.
func checkMask(p *rule.Pass, c *infer.Call, want infer.Shape, words string) bool {
	mask := arrayArg(c, "mask")
	if mask == nil {
		return false
	}
	if no(mask.DType, jax.Bool) {
		p.Report(c.ArgLoc("mask"), "the mask of `%s` is %s; it must be boolean, such as a comparison gives", name(c), mask.DType).At(c.Loc).
			Says("TypeError: Mask must be a boolean array, got %s", mask.DType).Offer(notZero(p, c.ArgLoc("mask"), mask.DType))
		return true
	}
	if eq, known := mask.Shape.Equal(want); known && !eq {
		p.Report(c.ArgLoc("mask"), "the mask of `%s` has shape %s; it must have that of the elements, %s", name(c), mask.Shape, want).At(c.Loc).
			Says("ValueError: "+words, want, mask.Shape)
		return true
	}
	return false
}

// checkValue compares what is stored with the view that it is stored to.
func checkValue(p *rule.Pass, c *infer.Call, ref *infer.Ref) {
	x := stored(c)
	if x == nil {
		return
	}
	loc := c.ArgLoc("x")
	if ref.Type.Known() && no(x.DType, ref.Type) {
		p.Report(loc, "`%s` stores %s into `%s`, which is %s; convert the value", name(c), x.DType, ref.Name, ref.Type).At(c.Loc).
			Says("TypeError: Ref and value must have the same dtype, got %s and %s", ref.Type, x.DType).Offer(castTo(c, "x", ref))
		return
	}
	if eq, known := x.Shape.Equal(ref.View); known && !eq {
		p.Report(loc, "`%s` stores shape %s into a view of `%s` of shape %s", name(c), x.Shape, ref.Name, ref.View).At(c.Loc).
			Says("ValueError: Value must have shape %s, got %s", ref.View, x.Shape)
	}
}

// stored is the value that a call stores, as JAX types it; nil when that is not known.
func stored(c *infer.Call) *infer.Array {
	switch v := c.Arg("x").(type) {
	case *infer.Array:
		return v
	case *infer.Int:
		return &infer.Array{Shape: infer.Scalar, DType: jax.Int32}
	case infer.Float:
		return &infer.Array{Shape: infer.Scalar, DType: jax.Float32}
	}
	return nil
}

// castTo converts an argument to the type of a ref.
func castTo(c *infer.Call, arg string, ref *infer.Ref) *rule.Fix {
	a := c.Bound[arg]
	if a == nil || a.Node == nil || !a.Loc.Valid() {
		return nil
	}
	return &rule.Fix{Title: "Convert to `" + ref.Name + ".dtype`", Safety: rule.Unsafe, Edits: edit.Append(a.Loc.Chunk, a.Node, ".astype("+ref.Name+".dtype)")}
}
