package stage

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const sc = "jax.experimental.pallas.tpu_sc"

// Element returns the fix for a load or store of one element of VMEM where the core knows only vectors: a vector subcore takes the element out of a
// vector or gathers it, a TensorCore stores an array of one element.
func Element(p *rule.Pass, e *infer.Event) []*rule.Fix {
	x, ok := e.Node.(*parse.Index)
	if !ok || e.Kernel == nil || e.Via != "indexing" || !plainInts(x) || !e.RShape || !e.Result.IsRank(0) {
		return nil
	}
	spot, ok := edit.Find(p.File, e.Loc.Chunk, x)
	if !ok {
		return nil
	}
	el := &element{p: p, e: e, x: x, spot: spot, names: &edit.Names{Spot: spot}, base: spot.Text(x.X)}
	for _, it := range x.Items {
		el.items = append(el.items, spot.Text(it))
	}
	switch {
	case len(e.Index) != len(x.Items) || e.Refs[0].DType.Bits() > 32 || negative(e):
		return nil
	case e.Kernel.Core == jax.SCVectorSubcore && e.Refs[0].Type.Bits() == 32 && onTarget(spot):
		return some(el.scatter())
	case e.Kernel.Core == jax.SCVectorSubcore && e.Refs[0].Type.Bits() == 32:
		return some(el.takeLane())
	case e.Kernel.Core == jax.TensorCore && writes(e):
		return some(el.single())
	}
	return nil
}

type element struct {
	p     *rule.Pass
	e     *infer.Event
	x     *parse.Index
	spot  *edit.Spot
	names *edit.Names
	base  string
	items []string

	lane   string      // text of the number of lanes
	before []rule.Edit // that puts it into a variable
}

func negative(e *infer.Event) bool {
	for _, it := range e.Index {
		if k, known := it.Start.Known(); known && k < 0 {
			return true
		}
	}
	return false
}

// onTarget: the spot is what its statement assigns to, alone.
func onTarget(s *edit.Spot) bool {
	switch st := s.Path[max(len(s.Path)-2, 0)].(type) {
	case *parse.Assign:
		return len(st.Targets) == 1 && parse.Node(st.Targets[0]) == s.Node()
	case *parse.AugAssign:
		return parse.Node(st.Target) == s.Node()
	}
	return false
}

func (el *element) fix(what string, edits ...rule.Edit) *rule.Fix {
	return &rule.Fix{Title: fmt.Sprintf(what, el.spot.Text(el.x)), Safety: rule.Unsafe, Edits: unique(append(append(el.before, edits...), el.names.Edits...))}
}

// takeLane reads the vector around an element whose place is known, else gathers the element into every lane.
func (el *element) takeLane() *rule.Fix {
	n := len(el.items) - 1
	it := el.e.Index[n]
	k, known := it.Start.Known()
	size, sized := el.e.Refs[0].View.Dim(-1).Known()
	start := k / 16 * 16
	if !known || !sized || k < 0 || start+16 > size || len(el.e.Refs[0].Steps) > 0 {
		return el.fix("Gather `%s` into a vector, take its first lane", el.spot.Replace(el.x, el.gathered()+"[0]"))
	}
	row := "..."
	if n > 0 || size != 16 {
		row = fmt.Sprintf("%s(%d, 16)", el.names.Name(pallas, "ds"), start)
		row = strings.Join(append(append([]string(nil), el.items[:n]...), row), ", ")
	}
	return el.fix("Take `%s` from the vector that holds it", el.spot.Replace(el.x, fmt.Sprintf("%s[%s][%d]", el.base, row, k-start)))
}

// lanes is the number of lanes as text: of the chip, else what the chip says when the kernel is traced, in a variable where there is room for one.
func (el *element) lanes() string {
	if c := el.p.Chip; c != nil && c.SparseCore != nil {
		return fmt.Sprint(c.SparseCore.Lanes)
	}
	if el.lane != "" {
		return el.lane
	}
	text := el.names.Name(sc, "get_sparse_core_info") + "().num_lanes"
	if el.lane = el.spot.Holds(text); el.lane == "" && insertable(el.spot) {
		el.lane = edit.Free(edit.Mentions(el.spot.Funcs()[0]), "lanes")
		el.before = []rule.Edit{el.spot.Before(el.lane + " = " + text)}
	}
	if el.lane == "" {
		el.lane = text
	}
	return el.lane
}

func (el *element) indices() string {
	var out []string
	for _, it := range el.items {
		out = append(out, fmt.Sprintf("%s((%s,), %s, %s)", el.names.Name(numpy, "full"), el.lanes(), it, el.names.Name(numpy, "int32")))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (el *element) gathered() string {
	return fmt.Sprintf("%s(%s, %s)", el.names.Name(sc, "load_gather"), el.base, el.indices())
}

// assigned is the statement that stores: where its value begins (after the = sign) and the operator of an augmented one.
func (el *element) assigned() (from int32, op string) {
	st, _ := el.spot.Stmt()
	if a, ok := st.(*parse.AugAssign); ok {
		op = a.Op
	}
	end := el.x.Span().End
	return end + int32(strings.IndexByte(el.spot.Chunk.Text[end:], '=')) + 1, op
}

// around puts text before and after the value that is stored, in place of what stands before it.
func (el *element) around(before, after string) []rule.Edit {
	st, _ := el.spot.Stmt()
	from, _ := el.assigned()
	text := el.spot.Chunk.Text
	for int(from) < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	head := parse.Loc{Chunk: el.spot.Chunk, Span: parse.Span{Start: st.Span().Start, End: from}}
	return []rule.Edit{{Loc: head, New: before}, edit.Insert(el.spot.Chunk, st.Span().End, after)}
}

// scatter stores the value to the one place from every lane.
func (el *element) scatter() *rule.Fix {
	head := fmt.Sprintf("%s(%s, %s, ", el.names.Name(sc, "store_scatter"), el.base, el.indices())
	if _, op := el.assigned(); op != "" {
		return el.fix("Gather and scatter `%s` by vectors", el.around(head+el.gathered()+" "+op+" (", "))")...)
	}
	full := fmt.Sprintf("%s((%s,), ", el.names.Name(numpy, "full"), el.lanes())
	return el.fix("Scatter to `%s` from a vector", el.around(head+full, ", "+el.base+".dtype))")...)
}

// single stores an array of one element: a TensorCore does that at a column that is known, and at any row of 32-bit elements.
func (el *element) single() *rule.Fix {
	if !onTarget(el.spot) {
		return nil
	}
	var items []string
	shape := "(1, 1)"
	n := len(el.items)
	for i, it := range el.e.Index {
		_, known := it.Start.Known()
		number, isInt := el.x.Items[i].(*parse.Int)
		switch {
		case i < n-2:
			items = append(items, el.items[i])
		case !known && (i == n-1 || el.e.Refs[0].Type.Bits() != 32):
			return nil
		case isInt:
			items = append(items, fmt.Sprintf("%d:%d", number.Value, number.Value+1))
		default:
			items = append(items, el.names.Name(pallas, "ds")+"("+el.items[i]+", 1)")
		}
	}
	if n == 1 {
		shape = "(1,)"
	}
	target := el.base + "[" + strings.Join(items, ", ") + "]"
	if _, op := el.assigned(); op != "" {
		return el.fix("Store to `%s` as an array of one element", el.spot.Replace(el.x, target))
	}
	return el.fix("Store to `%s` as an array of one element",
		el.around(fmt.Sprintf("%s = %s(%s, ", target, el.names.Name(numpy, "full"), shape), ", "+el.base+".dtype)")...)
}
