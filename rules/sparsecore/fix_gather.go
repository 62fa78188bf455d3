package sparsecore

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const (
	scModule = "jax.experimental.pallas.tpu_sc"
	numpy    = "jax.numpy"
)

// byIndices makes a gather or scatter of a load or store of one register whose elements are no neighbours.
func byIndices(p *rule.Pass, e *infer.Event) *rule.Fix {
	x, ok := e.Node.(*parse.Index)
	spot, found := edit.Find(p.File, e.Loc.Chunk, x)
	if !ok || !found || e.Via != "indexing" || e.Kernel.Core != jax.SCVectorSubcore || no(e.Refs[0].Type, jax.Int32, jax.Float32) || !e.Refs[0].Type.Known() {
		return nil
	}
	n, ok := oneRegister(p, e)
	if !ok || len(x.Items) != len(e.Index) {
		return nil
	}
	w := indexWriter{names: &edit.Names{Spot: spot}, spot: spot, lanes: n}
	indices, ok := w.all(x, e.Index)
	if !ok {
		return nil
	}
	if e.Op == infer.OpLoad && e.Aug == "" {
		text := fmt.Sprintf("%s(%s, %s)", w.names.Name(scModule, "load_gather"), spot.Text(x.X), indices)
		return edit.Fix(true, "Gather with `plsc.load_gather`", rule.Unsafe, append(w.names.Edits, spot.Replace(x, text)))
	}
	return w.scatter(e, x, indices)
}

// oneRegister: the elements are as many as a register has.
func oneRegister(p *rule.Pass, e *infer.Event) (int64, bool) {
	n, known := e.Result.Dim(0).Known()
	if !e.RShape || !e.Result.IsRank(1) || !known {
		return 0, false
	}
	if l := lanes(p); l > 0 {
		return n, n == l
	}
	return n, n == 8 || n == 16
}

// indexWriter writes the vectors of indices that stand for subscripts.
type indexWriter struct {
	names *edit.Names
	spot  *edit.Spot
	lanes int64
}

func (w indexWriter) all(x *parse.Index, index []infer.IndexItem) (string, bool) {
	var out []string
	for i, it := range index {
		text := ""
		switch it.Kind {
		case infer.IndexInt:
			text = w.full(w.spot.Text(x.Items[i]))
		case infer.IndexSlice, infer.IndexFull:
			text = w.slice(x.Items[i], it)
		}
		if text == "" || it.Dim != i {
			return "", false
		}
		out = append(out, text)
	}
	return "[" + strings.Join(out, ", ") + "]", true
}

// full is a vector of one index.
func (w indexWriter) full(text string) string {
	return fmt.Sprintf("%s((%d,), %s, %s)", w.names.Name(numpy, "full"), w.lanes, text, w.names.Name(numpy, "int32"))
}

// slice counts the elements of a slice; empty where its start is not written.
func (w indexWriter) slice(x parse.Expr, it infer.IndexItem) string {
	text := fmt.Sprintf("%s(%d)", w.names.Name(numpy, "arange"), w.lanes)
	if step, known := it.Step.Known(); known && step > 1 {
		text = fmt.Sprintf("%d * %s", step, text)
	} else if it.Kind == infer.IndexSlice && (!known || step < 1) {
		return ""
	}
	if it.Kind == infer.IndexFull || it.Start.Is(0) {
		return text
	}
	if start, known := it.Start.Known(); known {
		return fmt.Sprintf("%d + %s", start, text)
	}
	call, ok := x.(*parse.Call)
	if !ok || len(call.Args) == 0 || call.Args[0].Star > 0 || call.Args[0].Name != "" && call.Args[0].Name != "start" {
		return ""
	}
	return w.term(call.Args[0].Value) + " + " + text
}

// term is an expression as a term of a sum.
func (w indexWriter) term(x parse.Expr) string {
	switch b := x.(type) {
	case *parse.Name, *parse.Call, *parse.Attr, *parse.Index, *parse.Int:
		return w.spot.Text(x)
	case *parse.Binary:
		if strings.Contains("+ - * // %", b.Op) {
			return w.spot.Text(x)
		}
	}
	return "(" + w.spot.Text(x) + ")"
}

// scatter stores a register by indices.
func (w indexWriter) scatter(e *infer.Event, x *parse.Index, indices string) *rule.Fix {
	v, ok := e.Value.(*infer.Array)
	up := w.spot.Up(1)
	if e.Op != infer.OpStore || e.Aug != "" || !ok || up == nil || v.DType != e.Refs[0].Type || !v.Shape.IsRank(1) || !v.Shape.Dim(0).Is(w.lanes) {
		return nil
	}
	a, ok := up.Node().(*parse.Assign)
	if !ok || len(a.Targets) != 1 || parse.Node(a.Targets[0]) != parse.Node(x) {
		return nil
	}
	head := parse.Loc{Chunk: w.spot.Chunk, Span: parse.Span{Start: a.Span().Start, End: a.Value.Span().Start}}
	if strings.ContainsAny(head.Text(), "#\n(") && strings.Contains(head.Text()[x.Span().End-a.Span().Start:], "(") {
		return nil // the value is in parentheses of its own
	}
	text := fmt.Sprintf("%s(%s, %s, ", w.names.Name(scModule, "store_scatter"), w.spot.Text(x.X), indices)
	return edit.Fix(true, "Scatter with `plsc.store_scatter`", rule.Unsafe,
		append(w.names.Edits, rule.Edit{Loc: head, New: text}, edit.Insert(w.spot.Chunk, a.Span().End, ")")))
}

// everyLane makes a vector of a lone index of a gather or scatter.
func everyLane(p *rule.Pass, c *infer.Call, i int, indices []infer.Value) *rule.Fix {
	a := c.Bound["indices"]
	l := lanes(p)
	for _, v := range indices {
		if s, known := infer.ShapeOfValue(v); known && s.IsRank(1) {
			l, _ = s.Dim(0).Known()
		}
	}
	if a == nil || l <= 0 {
		return nil
	}
	loc := indexAt(p, a, i, len(indices))
	names := edit.NamesAt(p.File, loc)
	if names == nil {
		return nil
	}
	edits := edit.Around(loc, fmt.Sprintf("%s((%d,), ", names.Name(numpy, "full"), l), ", "+names.Name(numpy, "int32")+")")
	return edit.Fix(true, "Give every lane `"+loc.Text()+"`", rule.Safe, append(names.Edits, edits...))
}

// indexAt is where the i-th of n indices is written.
func indexAt(p *rule.Pass, a *infer.Arg, i, n int) parse.Loc {
	var elems []parse.Expr
	x, _ := edit.ExprAt(p.File, a.Loc)
	switch d := x.(type) {
	case *parse.List:
		elems = d.Elems
	case *parse.Tuple:
		elems = d.Elems
	}
	if len(elems) != n {
		return parse.Loc{}
	}
	return parse.Loc{Chunk: a.Loc.Chunk, Span: elems[i].Span()}
}

// notZero compares a mask of integers with 0.
func notZero(p *rule.Pass, loc parse.Loc, d jax.DType) *rule.Fix {
	x, ok := edit.ExprAt(p.File, loc)
	if !ok || !d.IsInteger() {
		return nil
	}
	return edit.Fix(true, "Compare with 0", rule.Unsafe, edit.Append(loc.Chunk, x, " != 0"))
}
