package rewrite

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// loop is a loop over integers, step by step, as it is written.
type loop struct {
	cond   infer.Cond
	run    *edit.Spot     // of the statement that runs it: a for statement, a decorated function, or the one that calls fori_loop
	fn     *parse.FuncDef // the function that is its body; nil: of a for statement
	head   *edit.Spot     // of the first statement that belongs to it: where fori_loop's body is defined
	body   []parse.Stmt
	index  string
	lo, hi parse.Expr // lo nil: from 0
	traced bool       // the index is known only when the kernel runs
	carry  bool       // something goes from step to step
	around []parse.Node
}

// loopOf is the innermost loop around an event, where the event happens once in each of its steps.
func loopOf(p *rule.Pass, e *infer.Event) *loop {
	var cond infer.Cond
	for i := len(e.Path) - 1; i >= 0 && cond.Kind == ""; i-- {
		if e.Path[i].Kind != "static" {
			cond = e.Path[i]
		}
	}
	if cond.Kind != "for" {
		return nil
	}
	spot, ok := edit.FindAt(p.File, cond.Loc, func(n parse.Node) bool { _, is := n.(*parse.Call); return is })
	if !ok || spot.Up(1) == nil {
		return nil
	}
	l := &loop{cond: cond}
	switch n := spot.Up(1).Node().(type) {
	case *parse.For:
		return l.statement(spot, n)
	case *parse.FuncDef:
		return l.decorated(spot, n, callAt(e.Kernel, cond.Loc))
	}
	return l.fori(spot, callAt(e.Kernel, cond.Loc))
}

// callAt is the call of JAX's API at a place of a kernel.
func callAt(k *infer.Kernel, loc parse.Loc) *infer.Call {
	for ; k != nil; k = k.Outer {
		for _, c := range k.Calls {
			if c.Loc == loc && c.Node != nil {
				return c
			}
		}
	}
	return nil
}

// statement reads `for i in range(...)`.
func (l *loop) statement(call *edit.Spot, f *parse.For) *loop {
	c, ok := f.Iter.(*parse.Call)
	if !ok || call.Node() != parse.Node(c) || len(f.Else) > 0 || f.Async || leaves(f.Body) {
		return nil
	}
	fn, isName := c.Func.(*parse.Name)
	target, one := f.Target.(*parse.Name)
	if !isName || !one || fn.ID != "range" || call.File.ModuleScope().Locals["range"] || len(c.Args) == 0 || len(c.Args) > 2 {
		return nil
	}
	for _, a := range c.Args {
		if a.Name != "" || a.Star != 0 {
			return nil
		}
	}
	l.run, l.body, l.index, l.hi = call.Up(1), f.Body, target.ID, c.Args[len(c.Args)-1].Value
	if len(c.Args) == 2 {
		l.lo = c.Args[0].Value
	}
	if bound(f.Body)[l.index] {
		return nil
	}
	l.head = l.run
	return l.placed()
}

// leaves: the body ends a step early, or the loop.
func leaves(body []parse.Stmt) bool {
	found := false
	for _, s := range body {
		parse.Walk(s, func(n parse.Node) bool {
			switch n := n.(type) {
			case *parse.Return:
				found = true
			case *parse.Simple:
				found = found || n.Kind != parse.Pass
			case *parse.FuncDef, *parse.Lambda:
				return false
			}
			return true
		})
	}
	return found
}

// decorated reads `@pl.loop(...)`.
func (l *loop) decorated(call *edit.Spot, fn *parse.FuncDef, c *infer.Call) *loop {
	if c == nil || c.API != pallas+".loop" || len(fn.Decorators) != 1 || c.Open || c.Arg("step") != nil {
		return nil
	}
	l.run, l.fn, l.traced, l.carry = call.Up(1), fn, true, c.Arg("init_carry") != nil
	l.head = l.run
	return l.function(c)
}

// fori reads jax.lax.fori_loop with a function that stands before it.
func (l *loop) fori(call *edit.Spot, c *infer.Call) *loop {
	if c == nil || c.API != "jax.lax.fori_loop" || c.Open || !call.Once() {
		return nil
	}
	stmt, i := call.Stmt()
	body := c.Bound["body_fun"]
	if body == nil || i == 0 {
		return nil
	}
	name, ok := body.Node.(*parse.Name)
	if !ok {
		return nil
	}
	l.run, l.traced = call.Up(len(call.Path)-1-i), true
	if init := c.Arg("init_val"); init != nil {
		_, none := init.(infer.None)
		l.carry = !none
	}
	for _, s := range block(call.Path[i-1], stmt) {
		if fn, is := s.(*parse.FuncDef); is && fn.Name == name.ID && len(fn.Decorators) == 0 && fn.Span().End <= stmt.Span().Start {
			l.fn = fn
		}
	}
	around := call.Funcs()
	if l.fn == nil || len(around) == 0 || len(names(around[0], name.ID)) != 1 {
		return nil
	}
	l.head, ok = edit.Find(call.File, call.Chunk, l.fn)
	if !ok {
		return nil
	}
	return l.function(c)
}

func (l *loop) function(c *infer.Call) *loop {
	lo, hi := c.Bound["lower"], c.Bound["upper"]
	if len(l.fn.Params) == 0 || l.fn.Params[0].Kind > parse.Positional || l.fn.Async || lo == nil || hi == nil || lo.Node == nil || hi.Node == nil {
		return nil
	}
	l.index, l.body, l.lo, l.hi = l.fn.Params[0].Name, l.fn.Body, lo.Node, hi.Node
	if bound(l.body)[l.index] || early(l.body) {
		return nil
	}
	return l.placed()
}

// early: a return that is not the last statement.
func early(body []parse.Stmt) bool {
	if n := len(body); n > 0 {
		if _, is := body[n-1].(*parse.Return); is {
			body = body[:n-1]
		}
	}
	return leaves(body)
}

func (l *loop) placed() *loop {
	l.around = l.run.Funcs()
	if len(l.around) == 0 {
		return nil
	}
	return l
}

// outer is the outermost function around the loop.
func (l *loop) outer() parse.Node { return l.around[len(l.around)-1] }

// steps is how often the loop runs; false: not known.
func (l *loop) steps() (int64, bool) {
	lo, ok := int64(0), true
	if l.lo != nil {
		lo, ok = literal(l.lo)
	}
	if hi, known := literal(l.hi); ok && known {
		return hi - lo, true
	}
	return l.cond.Count.Known()
}

func literal(x parse.Expr) (int64, bool) {
	n, ok := x.(*parse.Int)
	if !ok || n.Big {
		return 0, false
	}
	return n.Value, true
}

// block are the statements that stand beside one below a node.
func block(parent parse.Node, s parse.Stmt) []parse.Stmt {
	var all [][]parse.Stmt
	switch n := parent.(type) {
	case *parse.FuncDef:
		all = [][]parse.Stmt{n.Body}
	case *parse.If:
		all = [][]parse.Stmt{n.Then, n.Else}
	case *parse.For:
		all = [][]parse.Stmt{n.Body}
	case *parse.With:
		all = [][]parse.Stmt{n.Body}
	}
	for _, b := range all {
		if slices.Contains(b, s) {
			return b
		}
	}
	return nil
}

// names are the places where a name is read or bound below a node.
func names(n parse.Node, id string) (out []*parse.Name) {
	parse.Walk(n, func(n parse.Node) bool {
		if x, ok := n.(*parse.Name); ok && x.ID == id {
			out = append(out, x)
		}
		return true
	})
	return out
}

// bound are the names that statements bind, those of functions inside left out.
func bound(body []parse.Stmt) map[string]bool {
	out := map[string]bool{}
	for _, s := range body {
		for _, name := range edit.Binds(s) {
			out[name] = true
		}
	}
	return out
}
