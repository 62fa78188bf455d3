package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/usage"
)

// notOverlapped: a copy runs beside the kernel; one that is waited for at once does not (jax/_src/pallas/mosaic/primitives.py dma_start).
var notOverlapped = &rule.Rule{
	Name:   "copy-not-overlapped",
	Off:    true,
	Offers: true,
	Page:   page("not_overlapped.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, d := range doubles(p, k) {
			fix := d.fix()
			for _, c := range d.copies {
				p.Report(c.loc(), "each step waits for its copy into %s before it does anything: with a second buffer the next step's copy would run beside the work",
					named(c.start.Refs[1])).At(c.start.Desc.Loc).Offer(fix)
			}
		}
	},
}

func named(r *infer.Ref) string {
	if r.Name == "" {
		return "its buffer"
	}
	return "`" + r.Name + "`"
}

// loc is all that a copy is written in.
func (c *copying) loc() parse.Loc {
	first, last := c.stmts[0].Span(), c.stmts[len(c.stmts)-1].Span()
	return parse.Loc{Chunk: c.loop.run.Chunk, Span: parse.Span{Start: first.Start, End: last.End}}
}

// double is a loop with the copies in it that can be made a step ahead.
type double struct {
	pass    *rule.Pass
	kernel  *infer.Kernel
	loop    *loop
	copies  []*copying
	sources map[*copying]source
	buffers []*infer.Alloc // of the copies
	names   *edit.Names
	slot    string
}

// doubles are the loops of a kernel with copies that can be made ahead.
func doubles(p *rule.Pass, k *infer.Kernel) (out []*double) {
	for _, c := range copies(p, k) {
		i := slices.IndexFunc(out, func(d *double) bool { return d.loop.cond.Loc == c.loop.cond.Loc })
		if i < 0 {
			i = len(out)
			out = append(out, &double{pass: p, kernel: k, loop: c.loop, sources: map[*copying]source{}})
		}
		out[i].copies = append(out[i].copies, c)
	}
	for _, d := range out {
		d.copies = slices.DeleteFunc(d.copies, func(c *copying) bool { return !d.ahead(c) })
	}
	return slices.DeleteFunc(out, func(d *double) bool { return len(d.copies) == 0 })
}

// ahead: the copy is of another part in each step, and could be made a step before.
func (d *double) ahead(c *copying) bool {
	src, ok := c.sourceOf(d.kernel)
	d.sources[c] = src
	n, known := c.loop.steps()
	return ok && src.moves && (!known || n > 1) && infer.RegionOf(c.start.Refs[1], nil).Whole
}

// fix makes the copies a step ahead; nil when that may not be right for some of them.
func (d *double) fix() *rule.Fix {
	for _, c := range d.copies {
		d.buffers = append(d.buffers, c.start.Refs[1].Alloc)
	}
	if !d.begins(d.loop.run) || !d.begins(d.loop.head) || !d.fits() {
		return nil
	}
	for _, c := range d.copies {
		if !d.ownBuffer(c) || !d.ownSemaphore(c) {
			return nil
		}
	}
	d.names = &edit.Names{Spot: d.loop.run}
	return d.write()
}

// begins: the statement starts a line.
func (d *double) begins(s *edit.Spot) bool {
	at := s.Node().Span().Start
	return strings.TrimSpace(s.Chunk.Text[strings.LastIndexByte(s.Chunk.Text[:at], '\n')+1:at]) == ""
}

// ownBuffer: the buffer is used by the loop alone, and in each step only after that step's copy.
func (d *double) ownBuffer(c *copying) bool {
	a := c.start.Refs[1].Alloc
	rank, known := a.Shape.Rank()
	if !private(d.pass, a) || !a.Spaces.Only(jax.VMEM) || !known || rank < 2 || c.start.Kernel.Core != jax.TensorCore || !isName(c.dst, a.Name) {
		return false
	}
	def := d.loop.parameter(a)
	if def == nil || d.request(a) == nil {
		return false
	}
	last := c.stmts[len(c.stmts)-1].Span().End
	for _, n := range names(def, a.Name) {
		if !c.holds(n) && (n.Span().Start < last || !d.loop.has(n)) {
			return false
		}
	}
	return d.settled(a)
}

// has: a node is part of the loop's body.
func (l *loop) has(n parse.Node) bool {
	return l.body[0].Span().Start <= n.Span().Start && n.Span().End <= l.body[len(l.body)-1].Span().End
}

// settled: copies out of the buffer are waited for where they are started, so that none is under way when the buffer is filled again.
func (d *double) settled(a *infer.Alloc) bool {
	flow := d.kernel.Flow()
	for i, e := range flow {
		if e.Op == infer.OpDMAStart && e.Refs[0].On(a) && waitAtOnce(flow[i+1:], e) == nil {
			return false
		}
	}
	return true
}

// ownSemaphore: the semaphore is for the copies of this loop alone, an element for each.
func (d *double) ownSemaphore(c *copying) bool {
	sem := c.start.Refs[2]
	if c.sem == nil || sem == nil || !private(d.pass, sem.Alloc) || d.request(sem.Alloc) == nil {
		return false
	}
	def, part := d.loop.parameter(sem.Alloc), infer.RegionOf(sem, nil)
	if _, _, ok := semText(c.sem, sem.Alloc.Name); !ok || def == nil {
		return false
	}
	for _, o := range d.copies {
		if o == c || o.start.Refs[2] == nil || o.start.Refs[2].Alloc.Sole() != sem.Alloc {
			continue
		}
		if meets, known := part.Meets(infer.RegionOf(o.start.Refs[2], nil)); meets || !known {
			return false
		}
	}
	for _, n := range names(def, sem.Alloc.Name) {
		if !slices.ContainsFunc(d.copies, func(c *copying) bool { return c.holds(n) }) {
			return false
		}
	}
	return true
}

// semText tells a semaphore that is a name, or name.at[index], with where the index is written.
func semText(x parse.Expr, name string) (index parse.Span, some, ok bool) {
	if isName(x, name) {
		return parse.Span{}, false, true
	}
	i, ok := x.(*parse.Index)
	if !ok {
		return parse.Span{}, false, false
	}
	at, ok := i.X.(*parse.Attr)
	if !ok || at.Name != "at" || !isName(at.X, name) {
		return parse.Span{}, false, false
	}
	for _, it := range i.Items {
		if _, ok := it.(*parse.Int); !ok {
			return parse.Span{}, false, false
		}
	}
	return i.ItemsSpan, true, true
}

// fits: the second buffers leave the kernel within its memory, as far as is known.
func (d *double) fits() bool {
	var more int64
	for _, a := range d.buffers {
		n, known := a.Shape.Size()
		if !known || a.DType == "" {
			return false
		}
		more += a.DType.Bytes(n)
	}
	limit := int64(16 << 20) // the least that a chip gives
	if l, ok := usage.LimitsOf(d.pass.Chip); ok && d.pass.Chip != nil {
		limit = l.Limit(d.kernel.Site)
	}
	parts, exact := usage.VMEM(d.kernel.Site)
	for _, b := range parts {
		more += b.Total()
	}
	return more <= limit/2 || exact && more <= limit
}

// request is the edit that asks for two of a piece of memory; nil when that can't be written.
func (d *double) request(a *infer.Alloc) []rule.Edit {
	m := a.Mem
	if m.Call == nil {
		spot, ok := edit.FindAt(d.pass.File, asked(siteOf(d.pass, a), a.Operand), func(n parse.Node) bool { _, is := n.(*parse.Attr); return is })
		if !ok {
			return nil
		}
		return edit.Append(spot.Chunk, spot.Node().(parse.Expr), "((2,))")
	}
	if m.Call.Node == nil || len(m.Call.Node.Args) == 0 || m.Call.Open {
		return nil
	}
	spot, ok := edit.Find(d.pass.File, m.Call.Loc.Chunk, m.Call.Node)
	if !ok {
		return nil
	}
	for i, arg := range m.Call.Node.Args {
		if arg.Star != 0 || i > 0 && arg.Name != "shape" || i == 0 && arg.Name != "" && arg.Name != "shape" {
			continue
		}
		return []rule.Edit{twice(spot, arg.Value)}
	}
	return nil
}

// twice puts a 2 before a shape.
func twice(s *edit.Spot, shape parse.Expr) rule.Edit {
	var elems []parse.Expr
	switch x := shape.(type) {
	case *parse.Tuple:
		elems = x.Elems
		if !x.Parens {
			return s.Replace(shape, "(2, *"+s.Text(shape)+")")
		}
	case *parse.List:
		elems = x.Elems
	default:
		return s.Replace(shape, "(2, *"+s.Text(shape)+")")
	}
	switch len(elems) {
	case 0:
		return edit.Insert(s.Chunk, shape.Span().Start+1, "2,")
	case 1:
		return s.Replace(shape, "(2, "+s.Text(elems[0])+")")
	}
	return edit.Insert(s.Chunk, elems[0].Span().Start, "2, ")
}

// title names the buffers.
func (d *double) title() string {
	var all []string
	for _, c := range d.copies {
		all = append(all, named(c.start.Refs[1]))
	}
	return fmt.Sprintf("Double-buffer %s: copy the next step's part while this one is worked on", strings.Join(all, " and "))
}
