package stage

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// lanes are the elements of the vector through which a vector subcore reads or writes one scalar; all chips take 16.
const lanes = "(16,)"

// maxCells is how many elements of SMEM are spent on reading one of them.
const maxCells = 4096

// shapeScalar plans the access of a single element. A vector subcore has no scalar loads from VMEM, so the element becomes the first lane
// of a vector; the others read it from SMEM, to which a row or the whole ref is copied, as smaller pieces can't be.
func (pl *plan) shapeScalar(x *parse.Index) bool {
	if !plainInts(x) || pl.dtypeBits() != 32 {
		return false
	}
	lead, last := pl.split(x)
	if pl.kernel.Core == jax.SCVectorSubcore {
		return pl.shapeLane(lead, last)
	}
	pl.form, pl.space, pl.index = cell, jax.SMEM, last
	pl.loads = true // the rest of the buffer must hold what is there already
	for _, e := range pl.peers {
		if !pl.cellOK(e, len(x.Items)) {
			return false
		}
	}
	pl.whole = lead == ""
	pl.region = pl.base
	if !pl.whole {
		pl.region += ".at[" + lead + "]"
	}
	for i := range pl.uses {
		pl.uses[i].tail = "[" + last + "]"
	}
	return true
}

func (pl *plan) shapeLane(lead, last string) bool {
	pl.form, pl.space, pl.whole, pl.index = lane, jax.VMEM, false, last
	if lead != "" {
		lead += ", "
	}
	pl.region = pl.base + ".at[" + lead + "%s(" + last + ", 1)]" // with the name of pl.ds
	stmt, _ := pl.spot.Stmt()
	for i := range pl.uses {
		if !pl.stores || pl.loads && !isTarget(stmt, pl.uses[i].node) {
			pl.uses[i].tail = "[...][0]"
		}
	}
	_, plain := stmt.(*parse.Assign)
	_, aug := stmt.(*parse.AugAssign)
	return !pl.stores || plain && len(stmt.(*parse.Assign).Targets) == 1 && isTarget(stmt, pl.storeNode(stmt)) || aug
}

// storeNode is the place that the statement stores to.
func (pl *plan) storeNode(stmt parse.Stmt) parse.Node {
	for _, u := range pl.uses {
		if isTarget(stmt, u.node) {
			return u.node
		}
	}
	return nil
}

func isTarget(stmt parse.Stmt, n parse.Node) bool {
	switch s := stmt.(type) {
	case *parse.Assign:
		return n != nil && n == parse.Node(s.Targets[0])
	case *parse.AugAssign:
		return n != nil && n == parse.Node(s.Target)
	}
	return false
}

// plainInts: every subscript is an expression of its own, none a slice, an ellipsis or a starred one.
func plainInts(x *parse.Index) bool {
	for _, it := range x.Items {
		switch it := it.(type) {
		case *parse.Slice, *parse.Starred, *parse.Tuple:
			return false
		case *parse.Const:
			return it.Kind != parse.ConstEllipsis && it.Kind != parse.ConstNone
		}
	}
	return len(x.Items) > 0
}

// split gives the text of the subscripts before the last, and of the last.
func (pl *plan) split(x *parse.Index) (lead, last string) {
	n := len(x.Items)
	last = pl.spot.Text(x.Items[n-1])
	if n > 1 {
		lead = strings.TrimSpace(pl.spot.Chunk.Text[x.ItemsSpan.Start:x.Items[n-2].Span().End])
	}
	return lead, last
}

func (pl *plan) dtypeBits() int {
	if b := pl.ref.Type.Bits(); b != 0 {
		return b
	}
	return 32
}

// cellOK: the row, or the whole of a ref of one dimension, can be copied to SMEM and is small.
func (pl *plan) cellOK(e *infer.Event, items int) bool {
	dims, ok := selected(e.Refs[0], e.Index)
	if !ok || len(e.Index) != items || len(dims) == 0 {
		return false
	}
	for _, d := range dims {
		if n, known := d.start.Known(); d.kind != infer.IndexInt || known && n < 0 {
			return false
		}
	}
	n, known := dims[len(dims)-1].size.Known()
	if !known || n > maxCells {
		return false
	}
	return pl.kernel.Core == jax.TensorCore || items == 1 && len(dims) == 1 || n%8 == 0 // DMAs of a scalar subcore move 32 bytes
}
