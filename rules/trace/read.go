package trace

import (
	"strconv"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// writtenRef is a ref and the expression that is it.
type writtenRef struct {
	ref *infer.Ref
	at  parse.Loc
}

// readRefs writes [...] behind every ref that an operator, a function or a method is given as an array, if that can be done with each.
func readRefs(p *rule.Pass, x *infer.Fault) *rule.Fix {
	places := refsOf(p, x)
	if len(places) == 0 {
		return nil
	}
	var edits []rule.Edit
	names := ""
	for i, w := range places {
		at := w.at
		more := load(p, at)
		if len(more) == 0 || !readable(w.ref) {
			return nil
		}
		edits = append(edits, more...)
		if i > 0 {
			names += ", "
		}
		names += "`" + at.Text() + "`"
	}
	return &rule.Fix{Title: "Read " + names, Safety: rule.Safe, Edits: edits}
}

// readable: the core may read the ref, as far as that is known.
func readable(r *infer.Ref) bool {
	return !r.Spaces.HasAny(jax.HBM, jax.ANY, jax.VMEMShared, jax.Semaphore)
}

// refsOf are the places where the refs of a fault are written.
func refsOf(p *rule.Pass, x *infer.Fault) []writtenRef {
	spot, ok := edit.FindAt(p.File, x.Loc, func(n parse.Node) bool { _, is := n.(parse.Expr); return is })
	if !ok {
		return nil
	}
	var out []writtenRef
	add := func(e parse.Expr, v infer.Value) {
		if r, isRef := v.(*infer.Ref); isRef {
			out = append(out, writtenRef{r, spot.Loc(e)})
		}
	}
	switch n := spot.Node().(type) {
	case *parse.Binary:
		if vs := operands(x); len(vs) == 2 {
			add(n.L, vs[0])
			add(n.R, vs[1])
		}
	case *parse.Compare:
		if vs := operands(x); len(vs) == 2 && len(n.Rest) == 1 {
			add(n.First, vs[0])
			add(n.Rest[0], vs[1])
		}
	case *parse.Unary:
		add(n.X, x.Values[0])
	case *parse.Call:
		if c := callAt(x); c != nil && x.Kind == "ref-as-array" {
			return refArgs(p, c)
		}
		if a, ok := n.Func.(*parse.Attr); ok && x.Kind == "ref-attribute" {
			add(a.X, x.Values[0])
		}
	case *parse.Attr:
		if x.Kind == "ref-attribute" {
			add(n.X, x.Values[0])
		}
	}
	return out
}

// callAt is the call of JAX's API that a fault arose in; operators are such calls too.
func callAt(x *infer.Fault) *infer.Call {
	for _, c := range x.Kernel.Calls {
		if c.Loc == x.Loc {
			return c
		}
	}
	return nil
}

// operands are the two sides of the operator that a fault arose in.
func operands(x *infer.Fault) []infer.Value {
	if len(x.Values) == 3 {
		return x.Values[1:]
	}
	c := callAt(x)
	if c == nil {
		return nil
	}
	var out []infer.Value
	for _, a := range c.Args {
		out = append(out, a.Value)
	}
	return out
}

func refArgs(p *rule.Pass, c *infer.Call) (out []writtenRef) {
	add := func(v infer.Value, loc parse.Loc) {
		_, _, in := p.File.Range(loc)
		if r, isRef := v.(*infer.Ref); isRef && loc.Valid() && in {
			out = append(out, writtenRef{r, loc})
		}
	}
	for _, a := range c.Args {
		add(a.Value, a.Loc)
		t, ok := a.Value.(*infer.Tuple)
		if l, isList := a.Value.(*infer.List); isList && !l.Changed {
			t, ok = l.Content().(*infer.Tuple)
			if ok && t.Node == nil {
				listed := *t
				listed.Node, listed.Loc = l.Node, l.Loc
				t = &listed
			}
		}
		if ok && t.Node != nil {
			for i, e := range t.Head {
				add(e, t.ElemLoc(i))
			}
		}
	}
	return out
}

// load are the edits that make a value of a ref: a view loses its .at, another expression gets [...].
func load(p *rule.Pass, at parse.Loc) []rule.Edit {
	x, ok := edit.ExprAt(p.File, at)
	if !ok {
		return nil
	}
	if index, ok := x.(*parse.Index); ok {
		if a, ok := index.X.(*parse.Attr); ok && a.Name == "at" {
			return []rule.Edit{cutAt(at.Chunk, a)}
		}
	}
	return edit.Append(at.Chunk, x, "[...]")
}

func cutAt(c *parse.Chunk, a *parse.Attr) rule.Edit {
	return rule.Edit{Loc: parse.Loc{Chunk: c, Span: parse.Span{Start: a.X.Span().End, End: a.Span().End}}}
}

// withoutAt takes the .at out of the view that is written at loc.
func withoutAt(p *rule.Pass, loc parse.Loc) *rule.Fix {
	x, _ := edit.ExprAt(p.File, loc)
	index, ok := x.(*parse.Index)
	if !ok {
		return nil
	}
	a, ok := index.X.(*parse.Attr)
	if !ok || a.Name != "at" {
		return nil
	}
	return &rule.Fix{Title: "Store without `.at`", Safety: rule.Safe, Edits: []rule.Edit{cutAt(loc.Chunk, a)}}
}

// readStored reads the ref that is stored.
func readStored(p *rule.Pass, e *infer.Event) *rule.Fix {
	value := assigned(e)
	if r, ok := e.Value.(*infer.Ref); value == nil || e.Aug != "" || !ok || !readable(r) {
		return nil
	}
	at := parse.Loc{Chunk: e.Loc.Chunk, Span: value.Span()}
	edits := load(p, at)
	return edit.Fix(len(edits) > 0, "Read `"+at.Text()+"`", rule.Safe, edits)
}

// fewerIndices takes out the integers that name dimensions which the ref does not have: those that its block has squeezed.
func fewerIndices(p *rule.Pass, x *infer.Fault, r *infer.Ref, n int) *rule.Fix {
	e, _ := edit.ExprAt(p.File, x.Loc)
	index, ok := e.(*parse.Index)
	if !ok || n <= 0 {
		return nil
	}
	var numbers []int
	for i, item := range index.Items {
		if _, isInt := item.(*parse.Int); isInt {
			numbers = append(numbers, i)
		}
	}
	if len(numbers) > n && len(r.Steps) == 0 && r.Operand != nil && r.Operand.Squeezed == n {
		numbers = atSqueezed(r.Operand, numbers)
	}
	if len(numbers) != n || len(index.Items) == n {
		return nil
	}
	word := "index"
	if n > 1 {
		word = strconv.Itoa(n) + " indices"
	}
	return &rule.Fix{Title: "Take out the " + word + " of what is squeezed", Safety: rule.Unsafe, Edits: edit.RemoveItems(x.Loc.Chunk, index, numbers...)}
}

func atSqueezed(o *infer.Operand, at []int) (out []int) {
	if o.Spec == nil {
		return nil
	}
	for _, i := range at {
		if i < len(o.Spec.Dims) && o.Spec.Dims[i].Kind == "squeezed" {
			out = append(out, i)
		}
	}
	return out
}

// sized writes pl.ds(start, size) for a Python slice of a known size.
func sized(p *rule.Pass, x *infer.Fault) *rule.Fix {
	spot, ok := edit.FindAt(p.File, x.Loc, func(n parse.Node) bool { _, is := n.(*parse.Slice); return is })
	if !ok {
		return nil
	}
	s := spot.Node().(*parse.Slice)
	if s.Lo == nil || s.Hi == nil || s.Step != nil {
		return nil
	}
	size := beyond(spot, s)
	if size == "" {
		size = sizeAt(x)
	}
	if size == "" {
		return nil
	}
	names := &edit.Names{Spot: spot}
	text := names.Name("jax.experimental.pallas", "ds") + "(" + spot.Text(s.Lo) + ", " + size + ")"
	return &rule.Fix{Title: "Write `" + text + "`", Safety: rule.Safe, Edits: append(names.Edits, rule.Edit{Loc: x.Loc, New: text})}
}

// beyond is what the upper bound adds to the lower one, where it is written so and Python knows its value.
func beyond(spot *edit.Spot, s *parse.Slice) string {
	b, ok := s.Hi.(*parse.Binary)
	if !ok || b.Op != "+" || spot.Text(b.L) != spot.Text(s.Lo) {
		return ""
	}
	switch b.R.(type) {
	case *parse.Int, *parse.Name:
		return spot.Text(b.R)
	}
	return ""
}

// sizeAt is how far the bounds of the slice are apart, where that is known.
func sizeAt(x *infer.Fault) string {
	if len(x.Values) < 2 {
		return ""
	}
	n, known := infer.AsInt(x.Values[1]).Known()
	if !known || n <= 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// wholeIndex makes an integer of an index that is a float.
func wholeIndex(p *rule.Pass, x infer.IndexItem) *rule.Fix {
	e, ok := edit.ExprAt(p.File, x.Loc)
	if call, is := e.(*parse.Call); is && len(call.Args) > 0 { // pl.ds
		if _, dynamic := x.Value.(*infer.Dynamic); !dynamic {
			return nil
		}
		e = call.Args[0].Value
	}
	if !ok {
		return nil
	}
	if fix := edit.FloorDivide(x.Loc.Chunk, e, rule.Unsafe); fix != nil {
		return fix
	}
	at := parse.Loc{Chunk: x.Loc.Chunk, Span: e.Span()}
	names := edit.NamesAt(p.File, at)
	if _, isArray := x.Value.(*infer.Array); !isArray || names == nil {
		return nil
	}
	dtype := names.Name("jax.numpy", "int32")
	return &rule.Fix{Title: "Convert to `" + dtype + "`", Safety: rule.Unsafe,
		Edits: append(names.Edits, edit.Append(at.Chunk, e, ".astype("+dtype+")")...)}
}
