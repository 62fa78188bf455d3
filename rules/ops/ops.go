// Package ops holds the rules about operations on values in kernels: what JAX, Mosaic or a SparseCore can not do, and what is refused of shapes and dtypes.
package ops

import (
	"embed"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{
	gatherAxis, gatherAcross, bitcastRank, bitcastSize, bitcastWidth, dotRank, dotUnsigned, dotAccumulator, dotInteger, dotPrecision, axisRange,
	concatenated, squeezed, splitParts, indexCount, indexMask, sliceTraced, itemAssignment, shapeTraced, numpyOnTraced, operandDType, semaphoreValue, float16,
	dynamicIndex, stridedValue, unsupportedGather, iotaFloat, mathAccuracy, narrowArithmetic, needsValues, padInterior, selectCases,
	printTraced, popcountScalar, reciprocalDType, approxTopK, complexDType, nonDebugCheck, stochasticRound, packElementwise,
	unpackElementwise, printFormat, printDType, printVector, scPrint, prngRank, prngSeed, prngKeyData, reduceInteger, argmaxDType, scalarExtract, rollShift,
	rollAxis, rollStride, scanExtensive, scanReverse, scIota, scReverse, scReduceAxes, scSort, scCumsum, scConcatenate, scRegisterValue, scMixedWidth, scUnsigned, topKStable, topKType,
	value64, loopIndex64, unsupportedPrimitive, scUnsupportedPrimitive,
}
