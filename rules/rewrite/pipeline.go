package rewrite

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// byHand: what a loop over blocks copies in, computes and copies out is what a pipeline does (jax/_src/pallas/mosaic/pipeline.py emit_pipeline).
var byHand = &rule.Rule{
	Name:   "pipeline-by-hand",
	Off:    true,
	Offers: true,
	Page:   page("by_hand.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, b := range loopsByHand(p, k) {
			fix := b.fix()
			if fix == nil {
				continue
			}
			for _, c := range b.copies {
				p.Report(c.loc(), "the loop copies %s by hand, one step after another: `pltpu.emit_pipeline` copies blocks beside the work", b.what(c)).
					At(c.start.Desc.Loc).Offer(fix)
			}
		}
	},
}

// manual is a loop that copies blocks in, computes, and copies blocks out.
type manual struct {
	pass    *rule.Pass
	kernel  *infer.Kernel
	loop    *loop
	copies  []*copying // in the order in which they are written
	ins     int        // so many of them come in, the others go out
	blocks  []blocked  // one for each
	work    []parse.Stmt
	dropped []parse.Stmt // that only the copies need
}

// blocked is the part of an array that a step has to do with.
type blocked struct {
	shape, index []string // index: in terms of the grid's index
}

func (b *manual) what(c *copying) string {
	if slices.Index(b.copies, c) < b.ins {
		return named(c.start.Refs[1]) + " in"
	}
	return named(c.start.Refs[0]) + " out"
}

// buffer is the end of a copy that is the kernel's own memory; array is the other.
func (b *manual) buffer(i int) *infer.Ref { return b.copies[i].start.Refs[b.inner(i)] }
func (b *manual) array(i int) *infer.Ref  { return b.copies[i].start.Refs[1-b.inner(i)] }

func (b *manual) inner(i int) int {
	if i < b.ins {
		return 1
	}
	return 0
}

func (b *manual) exprs(i int) (buffer, array parse.Expr) {
	if i < b.ins {
		return b.copies[i].dst, b.copies[i].src
	}
	return b.copies[i].src, b.copies[i].dst
}

func loopsByHand(p *rule.Pass, k *infer.Kernel) (out []*manual) {
	for _, c := range copies(p, k) {
		i := slices.IndexFunc(out, func(b *manual) bool { return b.loop.cond.Loc == c.loop.cond.Loc })
		if i < 0 {
			i = len(out)
			out = append(out, &manual{pass: p, kernel: k, loop: c.loop})
		}
		out[i].copies = append(out[i].copies, c)
	}
	return slices.DeleteFunc(out, func(b *manual) bool { return !b.read() })
}

// read sorts the loop's statements: copies in, work, copies out, and what only the copies need.
func (b *manual) read() bool {
	l := b.loop
	n, known := l.steps()
	if lo := l.lo; lo != nil && !isZero(lo) || !l.traced || l.carry || !known || n < 2 || len(infer.Always(b.copies[0].start.Path)) != 1 {
		return false
	}
	slices.SortFunc(b.copies, func(x, y *copying) int { return int(x.stmts[0].Span().Start - y.stmts[0].Span().Start) })
	for _, c := range b.copies {
		if c.start.Kernel.Core != jax.TensorCore || c.start.Refs[0] == nil || c.start.Refs[1] == nil {
			return false
		}
		if private(b.pass, c.start.Refs[1].Alloc) {
			b.ins++
		}
	}
	if b.ins == 0 || b.ins == len(b.copies) || !b.sort() || b.asksForStep() {
		return false
	}
	for i := range b.copies {
		part, ok := b.block(i)
		if !ok || !b.ownEnd(i) || !b.ownSem(i) {
			return false
		}
		b.blocks = append(b.blocks, part)
	}
	return b.apart()
}

// asksForStep: the loop asks for the grid's step, which in a pipeline is the pipeline's.
func (b *manual) asksForStep() bool {
	return slices.ContainsFunc(b.kernel.Calls, func(c *infer.Call) bool {
		return (c.API == pallas+".program_id" || c.API == pallas+".num_programs") &&
			slices.ContainsFunc(c.Path, func(o infer.Cond) bool { return o.Loc == b.loop.cond.Loc })
	})
}

func isZero(x parse.Expr) bool { n, ok := literal(x); return ok && n == 0 }

// sort: first copies in, then work, then copies out; between them may stand what only the copies need.
func (b *manual) sort() bool {
	of := func(s parse.Stmt) int {
		return slices.IndexFunc(b.copies, func(c *copying) bool { return slices.Contains(c.stmts, s) })
	}
	for _, s := range b.loop.body {
		switch i := of(s); {
		case i >= 0 && (i < b.ins) == (len(b.work) == 0):
		case i >= 0:
			return false
		case b.onlyForCopies(s):
			b.dropped = append(b.dropped, s)
		case returnsNothing(s):
			b.dropped = append(b.dropped, s)
		default:
			b.work = append(b.work, s)
		}
	}
	if len(b.work) == 0 {
		return false
	}
	first, last := b.work[0].Span().Start, b.work[len(b.work)-1].Span().End
	for _, s := range b.dropped { // the work is one piece of text
		if first < s.Span().Start && s.Span().End < last {
			return false
		}
	}
	for _, s := range b.work {
		if len(names(s, b.loop.index)) > 0 {
			return false
		}
	}
	return aloneOnLines(b.loop.run.Chunk, b.work[len(b.work)-1])
}

func returnsNothing(s parse.Stmt) bool {
	r, ok := s.(*parse.Return)
	if !ok {
		return false
	}
	c, none := r.X.(*parse.Const)
	return r.X == nil || none && c.Kind == parse.ConstNone
}

// onlyForCopies: an assignment whose variable only copies read, directly or through others.
func (b *manual) onlyForCopies(s parse.Stmt) bool {
	a, ok := s.(*parse.Assign)
	if !ok || len(a.Targets) != 1 || !pure(b.kernel, b.loop.run.Chunk, a.Value) {
		return false
	}
	name, ok := a.Targets[0].(*parse.Name)
	if !ok {
		return false
	}
	for _, n := range names(b.loop.outer(), name.ID) {
		inside := a.Span().Start <= n.Span().Start && n.Span().End <= a.Span().End
		if !inside && !slices.ContainsFunc(b.copies, func(c *copying) bool { return c.holds(n) }) && !b.inAssign(n, s) {
			return false
		}
	}
	return true
}

// inAssign: the variable is read by a later assignment that only copies need.
func (b *manual) inAssign(n *parse.Name, from parse.Stmt) bool {
	for _, s := range b.loop.body {
		if s.Span().Start > from.Span().End && s.Span().Start <= n.Span().Start && n.Span().End <= s.Span().End {
			return b.onlyForCopies(s)
		}
	}
	return false
}

// ownEnd: the buffer is used by the work alone, which reads what comes in and writes all of what goes out; the array by no one else.
func (b *manual) ownEnd(i int) bool {
	buf, arr := b.buffer(i), b.array(i)
	text, _ := b.exprs(i)
	if !private(b.pass, buf.Alloc) || buf.Role != infer.Scratch || !buf.Spaces.Only(jax.VMEM) || !isName(text, buf.Name) || !infer.RegionOf(buf, nil).Whole {
		return false
	}
	def := b.loop.parameter(buf.Alloc)
	if def == nil || !arr.Spaces.Only(jax.HBM, jax.ANY) {
		return false
	}
	for _, n := range names(def, buf.Name) {
		if !b.copies[i].holds(n) && !b.works(n) {
			return false
		}
	}
	if i < b.ins {
		return constant(b.kernel, arr.Alloc.Sole()) && !slices.ContainsFunc(b.kernel.Flow(), func(e *infer.Event) bool {
			return writesTo(e, buf.Alloc) && (e.Desc == nil || e.Desc.Call.Node != b.copies[i].call)
		})
	}
	return arr.Role == infer.Output && arr.Alloc.Sole() != nil && b.filled(i)
}

func (b *manual) works(n parse.Node) bool {
	return slices.ContainsFunc(b.work, func(s parse.Stmt) bool { return s.Span().Start <= n.Span().Start && n.Span().End <= s.Span().End })
}

// filled: each step writes all of the buffer, and nothing reads it but the copy; nothing else has to do with the output.
func (b *manual) filled(i int) bool {
	buf, arr, all := b.buffer(i), b.array(i), false
	for _, e := range b.kernel.Flow() {
		mine := e.Desc != nil && (e.Desc.Call.Node == b.copies[i].call || e.Desc.Call.Node == b.copies[i].wait.Desc.Call.Node)
		for j, r := range e.Refs {
			if !mine && (r.On(arr.Alloc.Sole()) || r.On(buf.Alloc) && (e.Op != infer.OpStore || j > 0)) {
				return false
			}
		}
		if e.Op == infer.OpStore && e.Refs[0].On(buf.Alloc) {
			all = all || e.Accessed().Whole && len(infer.Always(e.Path)) == 1
		}
	}
	return all
}

// ownSem: the semaphores are for these copies alone.
func (b *manual) ownSem(i int) bool {
	c := b.copies[i]
	if c.start.Desc.Sync {
		return true
	}
	sem := c.start.Refs[2]
	if sem == nil || !private(b.pass, sem.Alloc) || sem.Role != infer.Scratch {
		return false
	}
	def := b.loop.parameter(sem.Alloc)
	return def != nil && !slices.ContainsFunc(names(def, sem.Alloc.Name), func(n *parse.Name) bool {
		return !slices.ContainsFunc(b.copies, func(c *copying) bool { return c.holds(n) })
	})
}

// apart: no two copies share a buffer or an array, and the work names none of the arrays.
func (b *manual) apart() bool {
	seen := map[*infer.Alloc]bool{}
	for i := range b.copies {
		for _, a := range []*infer.Alloc{b.buffer(i).Alloc.Sole(), b.array(i).Alloc.Sole()} {
			if seen[a] {
				return false
			}
			seen[a] = true
		}
		for _, s := range b.work {
			if edit.Mentions(s)[b.array(i).Name] {
				return false
			}
		}
	}
	return true
}
