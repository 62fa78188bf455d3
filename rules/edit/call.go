package edit

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// Holder is the call that the expression at loc is an argument of, and which one.
func Holder(f *parse.File, loc parse.Loc) (call *parse.Call, i int, ok bool) {
	if loc.Chunk == nil {
		return nil, 0, false
	}
	if _, in := f.Base(loc.Chunk); !in {
		return nil, 0, false
	}
	for _, s := range loc.Chunk.Stmts {
		parse.Walk(s, func(n parse.Node) bool {
			c, is := n.(*parse.Call)
			for k := 0; is && k < len(c.Args); k++ {
				if c.Args[k].Value.Span() == loc.Span {
					call, i = c, k
				}
			}
			span := n.Span()
			return call == nil && span.Start <= loc.Start && loc.End <= span.End
		})
	}
	return call, i, call != nil
}

// SetArg passes an argument of a call by name, or writes another value where it is passed. It fails where the call is not written as one.
func SetArg(f *parse.File, c *infer.Call, name, value string) ([]rule.Edit, bool) {
	if a := c.Bound[name]; a != nil {
		_, _, ok := Holder(f, a.Loc)
		return []rule.Edit{{Loc: a.Loc, New: value}}, ok
	}
	if call := Written(f, c); call != nil {
		return AddArgs(c.Loc.Chunk, call, name+"="+value)
	}
	return nil, false
}

// Written is the call expression of a call in the file; nil where there is none, or where it passes on arguments that can't be seen.
func Written(f *parse.File, c *infer.Call) *parse.Call {
	if _, in := f.Base(c.Loc.Chunk); c.Open || c.Loc.Chunk == nil || !in {
		return nil
	}
	if c.Node != nil {
		return c.Node
	}
	for _, a := range c.Args { // a decorator
		if call, _, ok := Holder(f, a.Loc); ok && a.Loc.Chunk == c.Loc.Chunk {
			return call
		}
	}
	return nil
}

// DropArg takes an argument out of the call that passes it: one by name, or the last by position.
func DropArg(f *parse.File, c *infer.Call, name string) ([]rule.Edit, bool) {
	a := c.Bound[name]
	if a == nil {
		return nil, false
	}
	call, i, ok := Holder(f, a.Loc)
	if !ok || call.Args[i].Name != name && i+1 != len(call.Args) || call.Args[i].Star > 0 {
		return nil, false
	}
	return []rule.Edit{RemoveArg(a.Loc.Chunk, call, i)}, true
}

// Around puts text before and after an expression.
func Around(loc parse.Loc, before, after string) []rule.Edit {
	start, end := loc, loc
	start.End, end.Start = loc.Start, loc.End
	return []rule.Edit{{Loc: start, New: before}, {Loc: end, New: after}}
}

// ExprAt is the expression that is written at just that place of the file.
func ExprAt(f *parse.File, loc parse.Loc) (parse.Expr, bool) {
	spot, ok := FindAt(f, loc, func(n parse.Node) bool { _, is := n.(parse.Expr); return is })
	if !ok {
		return nil, false
	}
	x, ok := spot.Node().(parse.Expr)
	return x, ok
}

// NamesAt finds texts for members of modules at a place; nil where the file has none such.
func NamesAt(f *parse.File, loc parse.Loc) *Names {
	spot, ok := FindAt(f, loc, func(parse.Node) bool { return true })
	if !ok {
		return nil
	}
	return &Names{Spot: spot}
}

// maxSites bounds the sites and the entries of files whose fixes look at all of them, as each finding does so anew.
const maxSites = 500

// Sites are the sites of all runs of the file: what a fix of one of them edits may serve others too. It is false where there are too many to look at.
func Sites(p *rule.Pass) (sites []*infer.Site, all bool) {
	if p.Facts == nil {
		return p.World.Sites, len(p.World.Sites) <= maxSites
	}
	if len(p.Facts.Entries) > maxSites {
		return nil, false
	}
	for _, e := range p.Facts.Entries {
		for _, w := range e.Worlds {
			sites = append(sites, w.Sites...)
		}
		if len(sites) > maxSites {
			return nil, false
		}
	}
	return sites, true
}

// RemoveLambdaParams takes parameters out of a lambda.
func RemoveLambdaParams(c *parse.Chunk, fn *parse.Lambda, which ...int) []rule.Edit {
	l := commas{chunk: c, open: fn.Span().Start + int32(len("lambda"))}
	for _, p := range fn.Params {
		l.items = append(l.items, p.Span())
	}
	if len(l.items) == 0 {
		return nil
	}
	l.close = l.items[len(l.items)-1].End
	return l.remove(which)
}

// Prepend adds elements at the start of a tuple or list display.
func Prepend(c *parse.Chunk, display parse.Expr, items ...string) ([]rule.Edit, bool) {
	span := display.Span()
	l := commas{chunk: c, open: span.Start + 1, close: span.End - 1}
	switch d := display.(type) {
	case *parse.List:
		l.exprs(d.Elems)
	case *parse.Tuple:
		l.exprs(d.Elems)
		if !d.Parens {
			l.open, l.close = span.Start, span.End
		}
	default:
		return nil, false
	}
	return l.add(0, items), true
}

// RemoveTupleElems takes elements out of a tuple display.
func RemoveTupleElems(c *parse.Chunk, t *parse.Tuple, which ...int) []rule.Edit {
	l := commas{chunk: c, open: t.Span().Start + 1, close: t.Span().End - 1, lone: true}
	if !t.Parens {
		l.open, l.close = t.Span().Start, t.Span().End
	}
	l.exprs(t.Elems)
	return l.remove(which)
}

// FloorDivide writes // for the / of a division.
func FloorDivide(c *parse.Chunk, x parse.Expr, safety rule.Safety) *rule.Fix {
	op, ok := operator(c, x, "/")
	if !ok {
		return nil
	}
	return &rule.Fix{Title: "Divide with //", Safety: safety, Edits: []rule.Edit{{Loc: op, New: "//"}}}
}

// operator is where the operator of a binary expression stands.
func operator(c *parse.Chunk, x parse.Expr, op string) (parse.Loc, bool) {
	b, ok := x.(*parse.Binary)
	if !ok || b.Op != op {
		return parse.Loc{}, false
	}
	between := c.Text[b.L.Span().End:b.R.Span().Start]
	i := strings.Index(between, op)
	if i < 0 || strings.Contains(between, "#") || strings.Count(between, op) != 1 {
		return parse.Loc{}, false
	}
	at := b.L.Span().End + int32(i)
	return parse.Loc{Chunk: c, Span: parse.Span{Start: at, End: at + int32(len(op))}}, true
}

// CeilDivide writes pl.cdiv(a, b) for a // b.
func CeilDivide(f *parse.File, loc parse.Loc) *rule.Fix {
	x, ok := ExprAt(f, loc)
	b, is := x.(*parse.Binary)
	if !ok || !is || b.Op != "//" {
		return nil
	}
	names := NamesAt(f, loc)
	text := func(e parse.Expr) string { return parse.Loc{Chunk: loc.Chunk, Span: e.Span()}.Text() }
	written := names.Name("jax.experimental.pallas", "cdiv")
	return &rule.Fix{Title: "Divide with `" + written + "`", Safety: rule.Unsafe,
		Edits: append(names.Edits, rule.Edit{Loc: loc, New: written + "(" + text(b.L) + ", " + text(b.R) + ")"})}
}

// Fix is the fix of some edits, if they are right.
func Fix(ok bool, title string, safety rule.Safety, edits []rule.Edit) *rule.Fix {
	if !ok {
		return nil
	}
	return &rule.Fix{Title: title, Safety: safety, Edits: edits}
}

// WithoutArg takes an argument out of a call.
func WithoutArg(p *rule.Pass, c *infer.Call, name string, safety rule.Safety) *rule.Fix {
	if c == nil {
		return nil
	}
	edits, ok := DropArg(p.File, c, name)
	return Fix(ok, "Take `"+name+"` out", safety, edits)
}

// Cast puts .astype(dtype) behind what is written at loc, with a dtype of jax.numpy.
func Cast(p *rule.Pass, loc parse.Loc, dtype string) *rule.Fix {
	x, ok := ExprAt(p.File, loc)
	names := NamesAt(p.File, loc)
	if !ok || names == nil {
		return nil
	}
	name := names.Name("jax.numpy", dtype)
	return Fix(true, "Convert to `"+name+"`", rule.Unsafe, append(names.Edits, Append(loc.Chunk, x, ".astype("+name+")")...))
}

// Callee writes another function where a call has its own.
func Callee(p *rule.Pass, c *infer.Call, module, member string, safety rule.Safety) *rule.Fix {
	call := Written(p.File, c)
	if call == nil || call != c.Node {
		return nil
	}
	loc := parse.Loc{Chunk: c.Loc.Chunk, Span: call.Func.Span()}
	names := NamesAt(p.File, loc)
	if names == nil {
		return nil
	}
	name := names.Name(module, member)
	return Fix(true, "Call `"+name+"`", safety, append(names.Edits, rule.Edit{Loc: loc, New: name}))
}

// Multiple says that a number is a multiple of another one, with pl.multiple_of.
func Multiple(p *rule.Pass, loc parse.Loc, of string) *rule.Fix {
	names := NamesAt(p.File, loc)
	if _, ok := ExprAt(p.File, loc); !ok || names == nil {
		return nil
	}
	name := names.Name("jax.experimental.pallas", "multiple_of")
	return Fix(true, "Promise a multiple of "+of+", with `"+name+"`", rule.Unsafe, append(names.Edits, Around(loc, name+"(", ", "+of+")")...))
}

// Param gives the kernel of a site a field of its compiler parameters.
func Param(p *rule.Pass, s *infer.Site, name, value, title string) *rule.Fix {
	if params, ok := s.Params.(*infer.Params); ok {
		edits, ok := SetArg(p.File, params.Call, name, value)
		return Fix(ok, title, rule.Unsafe, edits)
	}
	names := NamesAt(p.File, s.Loc)
	if s.Params != nil || names == nil {
		return nil
	}
	text := names.Name("jax.experimental.pallas.tpu", "CompilerParams") + "(" + name + "=" + value + ")"
	edits, ok := SetArg(p.File, s.Call, "compiler_params", text)
	return Fix(ok, title, rule.Unsafe, append(names.Edits, edits...))
}

// Space writes another memory space for the one that an allocation names: pltpu.VMEM for pl.ANY in pl.ANY(shape, dtype).
func Space(p *rule.Pass, loc parse.Loc, space string) *rule.Fix {
	x, ok := ExprAt(p.File, loc)
	if call, is := x.(*parse.Call); is {
		x = call.Func
	}
	names := NamesAt(p.File, loc)
	if !ok || names == nil {
		return nil
	}
	switch x.(type) {
	case *parse.Attr, *parse.Name:
	default:
		return nil
	}
	name := names.Name("jax.experimental.pallas.tpu", space)
	return Fix(true, "Put it in "+space, rule.Unsafe, append(names.Edits, rule.Edit{Loc: parse.Loc{Chunk: loc.Chunk, Span: x.Span()}, New: name}))
}

// SemaphoreType writes another type for that of semaphores that are allocated: DMA for REGULAR in pltpu.SemaphoreType.REGULAR.
func SemaphoreType(p *rule.Pass, r *infer.Ref, from, to string) *rule.Fix {
	for _, loc := range allocations(r) {
		x, _ := ExprAt(p.File, loc)
		if call, is := x.(*parse.Call); is {
			x = call.Func
		}
		if a, is := x.(*parse.Attr); is && a.Name == from {
			return Fix(true, "Allocate a "+to+" semaphore", rule.Unsafe, []rule.Edit{{Loc: parse.Loc{Chunk: loc.Chunk, Span: a.NameSpan}, New: to}})
		}
	}
	return nil
}

// listed is where the i-th of n entries of a list or tuple is written.
func listed(v infer.Value, i, n int) parse.Loc {
	node, loc := parse.Expr(nil), parse.Loc{}
	switch v := v.(type) {
	case *infer.Tuple:
		node, loc = v.Node, v.Loc
	case *infer.List:
		node, loc = v.Node, v.Loc
	}
	var elems []parse.Expr
	switch d := node.(type) {
	case *parse.Tuple:
		elems = d.Elems
	case *parse.List:
		elems = d.Elems
	}
	if len(elems) != n || i >= n {
		return parse.Loc{}
	}
	return parse.Loc{Chunk: loc.Chunk, Span: elems[i].Span()}
}

// allocations are the places that may be where the memory of a ref is asked for.
func allocations(r *infer.Ref) []parse.Loc {
	out := []parse.Loc{r.Alloc.Loc}
	if r.Mem != nil {
		out = append(out, r.Mem.Loc)
	}
	if r.Operand != nil {
		out = append(out, r.Operand.SpecLoc)
		if r.Operand.Mem != nil {
			out = append(out, r.Operand.Mem.Loc)
		}
	}
	if k := r.Alloc.Kernel; k != nil && r.Operand != nil && r.Role == infer.Scratch {
		out = append(out, listed(k.Site.Scratch, r.Operand.Index, len(k.Site.Scratches)))
	}
	for why := r.Why; why != nil; why = why.From {
		out = append(out, why.Loc)
	}
	return out
}

// NumPyName is how jax.numpy spells a dtype.
func NumPyName(d jax.DType) string {
	if d == jax.Bool {
		return "bool_"
	}
	return strings.TrimSpace(string(d))
}
