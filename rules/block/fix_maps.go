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

// alike: every operand of the file whose index map is this function is as is says, so that an edit of the function is right for all of them.
func alike(p *rule.Pass, fn *infer.Func, is func(*infer.Site, *infer.Operand) bool) bool {
	sites, all := edit.Sites(p)
	if !all {
		return false
	}
	for _, s := range sites {
		for _, o := range s.Blocks() {
			switch {
			case o.Spec == nil || o.Spec.IndexMap == nil:
			case o.Map == nil && uses(o.Spec.IndexMap, fn):
				return false
			case o.Map != nil && same(o.Map.Func, fn) && !is(s, o):
				return false
			}
		}
	}
	return true
}

func uses(v infer.Value, fn *infer.Func) bool {
	f, ok := v.(*infer.Func)
	return !ok || same(f, fn)
}

func same(a, b *infer.Func) bool {
	return a != nil && b != nil && a.Chunk == b.Chunk && a.Loc() == b.Loc()
}

// mapFunc is the index map of an operand where it is a function of this file that nothing wraps.
func mapFunc(p *rule.Pass, o *infer.Operand) *infer.Func {
	if o.Spec == nil || o.Map == nil {
		return nil
	}
	fn, ok := o.Spec.IndexMap.(*infer.Func)
	if !ok || fn.Class != nil {
		return nil
	}
	if _, _, in := p.File.Range(fn.Loc()); !in {
		return nil
	}
	return fn
}

// returned is the one expression that an index map returns.
func returned(fn *infer.Func) parse.Expr {
	if fn.Lambda != nil {
		return fn.Lambda.Body
	}
	var out []parse.Expr
	for _, s := range fn.Def.Body {
		parse.Walk(s, func(n parse.Node) bool {
			if r, ok := n.(*parse.Return); ok {
				out = append(out, r.X)
			}
			return true
		})
	}
	if len(out) != 1 {
		return nil
	}
	return out[0]
}

// takeIndices gives an index map the parameters that it lacks, or takes out those that it does not use.
func takeIndices(p *rule.Pass, s *infer.Site, o *infer.Operand) *rule.Fix {
	fn := mapFunc(p, o)
	if fn == nil || s.Prefetch < 0 {
		return nil
	}
	n, exact := fn.Takes()
	want := len(o.Map.Args)
	if !exact || n == want || !alike(p, fn, func(other *infer.Site, q *infer.Operand) bool {
		return len(q.Map.Args) == want && len(other.Grid) == len(s.Grid)
	}) {
		return nil
	}
	if n > want {
		return dropIndices(s, fn, n-want)
	}
	indices, refs := split(fn, n, len(s.Grid))
	if indices > len(s.Grid) || refs > s.Prefetch {
		return nil
	}
	return addIndices(s, fn, indices, refs)
}

// split tells the indices among the first n parameters from the refs behind them, which the map subscripts.
func split(fn *infer.Func, n, grid int) (indices, refs int) {
	for i, q := range fn.Params[:n] {
		if subscripted(fn, q.Name) {
			return i, n - i
		}
	}
	return min(n, grid), n - min(n, grid)
}

func subscripted(fn *infer.Func, name string) bool {
	found := false
	look := func(n parse.Node) bool {
		if x, ok := n.(*parse.Index); ok {
			base, is := x.X.(*parse.Name)
			found = found || is && base.ID == name
		}
		return !found
	}
	walkBody(fn, look)
	return found
}

func walkBody(fn *infer.Func, look func(parse.Node) bool) {
	if fn.Lambda != nil {
		parse.Walk(fn.Lambda.Body, look)
		return
	}
	for _, s := range fn.Def.Body {
		parse.Walk(s, look)
	}
}

func addIndices(s *infer.Site, fn *infer.Func, indices, refs int) *rule.Fix {
	taken := edit.Mentions(node(fn))
	var more, last []string
	for i := indices; i < len(s.Grid); i++ {
		more = append(more, edit.Free(taken, indexName(i)))
	}
	for i := refs; i < s.Prefetch; i++ {
		name := "prefetched"
		if i < len(s.Inputs) && s.Inputs[i].Param != "" {
			name = s.Inputs[i].Param
		}
		last = append(last, edit.Free(taken, name))
	}
	var edits []rule.Edit
	if refs == 0 {
		edits = addParams(fn, indices, append(slices.Clone(more), last...))
	} else {
		edits = append(addParams(fn, indices, more), addParams(fn, indices+refs, last)...)
	}
	return &rule.Fix{Title: "Let the index map take `" + strings.Join(append(more, last...), "`, `") + "`", Safety: rule.Unsafe, Edits: edits}
}

// indexName is what authors call the index of an axis.
func indexName(axis int) string {
	if axis < 6 {
		return "ijklmn"[axis : axis+1]
	}
	return "n"
}

func node(fn *infer.Func) parse.Node {
	if fn.Lambda != nil {
		return fn.Lambda
	}
	return fn.Def
}

func addParams(fn *infer.Func, at int, names []string) []rule.Edit {
	if len(names) == 0 {
		return nil
	}
	if fn.Lambda != nil {
		return edit.AddLambdaParams(fn.Chunk, fn.Lambda, at, names...)
	}
	return edit.AddParams(fn.Chunk, fn.Def, at, names...)
}

// dropIndices takes out as many parameters as are too many, when it is clear which: those that the map does not use.
func dropIndices(s *infer.Site, fn *infer.Func, n int) *rule.Fix {
	var unused []int
	var names []string
	total, _ := fn.Takes()
	for i, q := range fn.Params[:total] {
		if i < total-s.Prefetch && !mentioned(fn, q.Name) {
			unused, names = append(unused, i), append(names, q.Name)
		}
	}
	if len(unused) < n || len(unused) > n && len(unused) < total-s.Prefetch {
		return nil
	}
	unused, names = unused[len(unused)-n:], names[len(names)-n:]
	edits := edit.RemoveParams
	title := "Take `" + strings.Join(names, "`, `") + "` out of the index map"
	if fn.Lambda != nil {
		return &rule.Fix{Title: title, Safety: rule.Unsafe, Edits: edit.RemoveLambdaParams(fn.Chunk, fn.Lambda, unused...)}
	}
	return &rule.Fix{Title: title, Safety: rule.Unsafe, Edits: edits(fn.Chunk, fn.Def, unused...)}
}

func mentioned(fn *infer.Func, name string) bool {
	found := false
	walkBody(fn, func(n parse.Node) bool {
		found = found || edit.Mentions(n)[name]
		return false
	})
	return found
}

// matchDims makes an index map return as many values as the block has dimensions: 0 for those that it forgets, less a 0 that is too many.
func matchDims(p *rule.Pass, o *infer.Operand, n, want int) *rule.Fix {
	fn := mapFunc(p, o)
	if fn == nil || !alike(p, fn, func(s *infer.Site, q *infer.Operand) bool {
		m, wants, ok := resultCount(s, q)
		return ok && m == n && wants == want
	}) {
		return nil
	}
	x := returned(fn)
	if x == nil || n == 0 {
		return nil
	}
	if n > want {
		return dropZero(fn, o, x, n-want)
	}
	if slices.ContainsFunc(o.Map.Values(), func(v infer.Value) bool { return notAnIndex(v, "blocked") != "" }) {
		return nil // what it returns already is no index either
	}
	zeros := slices.Repeat([]string{"0"}, want-n)
	edits, ok := pad(fn.Chunk, o, x, n, zeros)
	if !ok {
		return nil
	}
	return &rule.Fix{Title: "Return 0 for the other " + dimensions(want-n), Safety: rule.Unsafe, Edits: edits}
}

func dimensions(n int) string {
	if n == 1 {
		return "dimension"
	}
	return strconv.Itoa(n) + " dimensions"
}

// pad puts zeros where the block is the whole array, else behind the rest.
func pad(c *parse.Chunk, o *infer.Operand, x parse.Expr, n int, zeros []string) ([]rule.Edit, bool) {
	front := true
	for i := range zeros {
		front = front && wholeDim(o, i)
	}
	front = front && !wholeDim(o, n+len(zeros)-1)
	t, isTuple := x.(*parse.Tuple)
	switch {
	case !isTuple && n == 1 && front:
		return edit.Around(locOf(c, x), "("+strings.Join(zeros, ", ")+", ", ")"), true
	case !isTuple && n == 1:
		return edit.Around(locOf(c, x), "(", ", "+strings.Join(zeros, ", ")+")"), true
	case !isTuple:
		return nil, false
	case front:
		return edit.Prepend(c, t, zeros...)
	}
	return edit.Extend(c, t, zeros...)
}

// wholeDim: the block has all of the array along the dimension, so that only index 0 is in it.
func wholeDim(o *infer.Operand, dim int) bool {
	whole, known := o.BlockOf().Dim(dim).Equal(o.Array.Dim(dim))
	return known && whole
}

func locOf(c *parse.Chunk, n parse.Node) parse.Loc { return parse.Loc{Chunk: c, Span: n.Span()} }

// dropZero takes the one 0 out of a tuple that leaves an index of 0 for each dimension of which the block is the whole.
func dropZero(fn *infer.Func, o *infer.Operand, x parse.Expr, n int) *rule.Fix {
	t, ok := x.(*parse.Tuple)
	if !ok || n != 1 {
		return nil
	}
	which := -1
	for i, e := range t.Elems {
		if isZero(e) && fits(o, slices.Delete(slices.Clone(t.Elems), i, i+1)) {
			if which >= 0 && which != i-1 {
				return nil
			}
			which = i
		}
	}
	if which < 0 {
		return nil
	}
	return &rule.Fix{Title: "Return one 0 less", Safety: rule.Unsafe, Edits: edit.RemoveTupleElems(fn.Chunk, t, which)}
}

func isZero(e parse.Expr) bool {
	n, ok := e.(*parse.Int)
	return ok && n.Value == 0 && !n.Big
}

func fits(o *infer.Operand, xs []parse.Expr) bool {
	for i, x := range xs {
		if wholeDim(o, i) && !isZero(x) {
			return false
		}
	}
	return true
}

// useIndices writes the parameters of an index map for the calls of pl.program_id in it.
func useIndices(p *rule.Pass, s *infer.Site, o *infer.Operand) *rule.Fix {
	fn := mapFunc(p, o)
	if fn == nil {
		return nil
	}
	var edits []rule.Edit
	name := ""
	for _, c := range o.Map.Kernel.Calls {
		axis, known := axisOf(c)
		if c.API != programID {
			continue
		}
		if !known || axis < 0 || axis >= int64(min(len(s.Grid), len(fn.Params))) || c.Loc.Chunk != fn.Chunk || !within(node(fn), c.Loc) {
			return nil
		}
		name = fn.Params[axis].Name
		edits = append(edits, rule.Edit{Loc: c.Loc, New: name})
	}
	return &rule.Fix{Title: "Use `" + name + "`", Safety: rule.Safe, Edits: edits}
}

func within(n parse.Node, loc parse.Loc) bool {
	return n.Span().Start <= loc.Start && loc.End <= n.Span().End
}

// wholeIndex makes the i-th component of an index map an integer: // for /, and an element of a ref for the ref.
func wholeIndex(p *rule.Pass, s *infer.Site, o *infer.Operand, i int) *rule.Fix {
	fn := mapFunc(p, o)
	if fn == nil {
		return nil
	}
	x := returned(fn)
	if t, ok := x.(*parse.Tuple); ok && i < len(t.Elems) {
		x = t.Elems[i]
	} else if ok {
		return nil
	}
	if _, ref := o.Map.Values()[i].(*infer.Ref); ref && x != nil {
		if _, named := x.(*parse.Name); !named || len(s.Grid) != 1 || len(fn.Params) == 0 {
			return nil
		}
		index := "[" + fn.Params[0].Name + "]"
		return &rule.Fix{Title: "Read `" + locOf(fn.Chunk, x).Text() + index + "`", Safety: rule.Unsafe, Edits: edit.Append(fn.Chunk, x, index)}
	}
	return edit.FloorDivide(fn.Chunk, x, rule.Unsafe)
}
