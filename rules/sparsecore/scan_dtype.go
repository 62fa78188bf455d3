package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scanDType models the checks of plsc's scans (jax/_src/pallas/mosaic/sc_primitives.py _masked_cummax_abstract_eval and its siblings).
var scanDType = &rule.Rule{
	Name: "sc-scan-dtype",
	Page: page("scan_dtype.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		plsc + "cumsum": checkScan, plsc + "cummax": checkScan, plsc + "cummin": checkScan, plsc + "scan_count": checkScan,
	},
}

func checkScan(p *rule.Pass, c *infer.Call) {
	x, mask := arrayArg(c, "x"), arrayArg(c, "mask")
	switch {
	case x != nil && no(x.DType, jax.Uint32, jax.Int32, jax.Float32):
		p.Report(c.Loc, "`%s` scans int32, uint32 and float32; this is %s", name(c), x.DType).
			Says("NotImplementedError: x.dtype=%s must be uint32, int32 or float32", x.DType).Offer(counted(p, c, x))
	case mask != nil && no(mask.DType, jax.Bool):
		p.Report(c.ArgLoc("mask"), "the mask of `%s` is %s; it must be boolean", name(c), mask.DType).At(c.Loc).
			Says("TypeError: mask.dtype=%s is not a boolean dtype", mask.DType).Offer(notZero(p, c.ArgLoc("mask"), mask.DType))
	case x != nil && mask != nil:
		if eq, known := x.Shape.Equal(mask.Shape); known && !eq {
			p.Report(c.ArgLoc("mask"), "the mask of `%s` has shape %s and the values %s", name(c), mask.Shape, x.Shape).At(c.Loc).
				Says("ValueError: x.shape=%s != mask.shape=%s", x.Shape, mask.Shape)
		}
	}
}

// name is the function as kernels write it.
func name(c *infer.Call) string { return "plsc." + c.API[len(plsc):] }
