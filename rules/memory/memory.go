// Package memory holds the rules about loads and stores: which memory space allows what on which core.
package memory

import (
	"embed"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{
	loadFromAny, loadFromHBM, loadFromHost, storeToAny, smemVectorLoad, smemVectorStore, vmemScalarStore, zeroRankVMEM,
	scGetNoncore, scSwapNoncore, scScalarLoad, scArrayLoad, scScalarStore, scArrayStore, scAnyGet, scAnyMemory,
	scratchSpace, keySpace,
	refTransposed, refStrided, refBitcast1D, refReshape1D, refReshapeCount, refNewaxis, refNegativeStep, refOutOfBounds, refTwoEllipses,
	refIteration, selectRef, selectRefAccess, loadMask, storeMaskDtype, storeMaskSMEM, semArray, semOpType, scAtomicScalar, dynamicSize, scalarLoad16,
	addupdate, arrayIndex, scArrayIndex, dynamicLane, dynamicSublane, stridedLoad, operandSpace, valueForRef, annotateHazard, hasMemorySpace,
}
