package dma

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const pallasTPU = "jax.experimental.pallas.tpu"

// syncCopy makes a pltpu.sync_copy, which has a semaphore of its own, of a copy without one that is waited for where it is started.
func syncCopy(p *rule.Pass, e *infer.Event) *rule.Fix {
	c := e.Desc.Call
	if c == nil || c.API != pallasTPU+".async_copy" || !isNone(e.Slots[semaphore]) || !isNone(e.Slots[sourceSemaphore]) {
		return nil
	}
	call := edit.Written(p.File, c)
	spot, ok := edit.Find(p.File, c.Loc.Chunk, call)
	if call == nil || !ok || len(c.Args) != len(call.Args) {
		return nil
	}
	wait, ok := waitsAtOnce(spot)
	names := &edit.Names{Spot: spot}
	if !ok {
		return nil
	}
	written := names.Name(pallasTPU, "sync_copy")
	end := parse.Loc{Chunk: spot.Chunk, Span: parse.Span{Start: call.Span().End, End: wait.Span().End}}
	edits := append(names.Edits, rule.Edit{Loc: spot.Loc(call.Func), New: written}, rule.Edit{Loc: end})
	for _, name := range []string{"sem", "src_sem"} {
		if c.Bound[name] == nil {
			continue
		}
		drop, ok := edit.DropArg(p.File, c, name)
		if !ok {
			return nil
		}
		edits = append(edits, drop...)
	}
	if c.Bound["priority"] != nil || c.Bound["device_id"] != nil {
		return nil
	}
	return edit.Fix(true, "Copy with `"+written+"`", rule.Safe, edits)
}

// waitsAtOnce: the copy at the spot is a statement that starts it and waits for it.
func waitsAtOnce(spot *edit.Spot) (*parse.Call, bool) {
	a, wait, st := spot.Up(1), spot.Up(2), spot.Up(3)
	if a == nil || wait == nil || st == nil {
		return nil, false
	}
	attr, ok1 := a.Node().(*parse.Attr)
	call, ok2 := wait.Node().(*parse.Call)
	_, ok3 := st.Node().(*parse.ExprStmt)
	return call, ok1 && ok2 && ok3 && attr.Name == "wait" && len(call.Args) == 0
}

// oneSemaphore takes the source semaphore out of a copy, or makes it the semaphore where there is none.
func oneSemaphore(p *rule.Pass, e *infer.Event) *rule.Fix {
	c := e.Desc.Call
	if c == nil || c.Bound["src_sem"] == nil {
		return nil
	}
	if e.Refs[semaphore] != nil {
		return edit.WithoutArg(p, c, "src_sem", rule.Unsafe)
	}
	call, i, ok := edit.Holder(p.File, c.Bound["src_sem"].Loc)
	if !ok || call.Args[i].Name != "src_sem" || c.Bound["sem"] != nil {
		return nil
	}
	return edit.Fix(true, "Pass it as `sem`", rule.Unsafe, []rule.Edit{{Loc: parse.Loc{Chunk: c.Loc.Chunk, Span: call.Args[i].NameSpan}, New: "sem"}})
}

// firstRow takes the first row of the indices, where there is but one.
func firstRow(p *rule.Pass, g gather) *rule.Fix {
	shape := g.indexShape()
	x, ok := edit.ExprAt(p.File, g.item.Loc)
	if !ok || !shape.IsRank(2) || !shape.Dim(0).Is(1) {
		return nil
	}
	index := "[0]"
	if _, isRef := g.item.Value.(*infer.Ref); isRef {
		index = ".at[0]"
	}
	return edit.Fix(true, "Take `"+g.item.Loc.Text()+index+"`", rule.Safe, edit.Append(g.item.Loc.Chunk, x, index))
}

// ofType allocates a semaphore of another type, where nothing else uses it as it is.
func ofType(p *rule.Pass, k *infer.Kernel, r *infer.Ref, from, to string) *rule.Fix {
	if r == nil || usedAs(k, r, from) {
		return nil
	}
	return edit.SemaphoreType(p, r, from, to)
}

// usedAs: an event uses the semaphore as one of the type that it has.
func usedAs(k *infer.Kernel, r *infer.Ref, typ string) bool {
	for _, e := range k.Events {
		regular := e.Op == infer.OpSemSignal || e.Op == infer.OpSemWait || e.Op == infer.OpSemRead
		for _, x := range e.Refs {
			if x != nil && x.Alloc == r.Alloc && regular == (typ == "REGULAR") && e.Op != infer.OpAlloc {
				return true
			}
		}
	}
	return false
}

// likeOther allocates the scratch buffer of a copy with the dtype of its other end, where all its copies are with such.
func likeOther(p *rule.Pass, k *infer.Kernel, src, dst *infer.Ref) *rule.Fix {
	buf, other := dst, src
	if !isScratch(dst) {
		buf, other = src, dst
	}
	if !isScratch(buf) || isScratch(other) || buf.Mem == nil || buf.Mem.Call == nil || buf.Mem.Call.Bound["dtype"] == nil || !other.Type.Known() {
		return nil
	}
	for _, e := range append(starts(k), waits(k)...) {
		a, b := ends(e)
		if a == nil || b == nil || a.Alloc == buf.Alloc && b.Type != other.Type || b.Alloc == buf.Alloc && a.Type != other.Type {
			return nil
		}
	}
	loc := buf.Mem.Call.Bound["dtype"].Loc
	names := edit.NamesAt(p.File, loc)
	if _, ok := edit.ExprAt(p.File, loc); !ok || names == nil {
		return nil
	}
	dtype := names.Name("jax.numpy", edit.NumPyName(other.Type))
	casts, ok := converted(p, k, buf)
	return edit.Fix(ok, "Allocate "+name(buf)+" as `"+dtype+"`", rule.Unsafe, append(append(names.Edits, rule.Edit{Loc: loc, New: dtype}), casts...))
}

// converted are the edits that convert what is loaded from a buffer to what it is stored as; false where it is used in other ways.
func converted(p *rule.Pass, k *infer.Kernel, buf *infer.Ref) (casts []rule.Edit, ok bool) {
	for _, e := range k.Events {
		if slices.ContainsFunc(e.Refs, func(r *infer.Ref) bool { return r != nil && indexedBy(r, buf.Alloc) }) {
			return nil, false
		}
		if len(e.Refs) == 0 || e.Refs[0] == nil || e.Refs[0].Alloc != buf.Alloc || e.Op != infer.OpLoad && e.Op != infer.OpStore {
			continue
		}
		x, isIndex := e.Node.(*parse.Index)
		spot, found := edit.Find(p.File, e.Loc.Chunk, x)
		if e.Op == infer.OpStore || !isIndex || !found || spot.Up(1) == nil {
			return nil, false
		}
		switch up := spot.Up(1).Node().(type) {
		case *parse.Attr:
			if up.Name != "astype" {
				return nil, false
			}
		case *parse.Assign:
			target, isStore := up.Targets[0].(*parse.Index)
			if !isStore || len(up.Targets) > 1 {
				return nil, false
			}
			casts = append(casts, edit.Append(spot.Chunk, x, ".astype("+spot.Text(target.X)+".dtype)")...)
		default:
			return nil, false
		}
	}
	return casts, true
}

// indexedBy reports whether a view of r is taken by what is in a buffer, which must be integers.
func indexedBy(r *infer.Ref, buf *infer.Alloc) bool {
	for _, s := range r.Steps {
		for _, x := range s.Index {
			if by, isRef := x.Value.(*infer.Ref); isRef && by.Alloc == buf {
				return true
			}
		}
	}
	return false
}

func isScratch(r *infer.Ref) bool { return r.Role == infer.Scratch || r.Role == infer.Scoped }
