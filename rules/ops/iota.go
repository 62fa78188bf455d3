package ops

import (
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// iotaFloat models the verifier of the operation tpu.iota.
var iotaFloat = &rule.Rule{
	Name: "iota-float",
	Page: page("iota_float.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !k.Core.IsTPU() || k.Interpreted() || k.Core == jax.SCScalarSubcore {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			d := counted(c)
			if !d.IsFloat() {
				return
			}
			p.Report(c.Loc, "%s counts in %s; a kernel counts in integers only: make int32 and convert with `.astype(jnp.%s)`", callee(c), d, d).
				Says("VerificationError: Pallas encountered an internal verification error. ... 'tpu.iota' op result #0 must be vector of integer or index values").
				Offer(countInts(c, d))
		})
	},
}

// counted is the type of the iota that a call binds; empty when there is none, or it is not known.
func counted(c *infer.Call) jax.DType {
	for _, prim := range c.Prims {
		if prim.Name == "iota" && prim.Out != nil {
			return prim.Out.DType
		}
	}
	if x, ok := array(c.Result); ok && c.API == "jax.numpy.linspace" {
		if n, known := x.Shape.Dim(0).Known(); known && n > 1 {
			return x.DType
		}
	}
	return ""
}

// countInts counts in int32 and converts, where the type is an argument of its own.
func countInts(c *infer.Call, d jax.DType) *rule.Fix {
	a := c.Bound["dtype"]
	if a == nil || !a.Loc.Valid() || c.Node == nil || strings.HasSuffix(c.API, "linspace") {
		return nil
	}
	text := a.Loc.Text()
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 || text[dot+1:] != string(d) {
		return nil
	}
	return &rule.Fix{Title: "Count in int32, then convert", Safety: rule.Safe,
		Edits: []rule.Edit{{Loc: a.Loc, New: text[:dot+1] + "int32"}, after(c, ".astype("+text+")")}}
}
