package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scConcatenate is what libtpu says of tpu.concatenate along the lanes on a vector subcore, with layout passes and without.
var scConcatenate = &rule.Rule{
	Name: "sc-concatenate",
	Page: page("sc_concatenate.md"),
	Kernel: vectorSubcore(func(p *rule.Pass, c *infer.Call, prim infer.Prim) bool {
		if prim.Name != "concatenate" || prim.Out == nil || prim.Out.NumPy || c.Unused {
			return false
		}
		rank, known := prim.Out.Shape.Rank()
		axis, given := number(prim.Params["dimension"])
		if !known || !given || int(axis) != rank-1 {
			return false
		}
		p.Report(c.Loc, "%s joins vectors along their lanes; a vector subcore can't: store the parts side by side in a ref, or permute lanes with `x[indices]`", callee(c)).
			Says("JaxRuntimeError: INTERNAL: Not implemented: Concatenation along tiled dimensions")
		return true
	}),
}
