package rewrite

import (
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// copying is a copy that a loop makes in each of its steps: it is started, and waited for before anything else is done.
type copying struct {
	start, wait   *infer.Event
	loop          *loop
	stmts         []parse.Stmt // of the loop's body, that are about it alone; the last one waits
	call          *parse.Call  // with the operands
	src, dst, sem parse.Expr   // sem nil: of sync_copy
}

// copies are those that a kernel makes in loops.
func copies(p *rule.Pass, k *infer.Kernel) (out []*copying) {
	if k.Outer != nil || k.Map != nil || k.Blind || k.Hidden || k.Fn == nil {
		return nil
	}
	seen := map[*parse.Call]bool{}
	for i, e := range k.Flow() {
		if e.Op != infer.OpDMAStart || e.Implicit || e.Desc == nil || e.Desc.Call.Node == nil || seen[e.Desc.Call.Node] {
			continue
		}
		seen[e.Desc.Call.Node] = true
		if w := waitAtOnce(k.Flow()[i+1:], e); w != nil {
			c := &copying{start: e, wait: w, call: e.Desc.Call.Node}
			if c.loop = loopOf(p, e); c.loop != nil && c.read() {
				out = append(out, c)
			}
		}
	}
	return out
}

// waitAtOnce is the wait for a copy, when nothing is done before it but that other copies are started or waited for.
func waitAtOnce(after []*infer.Event, s *infer.Event) *infer.Event {
	for _, e := range after {
		switch {
		case e.Op == infer.OpDMAWait && e.Desc == s.Desc, e.Op == infer.OpDMAWait && takes(e, s):
			if e.Which == "wait" && infer.Within(e.Path, s.Path) && infer.Within(s.Path, e.Path) {
				return e
			}
			return nil
		case e.Op == infer.OpDMAStart || e.Op == infer.OpDMAWait:
			if e.Refs[0] != nil && e.Refs[1] != nil && !e.Refs[0].On(s.Refs[1].Alloc.Sole()) && !e.Refs[1].On(s.Refs[1].Alloc.Sole()) {
				continue
			}
			return nil
		case e.Op == infer.OpLoad && e.Refs[0] != nil && e.Refs[0].Spaces.Only(jax.SMEM):
		default:
			return nil
		}
	}
	return nil
}

// takes: the wait is one by another descriptor of the same bytes on the same semaphore.
func takes(w, s *infer.Event) bool {
	return w.Refs[2] != nil && s.Refs[2] != nil && infer.RegionOf(w.Refs[2], nil).Same(infer.RegionOf(s.Refs[2], nil)) &&
		infer.RegionOf(w.Refs[1], nil).Same(infer.RegionOf(s.Refs[1], nil))
}

// read finds the statements of the copy and its operands.
func (c *copying) read() bool {
	d := c.start.Desc
	if c.start.Refs[0] == nil || c.start.Refs[1] == nil || d.Remote || d.Call.Open || d.Add != nil || d.Priority != nil || d.Loc.Chunk != c.loop.run.Chunk {
		return false
	}
	if c.wait.Call == nil || c.wait.Call.Node == nil || c.wait.Desc.Call.Node == nil || c.start.Call == nil || c.start.Call.Node == nil {
		return false
	}
	for name, b := range d.Call.Bound {
		switch name {
		case "src_ref":
			c.src = b.Node
		case "dst_ref":
			c.dst = b.Node
		case "sem":
			c.sem = b.Node
		default:
			return false
		}
	}
	if c.src == nil || c.dst == nil || len(d.Call.Bound) != len(c.call.Args) || (c.sem == nil) != d.Sync {
		return false
	}
	return c.statements()
}

// statements gathers what the copy is written in; false when one of the statements does more.
func (c *copying) statements() bool {
	makes := []parse.Node{c.call, c.wait.Desc.Call.Node}
	acts := append(makes, c.start.Call.Node, c.wait.Call.Node)
	for _, n := range acts {
		i := slices.IndexFunc(c.loop.body, func(s parse.Stmt) bool { return s.Span().Start <= n.Span().Start && n.Span().End <= s.Span().End })
		if i < 0 {
			return false
		}
		if s := c.loop.body[i]; !slices.Contains(c.stmts, s) {
			c.stmts = append(c.stmts, s)
		}
	}
	slices.SortFunc(c.stmts, func(a, b parse.Stmt) int { return int(a.Span().Start - b.Span().Start) })
	for _, s := range c.stmts {
		if !c.ownLines(s) || !c.about(s, makes, acts) {
			return false
		}
	}
	last := c.stmts[len(c.stmts)-1].Span()
	return last.Start <= c.wait.Call.Node.Span().Start && c.wait.Call.Node.Span().End <= last.End
}

// about: the statement makes the copy, starts it or waits for it, and does nothing else.
func (c *copying) about(s parse.Stmt, makes, acts []parse.Node) bool {
	switch s := s.(type) {
	case *parse.Assign:
		name, ok := s.Targets[0].(*parse.Name)
		if !ok || len(s.Targets) != 1 || !slices.Contains(makes, parse.Node(s.Value)) {
			return false
		}
		for _, n := range names(c.loop.outer(), name.ID) {
			if !c.holds(n) {
				return false
			}
		}
		return true
	case *parse.ExprStmt:
		if slices.Contains(makes, parse.Node(s.X)) {
			return true
		}
		call, ok := s.X.(*parse.Call)
		if !ok || !slices.Contains(acts, parse.Node(call)) || len(call.Args) > 0 {
			return false
		}
		method, ok := call.Func.(*parse.Attr)
		if !ok {
			return false
		}
		_, named := method.X.(*parse.Name)
		return named || slices.Contains(makes, parse.Node(method.X))
	}
	return false
}

// holds: a node is part of the copy's statements.
func (c *copying) holds(n parse.Node) bool {
	return slices.ContainsFunc(c.stmts, func(s parse.Stmt) bool { return s.Span().Start <= n.Span().Start && n.Span().End <= s.Span().End })
}

// ownLines: nothing else stands on the lines of a statement.
func (c *copying) ownLines(s parse.Stmt) bool { return aloneOnLines(c.loop.run.Chunk, s) }

func aloneOnLines(chunk *parse.Chunk, s parse.Stmt) bool {
	text := chunk.Text
	start := strings.LastIndexByte(text[:s.Span().Start], '\n') + 1
	rest, _, _ := strings.Cut(text[s.Span().End:], "\n")
	rest = strings.TrimSpace(rest)
	return strings.TrimSpace(text[start:s.Span().Start]) == "" && (rest == "" || rest[0] == '#')
}

// lines is what to delete so that a statement that stands alone on its lines is gone.
func lines(chunk *parse.Chunk, s parse.Stmt) rule.Edit {
	text := chunk.Text
	span := s.Span()
	span.Start = int32(strings.LastIndexByte(text[:span.Start], '\n') + 1)
	if i := strings.IndexByte(text[span.End:], '\n'); i >= 0 {
		span.End += int32(i) + 1
	} else {
		span.End = int32(len(text))
	}
	return rule.Edit{Loc: parse.Loc{Chunk: chunk, Span: span}}
}

// parameter is the function around the loop that has a piece of memory as a parameter that is never bound again; nil: none.
func (l *loop) parameter(a *infer.Alloc) *parse.FuncDef {
	for _, f := range l.around {
		def, ok := f.(*parse.FuncDef)
		if !ok {
			continue
		}
		for _, prm := range def.Params {
			if prm.Name == a.Name && prm.NameSpan == a.Param.Span && a.Param.Chunk == l.run.Chunk && prm.Kind <= parse.KeywordOnly && !rebound(def, prm.Name) {
				return def
			}
		}
	}
	return nil
}

// rebound: the name means something else in a part of the function.
func rebound(def *parse.FuncDef, id string) bool {
	again := bound(def.Body)[id]
	for _, s := range def.Body {
		parse.Walk(s, func(n parse.Node) bool {
			switch n := n.(type) {
			case *parse.FuncDef:
				again = again || n.Scope == nil || n.Scope.Locals[id]
			case *parse.Lambda:
				again = again || n.Locals[id]
			case *parse.Comp:
				for _, cl := range n.Clauses {
					again = again || cl.Target != nil && edit.Mentions(cl.Target)[id]
				}
			}
			return true
		})
	}
	return again
}

// private: the memory is the kernel's own, asked for by one request of one site that runs one function.
func private(p *rule.Pass, a *infer.Alloc) bool {
	if a == nil || a.Mem == nil || a.Guess || a.Many || a.Skipped || a.Dropped || a.High {
		return false
	}
	own := siteOf(p, a)
	if own == nil || !own.Complete || !soleRun(p, own, a) {
		return false
	}
	at := asked(own, a.Operand)
	for _, e := range p.Facts.Entries {
		for _, w := range e.Worlds {
			for _, s := range w.Sites {
				for _, o := range s.Scratches {
					if asked(s, o) == at && (s.Loc != own.Loc || o.Index != a.Operand.Index) {
						return false
					}
				}
			}
		}
	}
	return at.Valid()
}

// siteOf is the site that asks for a piece of memory; nil: not known.
func siteOf(p *rule.Pass, a *infer.Alloc) *infer.Site {
	for _, s := range p.World.Sites {
		if a.Operand != nil && slices.Contains(s.Scratches, a.Operand) {
			return s
		}
	}
	return nil
}

// soleRun: the function that gets the memory as a parameter is called by that site alone.
func soleRun(p *rule.Pass, s *infer.Site, a *infer.Alloc) bool {
	if s.API != "run_scoped" || s.Outer == nil {
		return a.Kernel != nil && a.Kernel.Fn != nil && a.Kernel.Fn.Def != nil && stage.OnlySite(p.Facts, a.Kernel)
	}
	fn, ok := s.Kernel.(*infer.Func)
	if !ok {
		return false
	}
	for _, e := range p.Facts.Entries {
		for _, w := range e.Worlds {
			at, known := w.Callers(fn)
			if !known || slices.ContainsFunc(at, func(l parse.Loc) bool { return l != s.Loc }) {
				return false
			}
		}
	}
	return true
}

// asked is where a piece of scratch of a site is asked for: the call, or the bare type of a semaphore; not valid where that is not known.
func asked(s *infer.Site, o *infer.Operand) parse.Loc {
	if o == nil || o.Mem == nil || o.Mem.Call != nil {
		return o.SpecLoc
	}
	if s.API == "run_scoped" {
		return askedScoped(s, o)
	}
	switch v := scratchOf(s).(type) {
	case *infer.List:
		if t, ok := v.Content().(*infer.Tuple); ok && !v.Changed && flat(t) {
			return t.ElemLoc(o.Index)
		}
	case *infer.Tuple:
		if flat(v) {
			return v.ElemLoc(o.Index)
		}
	case *infer.Dict:
		n, ok := v.Node.(*parse.Dict)
		keys, vals, open := v.Items()
		if ok && !open && len(n.Items) == len(keys) && flat(&infer.Tuple{Head: vals}) {
			return parse.Loc{Chunk: v.Loc.Chunk, Span: n.Items[o.Index].Value.Span()}
		}
	}
	return parse.Loc{}
}

// askedScoped: run_scoped takes what it allocates as arguments behind the function.
func askedScoped(s *infer.Site, o *infer.Operand) parse.Loc {
	if len(s.Call.Args) <= o.Index+1 || s.Call.Open {
		return parse.Loc{}
	}
	for _, a := range s.Call.Args[1:] {
		if !leaf(a.Value) || a.Star != 0 {
			return parse.Loc{}
		}
	}
	return s.Call.Args[o.Index+1].Loc
}

func scratchOf(s *infer.Site) infer.Value {
	if g, ok := s.Call.Arg("grid_spec").(*infer.GridSpec); ok {
		return g.Field("scratch_shapes")
	}
	return s.Scratch
}

// flat: each element is one piece of memory.
func flat(t *infer.Tuple) bool {
	return t.Rest == nil && !slices.ContainsFunc(slices.Concat(t.Head, t.Tail), func(v infer.Value) bool { return !leaf(v) })
}

func leaf(v infer.Value) bool {
	switch v.(type) {
	case *infer.MemSpec, *infer.API:
		return true
	}
	return false
}

// constant: the memory is an input of the kernel that nothing writes while it runs.
func constant(k *infer.Kernel, a *infer.Alloc) bool {
	if a == nil || a.Guess || a.Many || a.Role != infer.Input && a.Role != infer.Prefetch {
		return false
	}
	if v := a.Kernel.Site.Aliases; v != nil {
		switch v := v.(type) {
		case infer.None:
		case *infer.Dict:
			if keys, _, open := v.Items(); open || len(keys) > 0 {
				return false
			}
		default:
			return false
		}
	}
	return !slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool { return writesTo(e, a) || e.Desc != nil && e.Desc.Remote })
}

// writesTo: the event writes to the memory, or may.
func writesTo(e *infer.Event, a *infer.Alloc) bool {
	switch e.Op {
	case infer.OpStore, infer.OpScatter:
		return e.Refs[0] == nil || e.Refs[0].On(a)
	case infer.OpDMAStart:
		return e.Refs[1] == nil || e.Refs[1].On(a)
	}
	return false
}

// pure: an expression that gives the same whenever it is evaluated, and does nothing: arithmetic, and loads of what is never written.
func pure(k *infer.Kernel, chunk *parse.Chunk, x parse.Expr) bool {
	ok := true
	parse.Walk(x, func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.Name, *parse.Const, *parse.Int, *parse.Attr, *parse.Index, *parse.Slice, *parse.Tuple, *parse.Binary, *parse.Unary, *parse.Arg:
		case *parse.Call:
			ok = ok && quiet(callAt(k, parse.Loc{Chunk: chunk, Span: n.Span()}))
		default:
			ok = false
		}
		return ok
	})
	for _, e := range k.Flow() {
		if e.Node == nil || e.Loc.Chunk != chunk || e.Node.Span().Start < x.Span().Start || x.Span().End < e.Node.Span().End {
			continue
		}
		ok = ok && e.Op == infer.OpLoad && e.Refs[0] != nil && constant(k, e.Refs[0].Alloc.Sole())
	}
	return ok
}

func quiet(c *infer.Call) bool {
	if c == nil || c.Desc != nil {
		return false
	}
	switch strings.TrimPrefix(c.API, pallas+".") {
	case "ds", "multiple_of", "cdiv", "program_id", "num_programs":
		return true
	}
	return strings.HasPrefix(c.API, "jax.numpy.") || strings.HasPrefix(c.API, "jax.lax.") && len(c.Bodies) == 0
}
