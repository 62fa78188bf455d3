package sparsecore

import (
	"fmt"
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// vectorShape models jax/_src/pallas/mosaic/sc_lowering.py _check_aval_is_supported, which loads and stores are held to without layout passes.
var vectorShape = &rule.Rule{
	Name: "sc-vector-shape",
	Page: page("vector_shape.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Core != jax.SCVectorSubcore || !noLayoutPasses(k) {
			return
		}
		accesses(k, func(e *infer.Event) {
			if rank, known := e.Result.Rank(); !e.RShape || !known || rank == 0 {
				return
			}
			ref := e.Refs[0]
			shapes := registers(p, ref.Type)
			if len(shapes) == 0 || fits(e.Result, shapes) {
				return
			}
			verb, does := "Get", "loads"
			if e.Op == infer.OpStore {
				verb, does = "Swap", "stores"
			}
			p.Report(e.Loc, "this %s shape %s of `%s`; without layout passes a vector subcore takes one register of %s, %s", does, e.Result, ref.Name, ref.Type, shapesText(shapes)).
				Says("NotImplementedError: %s only supports %s arrays of shapes [%s], got %s", verb, ref.Type, shapesText(shapes), e.Result).Because(ref.Why).
				Offer(withLayoutPasses(p, k))
		})
	},
}

// noLayoutPasses: the compiler parameters switch Mosaic's layout passes off.
func noLayoutPasses(k *infer.Kernel) bool {
	for k.Outer != nil {
		k = k.Outer
	}
	v, ok := k.Site.Params.(*infer.Params)
	if !ok {
		return false
	}
	b, ok := v.Call.Arg("needs_layout_passes").(infer.Bool)
	return ok && !bool(b)
}

// registers are the shapes that one register of the dtype has: on the configured chip, else on any.
func registers(p *rule.Pass, d jax.DType) []infer.Shape {
	if !d.Known() || d.Bits() > 32 || d.Bits() < 8 {
		return nil
	}
	packed := int64(32 / d.Bits())
	all := []int64{8, 16}
	if l := lanes(p); l > 0 {
		all = []int64{l}
	}
	var out []infer.Shape
	for _, l := range all {
		out = append(out, infer.ShapeOf(l*packed))
		if packed > 1 {
			out = append(out, infer.ShapeOf(packed, l))
		}
	}
	return out
}

// fits: the shape is one of them, or may be.
func fits(s infer.Shape, shapes []infer.Shape) bool {
	for _, x := range shapes {
		if eq, known := s.Equal(x); eq || !known {
			return true
		}
	}
	return false
}

func shapesText(shapes []infer.Shape) string {
	var out []string
	for _, s := range shapes {
		out = append(out, fmt.Sprint(s))
	}
	return strings.Join(out, ", ")
}
