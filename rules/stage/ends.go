package stage

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// valueEnd: the loaded value is an end of a copy, which wants the place: `x.at[i]` for `x[i]`. is reports that it is one, with or without a
// fix.
func valueEnd(p *rule.Pass, load *infer.Event) (f *rule.Fix, is bool) {
	if load.Kernel == nil {
		return nil, false
	}
	for _, e := range load.Kernel.Events {
		if e.Op != infer.OpDMAStart && e.Op != infer.OpDMAWait {
			continue
		}
		for i, v := range e.Slots {
			if a, ok := v.(*infer.Array); ok && a == load.Value {
				if i < len(e.Locs) && e.Locs[i] == load.Loc {
					return placeOf(p, load), true
				}
				return nil, true
			}
		}
	}
	return nil, false
}

// End returns the fix for an end of a copy (0: source, 1: destination, 2, 3: semaphores) that is a value: the place that it was loaded
// from; nil when the value was not loaded there.
func End(p *rule.Pass, dma *infer.Event, slot int) *rule.Fix {
	v, ok := dma.Slots[slot].(*infer.Array)
	if !ok || dma.Kernel == nil {
		return nil
	}
	for _, e := range dma.Kernel.Events {
		if a, isArray := e.Value.(*infer.Array); e.Op == infer.OpLoad && isArray && a == v && e.Loc == dma.Locs[slot] {
			return placeOf(p, e)
		}
	}
	return nil
}

// placeOf turns a load into the place that it loads from.
func placeOf(p *rule.Pass, load *infer.Event) *rule.Fix {
	x, ok := load.Node.(*parse.Index)
	if !ok || load.Via != "indexing" {
		return nil
	}
	base := parse.Loc{Chunk: load.Loc.Chunk, Span: x.X.Span()}
	if load.Index != nil && allFull(load.Index) {
		return &rule.Fix{Title: "Copy `" + base.Text() + "`, not its value", Safety: rule.Safe,
			Edits: []rule.Edit{{Loc: parse.Loc{Chunk: load.Loc.Chunk, Span: parse.Span{Start: x.X.Span().End, End: x.Span().End}}}}}
	}
	return &rule.Fix{Title: "Copy `" + base.Text() + ".at" + load.Loc.Text()[len(base.Text()):] + "`, not its value", Safety: rule.Safe,
		Edits: []rule.Edit{edit.Insert(load.Loc.Chunk, x.X.Span().End, ".at")}}
}
