package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const bitcast = "jax.experimental.pallas.tpu.bitcast"

// bitcastRank models the first check of jax/_src/pallas/mosaic/primitives.py bitcast.
var bitcastRank = &rule.Rule{
	Name: "bitcast-rank",
	Page: page("bitcast_rank.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		x, ok := array(c.Arg("x"))
		if !ok {
			return
		}
		dim := int64(-2)
		if v := c.Arg("dim"); v != nil {
			if dim, ok = number(v); !ok {
				return
			}
		}
		if rank, known := x.Shape.Rank(); known && rank < 2 && dim == -2 {
			p.Report(c.Loc, "%s packs rows, and a vector of shape %s has none; keep two dimensions with `[None]` or a slice", callee(c), x.Shape).
				Says("ValueError: Cannot bitcast a 1D array along the second minor dimension. Pass dim=-1 to bitcast along the minormost dimension.")
		}
	}), bitcast),
}

// bitcastSize models the check of the packing.
var bitcastSize = &rule.Rule{
	Name: "bitcast-size",
	Page: page("bitcast_size.md"),
	Call: on(traced(func(p *rule.Pass, c *infer.Call) {
		x, ok := array(c.Arg("x"))
		to, known := c.Result.(*infer.Array)
		if !ok || !known || x.DType.Bits() == 0 || to.DType.Bits() <= x.DType.Bits() {
			return
		}
		dim := int64(-2)
		if v := c.Arg("dim"); v != nil {
			if dim, ok = number(v); !ok {
				return
			}
		}
		n, sized := x.Shape.Dim(int(dim)).Known()
		if sized && n*int64(x.DType.Bits())%int64(to.DType.Bits()) != 0 {
			p.Report(c.Loc, "%d rows of %s do not make whole rows of %s", n, x.DType, to.DType).
				Says("ValueError: dim %d of size %d cannot be perfectly packed or unpacked from %s to %s", int64(len(x.Shape.Dims))+dim, n, x.DType, to.DType)
		}
	}), bitcast),
}

// bitcastWidth models jax/_src/pallas/mosaic/lowering.py _bitcast_convert_type_lowering_rule and _bitcast_lowering_rule.
var bitcastWidth = &rule.Rule{
	Name: "bitcast-width",
	Page: page("bitcast_width.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !k.Core.IsTPU() || k.Interpreted() {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if len(prim.In) != 1 || prim.In[0] == nil || prim.Out == nil {
					continue
				}
				from, to := prim.In[0].DType, prim.Out.DType
				if from.Bits() == 0 || to.Bits() == 0 || from.Bits() == to.Bits() {
					continue
				}
				switch dim, _ := number(c.Arg("dim")); {
				case prim.Name == "bitcast_convert_type":
					p.Report(c.Loc, "%s from %s to %s: a kernel can't change the width of elements so; `pltpu.bitcast` packs rows", callee(c), from, to).
						Says("NotImplementedError: Changing bitwidths not supported.")
				case prim.Name == "bitcast" && c.API == bitcast && dim == -1 && k.Core == jax.TensorCore:
					p.Report(c.Loc, "%s along the last axis from %s to %s: a TensorCore packs rows, the default `dim=-2`", callee(c), from, to).
						Says("NotImplementedError: Bitcasting along the minormost dimension between different bitwidths is not supported on TensorCore.")
				}
			}
		})
	},
}
