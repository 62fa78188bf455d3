package kernel

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

func locOf(c *parse.Chunk, n parse.Node) parse.Loc { return parse.Loc{Chunk: c, Span: n.Span()} }

// inFile: the function is written in the file at hand.
func inFile(p *rule.Pass, fn *infer.Func) bool {
	if fn == nil {
		return false
	}
	_, _, ok := p.File.Range(fn.Loc())
	return ok
}

func nodeOf(fn *infer.Func) parse.Node {
	if fn.Lambda != nil {
		return fn.Lambda
	}
	return fn.Def
}

// addParams gives a function more parameters, so that the first becomes the i-th.
func addParams(fn *infer.Func, i int, names []string) []rule.Edit {
	if fn.Lambda != nil {
		return edit.AddLambdaParams(fn.Chunk, fn.Lambda, i, names...)
	}
	return edit.AddParams(fn.Chunk, fn.Def, i, names...)
}

func removeParams(fn *infer.Func, which []int) []rule.Edit {
	if fn.Lambda != nil {
		return edit.RemoveLambdaParams(fn.Chunk, fn.Lambda, which...)
	}
	return edit.RemoveParams(fn.Chunk, fn.Def, which...)
}

// mentions: the body of the function has the name.
func mentions(fn *infer.Func, name string) bool {
	if fn.Lambda != nil {
		return edit.Mentions(fn.Lambda.Body)[name]
	}
	for _, s := range fn.Def.Body {
		if edit.Mentions(s)[name] {
			return true
		}
	}
	return false
}

// refParams gives a kernel the parameters that it lacks for what it is called with, or takes out those that it does not use.
func refParams(p *rule.Pass, s *infer.Site, f *infer.Fault) *rule.Fix {
	fn := s.Func()
	if !inFile(p, fn) || fn.Class != nil || !onlySite(p, s, fn) {
		return nil
	}
	if f.Kind == "unknown-argument" && s.API == "run_scoped" {
		n, exact := fn.Takes()
		return edit.Fix(exact && !edit.Mentions(nodeOf(fn))[f.Detail] || !bound(fn, f.Detail), "Take `"+f.Detail+"` too", rule.Unsafe, addParams(fn, n, []string{f.Detail}))
	}
	n, exact := fn.Takes()
	if !exact || len(s.Kernels) == 0 && s.API != "run_scoped" {
		return nil
	}
	given := len(s.Scratches)
	if s.API != "run_scoped" {
		if s.Kernels[0].Body == nil || hasNamed(s.Kernels[0].Body.Args) {
			return nil
		}
		given = len(s.Kernels[0].Body.Args)
	}
	switch {
	case f.Kind == "too-many-arguments" && given > n:
		return moreParams(s, fn, n, given)
	case f.Kind == "missing-argument" && given < n:
		return unusedParams(fn, n, given)
	}
	return nil
}

func hasNamed(args infer.Args) bool {
	for _, a := range args {
		if a.Name != "" || a.Star != 0 {
			return true
		}
	}
	return false
}

// bound: the function has a parameter or variable of the name.
func bound(fn *infer.Func, name string) bool {
	if fn.Lambda != nil {
		return fn.Lambda.Locals[name]
	}
	return fn.Def.Scope != nil && fn.Def.Scope.Locals[name]
}

// onlySite: no other call of the file has the function as its kernel.
func onlySite(p *rule.Pass, s *infer.Site, fn *infer.Func) bool {
	sites, few := edit.Sites(p)
	if !few {
		return false
	}
	for _, other := range sites {
		if g := other.Func(); g != nil && g.Loc() == fn.Loc() && other.Loc != s.Loc {
			return false
		}
	}
	callers, known := p.World.Callers(fn)
	for _, at := range callers {
		if at != s.Loc {
			return false
		}
	}
	return known
}

// moreParams adds parameters for what the kernel has no parameter for: the prefetched scalars in front, inputs before the outputs, scratch at the end.
func moreParams(s *infer.Site, fn *infer.Func, n, given int) *rule.Fix {
	taken := edit.Mentions(nodeOf(fn))
	behind := len(s.Outputs) + len(s.Scratches)
	var names []string
	at := n
	switch missing := given - n; {
	case missing == len(s.Scratches):
		for _, o := range s.Scratches {
			names = append(names, edit.Free(taken, scratchRef(o)))
		}
	case missing == s.Prefetch:
		at = 0
		for range missing {
			names = append(names, edit.Free(taken, "scalar_ref"))
		}
	case n >= behind && missing <= len(s.Inputs) && missing > len(s.Scratches): // else a scratch buffer may be what is missing
		at = n - behind
		for range missing {
			names = append(names, free(taken, "x_ref", "y_ref", "z_ref", "in_ref"))
		}
	default:
		return nil
	}
	return edit.Fix(true, "Take `"+strings.Join(names, "`, `")+"` too", rule.Unsafe, addParams(fn, at, names))
}

// free is the first of some names that is not taken, else the last with a number.
func free(taken map[string]bool, names ...string) string {
	for _, name := range names {
		if !taken[name] {
			taken[name] = true
			return name
		}
	}
	return edit.Free(taken, names[len(names)-1])
}

func scratchRef(o *infer.Operand) string {
	if o.Mem != nil && o.Mem.Sem {
		return "sem"
	}
	return "scratch_ref"
}

// unusedParams takes parameters out of a function that it does not use, where there are just as many as are too many.
func unusedParams(fn *infer.Func, n, given int) *rule.Fix {
	var which []int
	var names []string
	for i, q := range fn.Params[:n] {
		if !mentions(fn, q.Name) {
			which, names = append(which, i), append(names, q.Name)
		}
	}
	if len(which) != n-given {
		return nil
	}
	return edit.Fix(true, "Take `"+strings.Join(names, "`, `")+"` out, which is not used", rule.Unsafe, removeParams(fn, which))
}

// bodyParams gives the body of a loop the parameters that it is called with, or takes out those that it does not use.
func bodyParams(p *rule.Pass, c *infer.Call, fn *infer.Func, given int) *rule.Fix {
	n, exact := fn.Takes()
	if !exact || !inFile(p, fn) || fn.Class != nil {
		return nil
	}
	if callers, known := p.World.Callers(fn); !known || len(callers) > 1 {
		return nil
	}
	if n > given {
		return unusedParams(fn, n, given)
	}
	if given-n != 1 || given != 2 || n != 1 || fn.Def == nil || !isNoneOrAbsent(arg(c, "init_val", 3)) {
		return nil
	}
	name := edit.Free(edit.Mentions(nodeOf(fn)), "carry")
	return edit.Fix(true, "Take `"+name+"` too", rule.Unsafe, addParams(fn, n, []string{name}))
}

func isNoneOrAbsent(v infer.Value) bool { return v == nil || isNone(v) }

// lastReturn is the return statement at the end of a function's body whose value is written at loc, and the place of the statement.
func lastReturn(p *rule.Pass, fn *infer.Func, loc parse.Loc) (*parse.Return, *edit.Spot) {
	if !inFile(p, fn) || fn.Def == nil || len(fn.Def.Body) == 0 || loc.Chunk != fn.Chunk {
		return nil, nil
	}
	r, ok := fn.Def.Body[len(fn.Def.Body)-1].(*parse.Return)
	if !ok || r.X == nil || loc.Span != r.Span() && loc.Span != r.X.Span() {
		return nil, nil
	}
	spot, found := edit.Find(p.File, fn.Chunk, r)
	if !found {
		return nil, nil
	}
	return r, spot
}

// storeResult stores what a kernel returns into its outputs; what it has stored already it need not return.
func storeResult(p *rule.Pass, k *infer.Kernel, loc parse.Loc) *rule.Fix {
	r, spot := lastReturn(p, k.Fn, loc)
	if r == nil {
		return nil
	}
	var outs []string
	for _, o := range k.Site.Outputs {
		if o.Param == "" || o.ParamLoc.Chunk != k.Fn.Chunk {
			return nil
		}
		outs = append(outs, o.Param+"[...]")
	}
	for _, e := range k.Events {
		if (e.Op == infer.OpStore || e.Op == infer.OpDMAStart) && writesOutput(e) {
			return dropReturn(k.Fn, r, spot)
		}
	}
	t, _ := r.X.(*parse.Tuple)
	if len(outs) == 0 || k.Core.IsSparseCore() || len(outs) > 1 && (t == nil || len(t.Elems) != len(outs)) || len(outs) == 1 && t != nil {
		return nil
	}
	if _, isArray := k.Body.Result.(*infer.Array); !isArray && t == nil {
		return nil
	}
	head := parse.Loc{Chunk: k.Fn.Chunk, Span: parse.Span{Start: r.Span().Start, End: r.X.Span().Start}}
	if strings.ContainsAny(strings.TrimPrefix(head.Text(), "return"), "(#\\") {
		return nil
	}
	target := strings.Join(outs, ", ")
	return edit.Fix(true, "Store it into `"+strings.Join(outs, "`, `")+"`", rule.Unsafe, []rule.Edit{{Loc: head, New: target + " = "}})
}

func writesOutput(e *infer.Event) bool {
	for i, r := range e.Refs {
		if r != nil && r.Role == infer.Output && (e.Op == infer.OpStore || i == 1) {
			return true
		}
	}
	return false
}

// dropReturn takes out the statement that returns what is not wanted; calls in it stay.
func dropReturn(fn *infer.Func, r *parse.Return, spot *edit.Spot) *rule.Fix {
	calls := false
	parse.Walk(r.X, func(n parse.Node) bool {
		_, is := n.(*parse.Call)
		calls = calls || is
		return true
	})
	if calls || len(fn.Def.Body) == 1 {
		head := parse.Loc{Chunk: fn.Chunk, Span: parse.Span{Start: r.Span().Start, End: r.X.Span().Start}}
		return edit.Fix(strings.TrimSpace(head.Text()) == "return", "Leave out the `return`", rule.Unsafe, []rule.Edit{{Loc: head}})
	}
	return edit.Fix(true, "Leave out the `return`", rule.Unsafe, []rule.Edit{spot.Delete()})
}

// leaveResult takes the return out of a function whose result nobody takes.
func leaveResult(p *rule.Pass, b *infer.Body) *rule.Fix {
	if len(b.Returns) != 1 {
		return nil
	}
	r, spot := lastReturn(p, b.Func, b.Returns[0])
	if r == nil {
		return nil
	}
	return dropReturn(b.Func, r, spot)
}

// readReturned reads the ref that a function returns, so that its value leaves the function.
func readReturned(p *rule.Pass, b *infer.Body) *rule.Fix {
	if len(b.Returns) != 1 || b.Func.Def == nil {
		return nil
	}
	r, _ := lastReturn(p, b.Func, b.Returns[0])
	if r == nil {
		return nil
	}
	name, ok := r.X.(*parse.Name)
	if !ok {
		return nil
	}
	return edit.Fix(true, "Return `"+name.ID+"[...]`", rule.Unsafe, edit.Append(b.Func.Chunk, r.X, "[...]"))
}
