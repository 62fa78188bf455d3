package silent

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// dropsTail: n // block is one block too few where block does not divide n.
var dropsTail = &rule.Rule{
	Name: "grid-drops-tail",
	Page: page("grid_drops_tail.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !gridded(s) {
			return
		}
		for _, o := range s.Blocks() {
			for d := range len(o.Array.Dims) {
				axis, r, short := tail(s, o, d)
				if !short || !windowed(o) || !within(p, s.Loc) {
					continue
				}
				did := "read"
				if o.Ref.Role == infer.Output {
					did = "written"
				}
				at := gridArg(p, s, axis)
				p.Report(at, "axis %d of the grid has %d steps, which leaves the last %d of %d elements of %s out: they are never %s; `pl.cdiv(%d, %d)` counts the last block too",
					axis, r.Hi+1, r.dim-(r.Hi+1)*r.block, r.dim, o.Title(), did, r.dim, r.block).At(s.Loc).Also(specArg(p, s, o, "block_shape"), "the block").
					Offer(edit.CeilDivide(p.File, at))
				return
			}
		}
	},
}

// tail tells whether one axis of the grid goes through a dimension block by block, and is short of the last, which is not whole.
func tail(s *infer.Site, o *infer.Operand, d int) (axis int, r reach, short bool) {
	r, ok := reaches(s, o)[d]
	if !ok || r.index.Const != 0 || len(r.index.Terms) != 1 || r.index.Terms[0].Coef != 1 {
		return 0, r, false
	}
	for axis := range s.Grid {
		if r.index.Terms[0].Atom == gridAtom(axis) {
			return axis, r, r.dim%r.block != 0 && r.Hi+1 == r.dim/r.block
		}
	}
	return 0, r, false
}

// partlyWritten: what no block covers, and no store reaches, holds whatever was in its memory.
var partlyWritten = &rule.Rule{
	Name: "output-partly-written",
	Page: page("output_partly_written.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		s := k.Site
		if s.API != "pallas_call" {
			return
		}
		for _, o := range outputs(k) {
			if alias, known := aliased(s, o.Index); alias || !known {
				continue
			}
			if d, r, missed := uncovered(s, o); missed {
				p.Report(specArg(p, s, o, "index_map"), "of dimension %d of %s the grid touches blocks %d to %d, and the array has %d: the rest is never written", d, o.Title(), r.Lo, r.Hi, r.count).
					At(s.Loc)
				continue
			}
			storedInPart(p, k, o)
		}
	}),
}

// uncovered is a dimension of an output of which some blocks are never touched, otherwise than by a short grid.
func uncovered(s *infer.Site, o *infer.Operand) (d int, r reach, missed bool) {
	if !gridded(s) || !windowed(o) {
		return 0, r, false
	}
	if _, _, wrong := firstOutside(reaches(s, o)); wrong {
		return 0, r, false
	}
	for d := range len(o.Array.Dims) {
		if _, _, short := tail(s, o, d); short {
			continue
		}
		r, ok := reaches(s, o)[d]
		if ok && r.Lo >= 0 && r.Hi < r.count && (r.Lo > 0 || r.Hi < r.count-1) {
			return d, r, true
		}
	}
	return 0, r, false
}

// storedInPart reports an output whose stores all go to known places that do not cover its block.
func storedInPart(p *rule.Pass, k *infer.Kernel, o *infer.Operand) {
	if inPlace(o) {
		return
	}
	dims := o.Ref.Alloc.Shape
	total, ok := dims.Size()
	n, rank := dims.Rank()
	if !ok || !rank || n == 0 {
		return
	}
	var boxes []box
	var last *infer.Event
	for _, e := range k.Flow() {
		if !mayWrite(e, o.Ref.Alloc) {
			continue
		}
		var b box
		if e.Op == infer.OpStore && e.Refs[0].Alloc.Sole() == o.Ref.Alloc {
			b = boxOf(e.Accessed())
		} else if e.Op == infer.OpDMAStart && e.Refs[1].Alloc.Sole() == o.Ref.Alloc {
			b = boxOf(infer.RegionOf(e.Refs[1], nil))
		} else if e.Op == infer.OpDMAWait {
			continue
		}
		if b == nil || len(b) != n {
			return
		}
		boxes, last = append(boxes, b), e
	}
	if last == nil || !within(p, last.Loc) || len(boxes) == 1 && one(boxes[0], dims) {
		return
	}
	if got := volume(boxes); got < int64(total) {
		p.Report(last.Loc, "the stores to %s reach %d of the %d elements of its block: the rest holds whatever was in that memory", name(o.Ref), got, total).Because(o.Ref.Why)
	}
}

// box is a part of a block, as [start, end) of each dimension.
type box [][2]int64

// boxOf is the part of a block that an access touches, where that is written in numbers.
func boxOf(g infer.Region) box {
	if g.Spans == nil {
		return nil
	}
	var out box
	for _, s := range g.Spans {
		start, ok1 := s.Start.Known()
		size, ok2 := s.Size.Known()
		if !ok1 || !ok2 {
			return nil
		}
		out = append(out, [2]int64{start, start + size})
	}
	return out
}

// one: the box is one element of each dimension that it does not fill: a single value is put somewhere, which says nothing of the rest.
func one(b box, dims infer.Shape) bool {
	for i, d := range dims.Dims {
		if n, _ := d.Known(); b[i][1]-b[i][0] > 1 && b[i][1]-b[i][0] < n {
			return false
		}
	}
	return true
}

// volume is how many elements the boxes cover together.
func volume(boxes []box) int64 {
	if len(boxes) == 0 {
		return 0
	}
	if len(boxes[0]) == 0 {
		return 1
	}
	cuts := map[int64]bool{}
	for _, b := range boxes {
		cuts[b[0][0]], cuts[b[0][1]] = true, true
	}
	var sum, before int64
	for i, at := range sorted(cuts) {
		if i > 0 {
			var inside []box
			for _, b := range boxes {
				if b[0][0] <= before && b[0][1] >= at {
					inside = append(inside, b[1:])
				}
			}
			sum += (at - before) * volume(inside)
		}
		before = at
	}
	return sum
}
