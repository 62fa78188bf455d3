package block

import (
	"slices"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const (
	pallas    = "jax.experimental.pallas"
	pallasTPU = "jax.experimental.pallas.tpu"
)

// everySpec: every operand of the file that has the spec written at loc is as is says.
func everySpec(p *rule.Pass, loc parse.Loc, is func(*infer.Operand) bool) bool {
	sites, all := edit.Sites(p)
	if !all {
		return false
	}
	for _, s := range sites {
		for _, o := range s.Blocks() {
			if o.Spec != nil && o.Spec.Loc == loc && !is(o) {
				return false
			}
		}
	}
	return true
}

// display is the tuple or list display that a value was written as, in this file.
func display(p *rule.Pass, v infer.Value) (*parse.Chunk, parse.Expr, []parse.Expr) {
	t, ok := sequence(v)
	if !ok || t.Node == nil {
		return nil, nil, nil
	}
	if _, _, in := p.File.Range(t.Loc); !in {
		return nil, nil, nil
	}
	switch d := t.Node.(type) {
	case *parse.Tuple:
		return t.Loc.Chunk, d, d.Elems
	case *parse.List:
		return t.Loc.Chunk, d, d.Elems
	}
	return nil, nil, nil
}

// matchRank gives a block as many dimensions as its array has: squeezed ones in front or whole ones behind, or those of size 1 in front taken out.
func matchRank(p *rule.Pass, o *infer.Operand, n, m int) *rule.Fix {
	c, shape, dims := display(p, o.Spec.Block)
	if len(dims) != n || n == 0 || m == 0 || !everySpec(p, o.Spec.Loc, func(q *infer.Operand) bool {
		a, b, wrong := rankMismatch(q)
		return wrong && a == n && b == m
	}) {
		return nil
	}
	var fn *infer.Func
	if o.Spec.IndexMap != nil {
		fn = mapFunc(p, o)
		if fn == nil || len(o.Map.Values()) != n || !alike(p, fn, func(_ *infer.Site, q *infer.Operand) bool { return q.Spec.Loc == o.Spec.Loc }) {
			return nil
		}
	}
	switch {
	case n > m:
		return dropDims(c, shape, o, fn, n-m)
	case n >= 2:
		return moreDims(c, shape, fn, slices.Repeat([]string{"None"}, m-n), true)
	}
	var whole []string
	for i := n; i < m; i++ {
		size, ok := o.Array.Dim(i).Known()
		if !ok {
			return nil
		}
		whole = append(whole, strconv.FormatInt(size, 10))
	}
	return moreDims(c, shape, fn, whole, false)
}

func moreDims(c *parse.Chunk, shape parse.Expr, fn *infer.Func, dims []string, front bool) *rule.Fix {
	add, where := edit.Extend, "last"
	if front {
		add, where = edit.Prepend, "first"
	}
	edits, ok := add(c, shape, dims...)
	if ok && fn != nil {
		var more []rule.Edit
		more, ok = moreIndices(fn, add, slices.Repeat([]string{"0"}, len(dims)), front)
		edits = append(edits, more...)
	}
	if !ok {
		return nil
	}
	return &rule.Fix{Title: "Give the block `" + strings.Join(dims, ", ") + "` as its " + where + " " + word(len(dims)), Safety: rule.Unsafe, Edits: edits}
}

func word(n int) string {
	if n == 1 {
		return "dimension"
	}
	return "dimensions"
}

func moreIndices(fn *infer.Func, add func(*parse.Chunk, parse.Expr, ...string) ([]rule.Edit, bool), zeros []string, front bool) ([]rule.Edit, bool) {
	x := returned(fn)
	if x == nil {
		return nil, false
	}
	if _, isTuple := x.(*parse.Tuple); isTuple {
		return add(fn.Chunk, x, zeros...)
	}
	text := strings.Join(zeros, ", ")
	if front {
		return edit.Around(locOf(fn.Chunk, x), "("+text+", ", ")"), true
	}
	return edit.Around(locOf(fn.Chunk, x), "(", ", "+text+")"), true
}

// dropDims takes dimensions of size 1 or None out of the front of a block, and their zeros out of the index map.
func dropDims(c *parse.Chunk, shape parse.Expr, o *infer.Operand, fn *infer.Func, n int) *rule.Fix {
	t, ok := shape.(*parse.Tuple)
	if !ok {
		return nil
	}
	var which []int
	for i := range n {
		if d := o.Spec.Dims[i]; d.Kind != "squeezed" && !d.Size.Is(1) {
			return nil
		}
		which = append(which, i)
	}
	edits := edit.RemoveTupleElems(c, t, which...)
	if fn != nil {
		indices, ok := returned(fn).(*parse.Tuple)
		if !ok || len(indices.Elems) != len(o.Spec.Dims) || slices.ContainsFunc(indices.Elems[:n], func(x parse.Expr) bool { return !isZero(x) }) {
			return nil
		}
		edits = append(edits, edit.RemoveTupleElems(fn.Chunk, indices, which...)...)
	}
	return &rule.Fix{Title: "Take the first " + word(n) + " out of the block", Safety: rule.Unsafe, Edits: edits}
}

// scalarSpace puts a scalar into SMEM: its spec says so, or specs are given for all operands.
func scalarSpace(p *rule.Pass, s *infer.Site, o *infer.Operand) *rule.Fix {
	if !s.GridKnown || len(s.Grid) > 0 {
		return nil
	}
	if o.Spec != nil && o.Spec.Call != nil && o.Spec.Space == nil {
		if !everySpec(p, o.Spec.Loc, func(q *infer.Operand) bool { return q.Array.IsRank(0) }) {
			return nil
		}
		if names := edit.NamesAt(p.File, o.Spec.Loc); names != nil {
			space := names.Name(pallasTPU, "SMEM")
			edits, ok := edit.SetArg(p.File, o.Spec.Call, "memory_space", space)
			return edit.Fix(ok, "Put "+o.Title()+" in SMEM", rule.Unsafe, append(names.Edits, edits...))
		}
	}
	names := edit.NamesAt(p.File, s.Loc)
	if o.Spec != nil || names == nil || s.InSpecs != nil || s.Prefetch != 0 || !s.Complete || o.Ref.Role == infer.Output || s.Call.Arg("grid_spec") != nil {
		return nil
	}
	spec, space := names.Name(pallas, "BlockSpec"), names.Name(pallasTPU, "SMEM")
	var specs []string
	for _, in := range s.Inputs {
		text := spec + "()"
		if in.Array.IsRank(0) {
			text = spec + "(memory_space=" + space + ")"
		}
		specs = append(specs, text)
	}
	edits, ok := edit.SetArg(p.File, s.Call, "in_specs", "["+strings.Join(specs, ", ")+"]")
	return edit.Fix(ok, "Put "+o.Title()+" in SMEM", rule.Unsafe, append(names.Edits, edits...))
}

// addSpecs gives specs to the last operands that have none, or takes out the last specs.
func addSpecs(p *rule.Pass, s *infer.Site, specs *infer.Tuple, operands int) *rule.Fix {
	c, shown, elems := display(p, s.InSpecs)
	if specs.Rest != nil || len(elems) != len(specs.Head) || len(elems) == operands || shared(p, s, "in_specs") {
		return nil
	}
	if n := len(elems) - operands; n > 0 {
		spot, ok := edit.Find(p.File, c, shown)
		if !ok || operands == 0 {
			return nil
		}
		var last []int
		for i := operands; i < len(elems); i++ {
			last = append(last, i)
		}
		return edit.Fix(true, "Take out the last "+wordSpec(n), rule.Unsafe, edit.RemoveElems(spot, last...))
	}
	names := edit.NamesAt(p.File, locOf(c, shown))
	var more []string
	for i := len(elems); i < operands; i++ {
		more = append(more, specLike(names, s, elems, i))
	}
	edits, ok := edit.Extend(c, shown, more...)
	return edit.Fix(ok, "Add `"+strings.Join(more, ", ")+"`", rule.Unsafe, append(names.Edits, edits...))
}

func wordSpec(n int) string {
	if n == 1 {
		return "spec"
	}
	return strconv.Itoa(n) + " specs"
}

// specLike is the named spec of another operand of the same shape; else one that leaves the operand whole.
func specLike(names *edit.Names, s *infer.Site, elems []parse.Expr, i int) string {
	shape, known := infer.ShapeOfValue(s.Operands[s.Prefetch+i].Value)
	for k, e := range elems {
		name, isName := e.(*parse.Name)
		other, ok := infer.ShapeOfValue(s.Operands[s.Prefetch+k].Value)
		if same, certain := shape.Equal(other); isName && known && ok && same && certain {
			return name.ID
		}
	}
	return names.Name(pallas, "BlockSpec") + "()"
}

// shared: another call of the file has its argument written at the same place.
func shared(p *rule.Pass, s *infer.Site, name string) bool {
	loc := argLoc(p, s, name)
	if loc.Chunk == s.Loc.Chunk && s.Loc.Start <= loc.Start && loc.End <= s.Loc.End {
		return false // it is written in the call itself
	}
	sites, all := edit.Sites(p)
	if !all {
		return true
	}
	for _, other := range sites {
		if other.Loc != s.Loc && argLoc(p, other, name) == loc {
			return true
		}
	}
	return false
}

// leaveWhole writes a spec for the None among in_specs.
func leaveWhole(p *rule.Pass, loc parse.Loc) *rule.Fix {
	names := edit.NamesAt(p.File, loc)
	if names == nil || text(p, loc) != "None" {
		return nil
	}
	spec := names.Name(pallas, "BlockSpec") + "()"
	return edit.Fix(true, "Write `"+spec+"`", rule.Safe, append(names.Edits, rule.Edit{Loc: loc, New: spec}))
}

// wrapSpec gives the one spec of several outputs to each of them.
func wrapSpec(p *rule.Pass, s *infer.Site) *rule.Fix {
	shapes, ok := sequence(s.OutShape)
	loc := argLoc(p, s, "out_specs")
	n, known := 0, false
	if ok {
		n, known = shapes.Len()
	}
	one := text(p, loc)
	if t, listed := sequence(s.OutSpecs); listed && len(t.Head) == 1 && t.Rest == nil && len(t.Tail) == 0 {
		c, _, elems := display(p, s.OutSpecs)
		if len(elems) != 1 {
			return nil
		}
		one, loc = locOf(c, elems[0]).Text(), t.Loc
	} else if _, single := s.OutSpecs.(*infer.BlockSpec); !single || loc == s.Loc {
		return nil
	}
	if !known || n == 0 || one == "" || shared(p, s, "out_specs") || !allAlike(shapes) {
		return nil
	}
	safety, title := rule.Unsafe, "Give the spec to each of the "+strconv.Itoa(n)+" outputs"
	if n == 1 {
		safety, title = rule.Safe, "Make it a list"
	}
	return edit.Fix(true, title, safety, []rule.Edit{{Loc: loc, New: "[" + strings.Join(slices.Repeat([]string{one}, n), ", ") + "]"}})
}

// allAlike: the shapes of the outputs are the same.
func allAlike(shapes *infer.Tuple) bool {
	for _, v := range shapes.Head {
		a, ok1 := v.(*infer.ShapeStruct)
		b, ok2 := shapes.Head[0].(*infer.ShapeStruct)
		if !ok1 || !ok2 {
			return len(shapes.Head) == 1
		}
		if same, known := a.Shape.Equal(b.Shape); !same || !known {
			return false
		}
	}
	return len(shapes.Head) > 0
}

// intoGridSpec moves an argument into the grid spec beside it; one that is there already in the same words is taken out.
func intoGridSpec(p *rule.Pass, c *infer.Call, gs *infer.GridSpec, name string) *rule.Fix {
	loc := c.ArgLoc(name)
	drop, ok := edit.DropArg(p.File, c, name)
	if !ok || gs.Call == nil {
		return nil
	}
	if a := gs.Call.Bound[name]; a != nil {
		if text(p, a.Loc) != text(p, loc) {
			return nil
		}
		return edit.Fix(true, "Take `"+name+"` out, the grid spec has it", rule.Safe, drop)
	}
	if !visibleFrom(p, loc, gs.Call.Loc) || gridSpecShared(p, c, gs) {
		return nil
	}
	add, ok := edit.SetArg(p.File, gs.Call, name, text(p, loc))
	return edit.Fix(ok, "Move `"+name+"` into the grid spec", rule.Safe, append(drop, add...))
}

// visibleFrom: what the expression at loc names is the same at another place of the file, which is in the same statement, or can see nothing else than
// imports of these names.
func visibleFrom(p *rule.Pass, loc, from parse.Loc) bool {
	x, ok := edit.ExprAt(p.File, loc)
	a, ok1 := edit.FindAt(p.File, loc, func(parse.Node) bool { return true })
	b, ok2 := edit.FindAt(p.File, from, func(parse.Node) bool { return true })
	if !ok || !ok1 || !ok2 {
		return false
	}
	here, _ := a.Stmt()
	there, _ := b.Stmt()
	if here == there {
		return true
	}
	imported := map[string]bool{}
	for _, i := range p.File.Imports() {
		imported[i.Name] = !i.Nested
	}
	bound := map[string]bool{}
	parse.Walk(x, func(n parse.Node) bool {
		if l, is := n.(*parse.Lambda); is {
			for name := range l.Locals {
				bound[name] = true
			}
		}
		return true
	})
	for name := range edit.Mentions(x) {
		if !imported[name] && !bound[name] {
			return false
		}
	}
	return true
}

func gridSpecShared(p *rule.Pass, c *infer.Call, gs *infer.GridSpec) bool {
	sites, all := edit.Sites(p)
	if !all {
		return true
	}
	for _, s := range sites {
		if g, ok := s.Call.Arg("grid_spec").(*infer.GridSpec); ok && g.Loc == gs.Loc && s.Loc != c.Loc {
			return true
		}
	}
	return false
}

// spaceOf writes the memory space that a string names.
func spaceOf(p *rule.Pass, loc parse.Loc, v infer.Value) *rule.Fix {
	name, ok := v.(infer.Str)
	module := map[string]string{"ANY": pallas, "HBM": pallasTPU, "VMEM": pallasTPU, "SMEM": pallasTPU}[strings.ToUpper(string(name))]
	names := edit.NamesAt(p.File, loc)
	if !ok || module == "" || names == nil || !isStr(p, loc) {
		return nil
	}
	space := names.Name(module, strings.ToUpper(string(name)))
	return edit.Fix(true, "Write `"+space+"`", rule.Safe, append(names.Edits, rule.Edit{Loc: loc, New: space}))
}

func isStr(p *rule.Pass, loc parse.Loc) bool {
	x, _ := edit.ExprAt(p.File, loc)
	_, is := x.(*parse.Str)
	return is
}

// specIn makes a spec of the memory space that stands in its place.
func specIn(p *rule.Pass, loc parse.Loc) *rule.Fix {
	x, ok := edit.ExprAt(p.File, loc)
	names := edit.NamesAt(p.File, loc)
	if _, isName := x.(*parse.Name); !ok || isName || names == nil {
		if _, isAttr := x.(*parse.Attr); !isAttr {
			return nil
		}
	}
	spec := names.Name(pallas, "BlockSpec") + "(memory_space="
	return edit.Fix(true, "Write `"+spec+text(p, loc)+")`", rule.Safe, append(names.Edits, edit.Around(loc, spec, ")")...))
}

// allElements makes elements of all dimensions of a block, and counts their indices in elements.
func allElements(p *rule.Pass, o *infer.Operand) *rule.Fix {
	c, _, dims := display(p, o.Spec.Block)
	fn := mapFunc(p, o)
	if fn == nil || len(dims) != len(o.Spec.Dims) || !alike(p, fn, func(_ *infer.Site, q *infer.Operand) bool { return q.Spec.Loc == o.Spec.Loc }) {
		return nil
	}
	indices, ok := returned(fn).(*parse.Tuple)
	names := edit.NamesAt(p.File, locOf(c, dims[0]))
	if !ok || len(indices.Elems) != len(dims) || names == nil {
		return nil
	}
	var edits []rule.Edit
	for i, d := range o.Spec.Dims {
		if d.Kind != "blocked" {
			continue
		}
		size := locOf(c, dims[i])
		edits = append(edits, edit.Around(size, names.Name(pallas, "Element")+"(", ")")...)
		if x := indices.Elems[i]; !isZero(x) {
			edits = append(edits, edit.Append(fn.Chunk, x, " * "+size.Text())...)
		}
	}
	return edit.Fix(true, "Make each dimension a `pl.Element`", rule.Unsafe, append(names.Edits, edits...))
}

// gridOfOne gives a call a grid of one step, and its index maps the index that they then get.
func gridOfOne(p *rule.Pass, s *infer.Site) *rule.Fix {
	var edits []rule.Edit
	done := map[parse.Loc]bool{}
	for _, o := range s.Blocks() {
		if o.Spec == nil || o.Spec.IndexMap == nil {
			continue
		}
		fn := mapFunc(p, o)
		if fn == nil || s.Prefetch != 0 || !alike(p, fn, func(other *infer.Site, _ *infer.Operand) bool { return other.Loc == s.Loc }) {
			return nil
		}
		if !done[fn.Loc()] {
			done[fn.Loc()] = true
			edits = append(edits, addParams(fn, 0, []string{edit.Free(edit.Mentions(node(fn)), "i")})...)
		}
	}
	add, ok := edit.SetArg(p.File, s.Call, "grid", "(1,)")
	if gs, is := s.Call.Arg("grid_spec").(*infer.GridSpec); is {
		add, ok = edit.SetArg(p.File, gs.Call, "grid", "(1,)")
	}
	return edit.Fix(ok, "Give the call a grid of one step", rule.Unsafe, append(edits, add...))
}

// arbitrary gives dimension_semantics as many entries as the grid has axes.
func arbitrary(p *rule.Pass, s *infer.Site, v infer.Value, loc parse.Loc, n int) *rule.Fix {
	c, shown, elems := display(p, v)
	if str, ok := v.(infer.Str); ok && isStr(p, loc) && knownSemantics[string(str)] {
		rest := slices.Repeat([]string{quoted(text(p, loc), "arbitrary")}, len(s.Grid)-1)
		return edit.Fix(len(s.Grid) > 1, "Make it a tuple of "+plural(len(s.Grid), "entry"), rule.Unsafe,
			[]rule.Edit{{Loc: loc, New: "(" + text(p, loc) + ", " + strings.Join(rest, ", ") + ")"}})
	}
	if len(elems) != n || n == 0 || semanticsShared(p, s, loc) {
		return nil
	}
	if n > len(s.Grid) && len(s.Grid) > 0 {
		var last []int
		for i := len(s.Grid); i < n; i++ {
			last = append(last, i)
		}
		if spot, ok := edit.Find(p.File, c, shown); ok {
			return edit.Fix(true, "Leave out the last of its entries", rule.Unsafe, edit.RemoveElems(spot, last...))
		}
		return nil
	}
	if n >= len(s.Grid) {
		return nil
	}
	entry := quoted(locOf(c, elems[0]).Text(), "arbitrary")
	edits, ok := edit.Extend(c, shown, slices.Repeat([]string{entry}, len(s.Grid)-n)...)
	return edit.Fix(ok, "Add "+entry+" for the rest of the axes", rule.Unsafe, edits)
}

// quoted writes a string as a literal like another one.
func quoted(like, s string) string {
	if strings.HasPrefix(like, "'") {
		return "'" + s + "'"
	}
	return `"` + s + `"`
}

// semanticsShared: the parameters at loc are those of a call with another number of axes too.
func semanticsShared(p *rule.Pass, s *infer.Site, loc parse.Loc) bool {
	sites, all := edit.Sites(p)
	if !all {
		return true
	}
	for _, other := range sites {
		if _, at := semantics(p, other); at == loc && len(other.Grid) != len(s.Grid) {
			return true
		}
	}
	return false
}

// arraysLast moves the scalars that are prefetched before the arrays of a call.
func arraysLast(p *rule.Pass, s *infer.Site) *rule.Fix {
	x, ok := edit.ExprAt(p.File, s.CallLoc)
	call, is := x.(*parse.Call)
	if !ok || !is || len(call.Args) != len(s.Operands) {
		return nil
	}
	var scalars, arrays []int
	for i, a := range call.Args {
		if a.Star > 0 || a.Name != "" {
			return nil
		}
		if v, known := s.Operands[i].Value.(*infer.Array); known && v.DType.IsInteger() && (i >= s.Prefetch || !isSwapped(s, i)) {
			scalars = append(scalars, i)
		} else {
			arrays = append(arrays, i)
		}
	}
	if len(scalars) != s.Prefetch {
		return nil
	}
	var edits []rule.Edit
	for i, from := range append(scalars, arrays...) {
		if i != from {
			edits = append(edits, rule.Edit{Loc: locOf(s.CallLoc.Chunk, call.Args[i].Value), New: locOf(s.CallLoc.Chunk, call.Args[from].Value).Text()})
		}
	}
	return edit.Fix(true, "Give the scalars first", rule.Unsafe, edits)
}

func isSwapped(s *infer.Site, i int) bool {
	return slices.ContainsFunc(swappedPrefetch(s), func(o *infer.Operand) bool { return o.Index == i })
}

// inTupleOf makes a tuple of one of what is written at loc.
func inTupleOf(p *rule.Pass, loc parse.Loc) *rule.Fix {
	_, ok := edit.ExprAt(p.File, loc)
	return edit.Fix(ok, "Make it a tuple", rule.Safe, edit.Around(loc, "(", ",)"))
}

// twoBuffers asks for as many buffers as a pallas_call has.
func twoBuffers(p *rule.Pass, mode *infer.Params) *rule.Fix {
	edits, ok := edit.SetArg(p.File, mode.Call, "buffer_count", "2")
	return edit.Fix(ok, "Use 2 buffers", rule.Unsafe, edits)
}

func dropLookahead(p *rule.Pass, mode *infer.Params) *rule.Fix {
	edits, ok := edit.DropArg(p.File, mode.Call, "use_lookahead")
	return edit.Fix(ok, "Take `use_lookahead` out", rule.Safe, edits)
}

// nearestSemantics respells the name of a dimension semantics.
func nearestSemantics(p *rule.Pass, loc parse.Loc, name string) *rule.Fix {
	var names []string
	for known := range knownSemantics {
		names = append(names, known)
	}
	slices.Sort(names)
	near := edit.Nearest(strings.ToLower(name), names)
	if !isStr(p, loc) {
		return nil
	}
	if near == "" {
		near = "arbitrary" // the default, which is right for every axis
	}
	near = quoted(text(p, loc), near)
	return edit.Fix(true, "Write "+near, rule.Unsafe, []rule.Edit{{Loc: loc, New: near}})
}
