package stage

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// Indices returns the fixes for a list of indices, written at loc, that a copy can't read where it is: the list is copied to VMEM before.
func Indices(p *rule.Pass, dma *infer.Event, list *infer.Ref, loc parse.Loc) []*rule.Fix {
	x, ok := edit.ExprAt(p.File, loc)
	if !ok || dma.Kernel == nil || list.High {
		return nil
	}
	read := &infer.Event{Op: infer.OpGather, Loc: loc, Node: x, Refs: []*infer.Ref{list}, Kernel: dma.Kernel, Path: dma.Path}
	read.Result, read.RShape = list.View, true
	spot, found := edit.Find(p.File, loc.Chunk, x)
	if !beyond(read) || !found || !insertable(spot) {
		return nil
	}
	pl := &plan{pass: p, event: read, kernel: dma.Kernel, ref: list, spot: spot, name: varName(list, x), loads: true}
	pl.peers, pl.uses = []*infer.Event{read}, []use{{node: x}}
	stmt, _ := spot.Stmt()
	if pl.rebinds(stmt) || !pl.shapeUp(x) {
		return nil
	}
	return some(pl.scratch(), pl.local())
}
