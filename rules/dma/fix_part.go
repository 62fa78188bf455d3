package dma

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const pallas = "jax.experimental.pallas"

// front copies no more of the larger end of a copy than the other end has: its front, or the first of its members.
func front(p *rule.Pass, e *infer.Event) *rule.Fix {
	if f := frontOf(p, e, source, e.Refs[destination].View); f != nil {
		return f
	}
	return frontOf(p, e, destination, e.Refs[source].View)
}

// frontOf takes the front of one end, with the given shape.
func frontOf(p *rule.Pass, e *infer.Event, slot int, like infer.Shape) *rule.Fix {
	r, loc := e.Refs[slot], e.Locs[slot]
	x, ok := edit.ExprAt(p.File, loc)
	names := edit.NamesAt(p.File, loc)
	if !ok || names == nil || !sameShapes(e, slot, like) {
		return nil
	}
	items, ok := frontIndex(r, like)
	if !ok {
		return nil
	}
	for i, item := range items {
		if strings.HasPrefix(item, "(") {
			items[i] = names.Name(pallas, "ds") + item
		}
	}
	at := ".at[" + strings.Join(items, ", ") + "]"
	return edit.Fix(true, "Copy with `"+loc.Text()+at+"`", rule.Unsafe, append(names.Edits, edit.Append(loc.Chunk, x, at)...))
}

// frontIndex are the subscripts that take a part with the wanted shape from the front of a ref; "(0, n)" stands for such a slice.
func frontIndex(r *infer.Ref, want infer.Shape) (items []string, ok bool) {
	have := r.View
	n, known1 := have.Rank()
	m, known2 := want.Rank()
	if !known1 || !known2 || m > n || m == 0 {
		return nil, false
	}
	for range n - m {
		items = append(items, "0")
	}
	kept := len(items)
	for i := range m {
		a, known1 := have.Dim(n - m + i).Known()
		b, known2 := want.Dim(i).Known()
		switch {
		case !known1 || !known2 || b > a:
			return nil, false
		case a == b:
			items = append(items, ":")
			continue
		case m < n || !wholeTiles(r, b, m-1-i, m):
			return nil, false
		}
		items = append(items, fmt.Sprintf("(0, %d)", b))
		kept = len(items)
	}
	return items[:kept], kept > 0
}

// wholeTiles: so many elements from the front of a dimension, counted from the last, end where a copy may end.
func wholeTiles(r *infer.Ref, n int64, fromLast, rank int) bool {
	bits := r.Type.Bits()
	switch {
	case bits != 8 && bits != 16 && bits != 32:
		return false
	case fromLast == 0 && rank == 1:
		return n%1024 == 0 || r.Alloc.Kernel != nil && r.Alloc.Kernel.Core.IsSparseCore() && n*int64(bits)%256 == 0
	case fromLast == 0:
		return n%128 == 0
	case fromLast == 1:
		return n%(8*packing[bits]) == 0 || bits == 32 && n < 8
	}
	return true
}

// sameShapes: what is written there is an end of no copy of other shapes, as it may be in a function that copies this and that.
func sameShapes(e *infer.Event, slot int, other infer.Shape) bool {
	for _, x := range append(starts(e.Kernel), waits(e.Kernel)...) {
		if x.Locs[slot] != e.Locs[slot] {
			continue
		}
		a, b := x.Refs[slot], x.Refs[source+destination-slot]
		if a == nil || b == nil {
			return false
		}
		same1, known1 := a.View.Equal(e.Refs[slot].View)
		same2, known2 := b.View.Equal(other)
		if !same1 || !known1 || !same2 || !known2 {
			return false
		}
	}
	return true
}

// asMany selects as many rows as the other side has: with the front of a list that is longer, else into the front of the other side.
func asMany(p *rule.Pass, g gather) *rule.Fix {
	rows, want := g.ref.View, g.other().View
	n, known1 := rows.Dim(0).Known()
	m, known2 := want.Dim(0).Known()
	if !known1 || !known2 || n == m {
		return nil
	}
	if n < m {
		return frontOf(p, g.e, source+destination-g.slot, rows)
	}
	rest, known := infer.Shape{Dims: rows.Dims[1:]}.Equal(infer.Shape{Dims: want.Dims[1:]})
	x, ok := edit.ExprAt(p.File, g.item.Loc)
	names := edit.NamesAt(p.File, g.item.Loc)
	if !ok || names == nil || !known || !rest || m*32%256 != 0 || !sameShapes(g.e, g.slot, want) {
		return nil
	}
	part := fmt.Sprintf("[:%d]", m)
	if g.indices() != nil {
		part = fmt.Sprintf(".at[%s(0, %d)]", names.Name(pallas, "ds"), m)
	}
	return edit.Fix(true, "Take `"+g.item.Loc.Text()+part+"`", rule.Unsafe, append(names.Edits, edit.Append(g.item.Loc.Chunk, x, part)...))
}

// inOne writes the list of indices and what is taken of its rows in the same brackets: x.at[i, s] for x.at[i].at[:, s].
func inOne(p *rule.Pass, g gather) *rule.Fix {
	x, ok := edit.ExprAt(p.File, g.e.Locs[g.slot])
	outer, is := x.(*parse.Index)
	if !ok || !is || g.step+2 != len(g.ref.Steps) || len(g.ref.Steps[g.step].Index) == 0 || len(outer.Items) < 2 {
		return nil
	}
	at, is1 := outer.X.(*parse.Attr)
	if !is1 || at.Name != "at" {
		return nil
	}
	inner, is2 := at.X.(*parse.Index)
	last := g.ref.Steps[g.step+1]
	if !is2 || len(inner.Items) != 1 || last.Kind != "at" || len(last.Index) == 0 || last.Index[0].Kind != infer.IndexFull || !colon(outer.Items[0]) {
		return nil
	}
	gap := parse.Loc{Chunk: g.e.Locs[g.slot].Chunk, Span: parse.Span{Start: inner.Items[0].Span().End, End: outer.Items[0].Span().End}}
	if strings.Contains(gap.Text(), "#") {
		return nil
	}
	return edit.Fix(true, "Write one pair of brackets", rule.Safe, []rule.Edit{{Loc: gap}})
}

// colon: the subscript is a lone colon.
func colon(x parse.Expr) bool {
	s, ok := x.(*parse.Slice)
	return ok && s.Lo == nil && s.Hi == nil && s.Step == nil
}

// untiled asks for arrays in HBM without the TensorCore's tiles.
func untiled(p *rule.Pass, k *infer.Kernel) *rule.Fix {
	for k.Outer != nil {
		k = k.Outer
	}
	return edit.Param(p, k.Site, "use_tc_tiling_on_sc", "False", "Pass `use_tc_tiling_on_sc=False`")
}

// inVMEM allocates a list of indices in VMEM, where nothing but copies use it.
func inVMEM(p *rule.Pass, k *infer.Kernel, r *infer.Ref) *rule.Fix {
	if !isScratch(r) || r.Mem == nil || r.Mem.Mesh != nil || !r.Spaces.Only(jax.SMEM) || k.Core != jax.SCVectorSubcore {
		return nil
	}
	for _, e := range append(k.Loads(), k.Stores()...) {
		if len(e.Refs) > 0 && e.Refs[0] != nil && e.Refs[0].Alloc == r.Alloc {
			return nil
		}
	}
	return edit.Space(p, r.Mem.Loc, "VMEM")
}
