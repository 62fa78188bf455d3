// Package dma holds the rules about copies: what may be copied where, and the semaphores that go with it.
package dma

import (
	"embed"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{
	argNotRef, semIndexed, semShaped, semType, missingSem, shapeMismatch, dtypeMismatch,
	priority, addOnTC, localSrcSem, waitSendLocal, waitReadLocal, remoteArgs,
	lojaxMixed, lojaxWaitRead, lojaxNoMethod, methodArgs, indexNotFirst, unaligned, scUnaligned, granule, squeezedBlock, pushSem,
	scNeedsSem, scSelectRef, scIllegalPair, scPriority, scSrcSem, scWaitRead,
	scGatherDst, scScatterSrc, scGatherPair, scIndicesSpace, scIndicesRank, scIndicesDtype, scIndexerShape, scAfterIndex,
	scGatherSem, scGatherRemote, scGatherElement, scAddToHBM, scAddPair, scAddIndex,
}
