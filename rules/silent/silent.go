// Package silent holds the rules about code that JAX accepts and that then hangs, reads garbage or gives a wrong result.
package silent

import (
	"embed"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{
	neverWaited, neverStarted, waitedTwice, readInFlight, writtenInFlight, slotReused, remoteUnwaited,
	neverWritten, aliasNeverWritten, rebind, writeInput, scratchUnwritten, accumulates,
	elementOffset, gridOrder, blockOutside, dropsTail, partlyWritten, indexOutside, negativeIndex,
	raggedReduced, revisited, parallelRevisits, noBarrier,
}
