// Package sparsecore holds the rules about what only SparseCore kernels use: plsc functions, subcore shapes, indexed copies.
package sparsecore

import (
	"embed"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

const plsc = "jax.experimental.pallas.tpu_sc."

// Rules are the rules of this folder.
var Rules = []*rule.Rule{bareRef, barrierScalar, boolLoad, gatherDType, gatherIndices, gatherMemory, intAfterSlice, maskReduce, needsNoLayoutPasses, packLayout, packOperands,
	scanDType, sliceShared, sortKeyVal, stridedAccess, vectorShape, maskValue, fetchAndAdd}

// compiled reports whether a kernel is lowered for a SparseCore.
func compiled(k *infer.Kernel) bool { return k != nil && k.Core.IsSparseCore() && !k.Interpreted() }

// arrayArg is an argument as an array, nil when it is not one or not known.
func arrayArg(c *infer.Call, name string) *infer.Array {
	a, _ := c.Arg(name).(*infer.Array)
	return a
}

// lanes is the length of a vector register: of the configured chip, else 0 for not known.
func lanes(p *rule.Pass) int64 {
	if p.Chip == nil || p.Chip.SparseCore == nil {
		return 0
	}
	return int64(p.Chip.SparseCore.Lanes)
}

// no: the dtype is known and none of the given ones.
func no(d jax.DType, allowed ...jax.DType) bool {
	if !d.Known() {
		return false
	}
	for _, a := range allowed {
		if d == a {
			return false
		}
	}
	return true
}
