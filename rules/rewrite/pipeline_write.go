package rewrite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// block is the part of the array that a copy has to do with, as a block shape and an index map; false when it is none.
func (b *manual) block(i int) (out blocked, ok bool) {
	ref := b.array(i)
	dims, known := ref.Alloc.Shape.Known()
	if !known || len(ref.Steps) > 1 || len(ref.Steps) == 1 && ref.Steps[0].Kind != "at" {
		return out, false
	}
	part := infer.RegionOf(ref, nil)
	if len(part.Spans) != len(dims) {
		return out, false
	}
	n, _ := b.loop.steps()
	for d, s := range part.Spans {
		size, sized := s.Size.Known()
		at, moves := b.stepOf(s.Start, size)
		if !sized || at == "" || moves && n*size > dims[d] || !tiled(ref, d, size, dims) {
			return out, false
		}
		shape := strconv.FormatInt(size, 10)
		if taken(ref, d) {
			shape = "None"
		}
		out.shape, out.index = append(out.shape, shape), append(out.index, at)
	}
	return out, true
}

// stepOf is the index of the block that begins there, in terms of the loop's index; empty when none does.
func (b *manual) stepOf(start *infer.Int, size int64) (text string, moves bool) {
	if start == nil || size <= 0 || start.Const%size != 0 {
		return "", false
	}
	text = strconv.FormatInt(start.Const/size, 10)
	if len(start.Terms) == 0 {
		return text, false
	}
	t := start.Terms[0]
	if len(start.Terms) > 1 || t.Coef != size || start.Const != 0 || t.Of == nil || t.Of.Op != "loop" {
		return "", false
	}
	return b.loop.index, true
}

// taken: an integer takes the dimension away.
func taken(r *infer.Ref, d int) bool {
	if len(r.Steps) == 0 {
		return false
	}
	return slices.ContainsFunc(r.Steps[0].Index, func(x infer.IndexItem) bool { return x.Dim == d && x.Kind == infer.IndexInt })
}

// tiled: the last two dimensions of a block are whole, or multiples of a tile.
func tiled(r *infer.Ref, d int, size int64, dims []int64) bool {
	bits := int64(r.DType.Bits())
	if bits == 0 || bits > 32 || len(dims) < 2 {
		return false
	}
	switch len(dims) - d {
	case 1:
		return !taken(r, d) && (size == dims[d] || size%128 == 0)
	case 2:
		return !taken(r, d) && (size == dims[d] || size%(8*32/bits) == 0)
	}
	return true
}

// fix makes the loop a pipeline; nil when that can't be written.
func (b *manual) fix() *rule.Fix {
	l, run := b.loop, b.loop.run
	stmt, plain := run.Node().(*parse.ExprStmt)
	at := run.Node().Span().Start
	if !aloneOnLines(run.Chunk, run.Node().(parse.Stmt)) || !aloneOnLines(run.Chunk, l.head.Node().(parse.Stmt)) || l.fn == nil || !b.fits() {
		return nil
	}
	if l.head.Node() != run.Node() && (!plain || stmt.X.Span() != l.cond.Loc.Span) {
		return nil // the loop's result is used
	}
	gone, ok := b.unasked()
	if !ok {
		return nil
	}
	names := &edit.Names{Spot: run}
	indent := edit.Indent(run.Chunk, at)
	name := edit.Free(edit.Mentions(l.outer()), "step")
	step, call := b.step(indent, name), b.call(indent, name, names)
	if l.head.Node() == run.Node() {
		gone = append(gone, run.Replace(run.Node(), step+"\n\n"+indent+call))
	} else {
		gone = append(gone, run.Replace(l.head.Node(), step), run.Replace(run.Node(), call))
	}
	return &rule.Fix{Title: "Let `emit_pipeline` copy the blocks", Kind: "pallas.emit-pipeline", Safety: rule.Unsafe, Edits: append(gone, names.Edits...)}
}

// step is the body of the pipeline.
func (b *manual) step(indent, name string) string {
	run := b.loop.run
	var params []string
	for i := range b.copies {
		params = append(params, b.buffer(i).Name)
	}
	first, last := commented(run.Chunk, b.work[0].Span().Start), b.work[len(b.work)-1].Span().End
	old := edit.Indent(run.Chunk, first)
	text := parse.Loc{Chunk: run.Chunk, Span: parse.Span{Start: first, End: last}}.Text()
	inner := indent + run.Unit()
	return "def " + name + "(" + strings.Join(params, ", ") + "):\n" + inner + strings.ReplaceAll(text, "\n"+old, "\n"+inner)
}

// commented is where the comments begin that stand right above an offset.
func commented(c *parse.Chunk, at int32) int32 {
	for {
		start := int32(strings.LastIndexByte(c.Text[:at], '\n') + 1)
		if start == 0 || strings.TrimSpace(c.Text[start:at]) != "" {
			return at
		}
		above := int32(strings.LastIndexByte(c.Text[:start-1], '\n') + 1)
		line := c.Text[above : start-1]
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			return at
		}
		at = above + int32(len(line)-len(strings.TrimLeft(line, " \t")))
	}
}

// call runs the pipeline.
func (b *manual) call(indent, name string, n *edit.Names) string {
	spec := n.Name(pallas, "BlockSpec")
	var specs, arrays []string
	for i, part := range b.blocks {
		specs = append(specs, fmt.Sprintf("%s((%s), lambda %s: (%s))", spec, strings.Join(part.shape, ", "), b.loop.index, strings.Join(part.index, ", ")))
		arrays = append(arrays, b.array(i).Name)
	}
	sep := "\n" + indent + b.loop.run.Unit()
	return n.Name(tpu, "emit_pipeline") + "(" + sep + name + "," + sep + "grid=(" + b.loop.run.Text(b.loop.hi) + ",)," +
		sep + list("in_specs=[", specs[:b.ins], sep, b.loop.run.Unit()) + "," + sep + list("out_specs=[", specs[b.ins:], sep, b.loop.run.Unit()) + ",\n" +
		indent + ")(" + strings.Join(arrays, ", ") + ")"
}

// list writes items between brackets, on a line each where one line would be long.
func list(open string, items []string, sep, unit string) string {
	if line := open + strings.Join(items, ", ") + "]"; len(sep)+len(line) <= 100 {
		return line
	}
	inner := sep + unit
	return open + inner + strings.Join(items, ","+inner) + "," + sep + "]"
}

// fits: two windows for each buffer leave the kernel within its memory.
func (b *manual) fits() bool {
	d := &double{pass: b.pass, kernel: b.kernel}
	for i := range b.copies {
		d.buffers = append(d.buffers, b.buffer(i).Alloc)
	}
	return d.fits()
}

// unasked takes the buffers and semaphores out of the scratch and out of the kernel's parameters.
func (b *manual) unasked() (out []rule.Edit, ok bool) {
	var allocs []*infer.Alloc
	for i, c := range b.copies {
		allocs = append(allocs, b.buffer(i).Alloc)
		if !c.start.Desc.Sync && !slices.Contains(allocs, c.start.Refs[2].Alloc) {
			allocs = append(allocs, c.start.Refs[2].Alloc)
		}
	}
	site := siteOf(b.pass, allocs[0])
	loc, ok := scratchLoc(site)
	display, found := edit.FindAt(b.pass.File, loc, func(n parse.Node) bool {
		switch n.(type) {
		case *parse.List, *parse.Tuple:
			return true
		}
		return false
	})
	def := b.loop.parameter(allocs[0])
	if !ok || !found || def == nil {
		return nil, false
	}
	var elems, params []int
	for _, a := range allocs {
		if siteOf(b.pass, a) != site || b.loop.parameter(a) != def || !flatScratch(site) {
			return nil, false
		}
		elems = append(elems, a.Operand.Index)
		params = append(params, slices.IndexFunc(def.Params, func(p *parse.Param) bool { return p.Name == a.Name }))
	}
	out = append(out, edit.RemoveParams(b.loop.run.Chunk, def, params...)...)
	return append(out, edit.RemoveElems(display, elems...)...), true
}

// scratchLoc is where the scratch of a site is written as one display.
func scratchLoc(s *infer.Site) (parse.Loc, bool) {
	switch v := scratchOf(s).(type) {
	case *infer.List:
		return v.Loc, !v.Changed && v.Node != nil && v.Node.Span() == v.Loc.Span
	case *infer.Tuple:
		return v.Loc, v.Node != nil && v.Node.Span() == v.Loc.Span
	}
	return parse.Loc{}, false
}

func flatScratch(s *infer.Site) bool {
	elems, ok := infer.Elements(scratchOf(s))
	return ok && flat(&infer.Tuple{Head: elems})
}
