package silent

import (
	"fmt"
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// Three rules about index maps that lead out of the array; each is the likeliest mistake.
var (
	elementOffset = &rule.Rule{Name: "index-map-element-offset", Page: page("element_offset.md"), Site: outside("offset")}
	gridOrder     = &rule.Rule{Name: "index-map-grid-order", Page: page("grid_order.md"), Site: outside("order")}
	blockOutside  = &rule.Rule{Name: "block-outside-array", Page: page("block_outside.md"), Site: outside("other")}
)

// outside reports operands of which the grid touches blocks that the array does not have, where the mistake is of that kind.
func outside(kind string) func(*rule.Pass, *infer.Site) {
	return func(p *rule.Pass, s *infer.Site) {
		if !gridded(s) {
			return
		}
		for _, o := range s.Blocks() {
			if !windowed(o) || o.Spec == nil || !within(p, specArg(p, s, o, "index_map")) {
				continue
			}
			d, r, wrong := firstOutside(reaches(s, o))
			if !wrong {
				if kind == "offset" {
					symbolicOffset(p, s, o)
				}
				if kind == "order" {
					symbolicOrder(p, s, o)
				}
				continue
			}
			if mistake(s, o, r) == kind {
				found := p.Report(specArg(p, s, o, "index_map"), "%s", describe(kind, o, d, r)).At(s.Loc).Also(s.Call.ArgLoc("grid"), "the grid")
				if kind == "offset" {
					found.Offer(inBlocks(p, o, d))
				}
			}
		}
	}
}

func firstOutside(rs map[int]reach) (d int, r reach, wrong bool) {
	for d := range 8 {
		if r, ok := rs[d]; ok && (r.Lo < 0 || r.Hi >= r.count) {
			return d, r, true
		}
	}
	return 0, reach{}, false
}

func mistake(s *infer.Site, o *infer.Operand, r reach) string {
	for axis := range s.Grid {
		if by, known := slope(r.index, axis); known && by == r.block && by > 1 {
			return "offset"
		}
	}
	if swapped(s, o) {
		return "order"
	}
	return "other"
}

// maxSwapped is the number of axes of a grid above which the pairs of them are too many to try.
const maxSwapped = 8

// swapped: with two of the grid's indices exchanged, all blocks are in the array.
func swapped(s *infer.Site, o *infer.Operand) bool {
	if len(s.Grid) > maxSwapped {
		return false
	}
	for a := range s.Grid {
		for b := range a {
			other := *s
			other.Grid = slices.Clone(s.Grid)
			other.Grid[a], other.Grid[b] = s.Grid[b], s.Grid[a]
			if rs := reaches(&other, o); len(rs) > 0 {
				if _, _, wrong := firstOutside(rs); !wrong {
					return true
				}
			}
		}
	}
	return false
}

func describe(kind string, o *infer.Operand, d int, r reach) string {
	at, why := r.Hi, fmt.Sprintf("the array has %d of %d there", r.count, r.block)
	if r.Lo < 0 {
		at, why = r.Lo, "there are none below 0"
	}
	text := fmt.Sprintf("the index map of %s goes to block %d of dimension %d, and %s", o.Title(), at, d, why)
	switch kind {
	case "offset":
		return text + "; an index map counts blocks, not elements"
	case "order":
		return text + "; two of the grid's indices stand in each other's place"
	}
	return text
}

// symbolicOffset: sizes are not known, but the index of the grid is multiplied by the size of the block and by nothing else.
func symbolicOffset(p *rule.Pass, s *infer.Site, o *infer.Operand) {
	for d, n := range components(o) {
		size := o.Spec.Dims[d].Size
		if n == nil || size == nil || !counted(o.Spec.Dims[d].Kind) || len(n.Terms) != 1 || n.Const != 0 || n.Terms[0].Coef != 1 {
			continue
		}
		if _, known := size.Known(); known {
			continue
		}
		op := n.Terms[0].Of
		if op == nil || op.Op != "*" {
			continue
		}
		for axis := range s.Grid {
			l, r := op.L, op.R
			if r.Key() == gridAtom(axis) {
				l, r = r, l
			}
			if l.Key() == gridAtom(axis) && r.Key() != "" && r.Key() == size.Key() {
				p.Report(specArg(p, s, o, "index_map"), "the index map of %s multiplies an index of the grid by the block's size `%s`; an index map counts blocks, not elements",
					o.Title(), size).At(s.Loc)
				return
			}
		}
	}
}

// symbolicOrder: sizes are not known, but two axes of the grid count the blocks of two dimensions, and the index map has them exchanged.
func symbolicOrder(p *rule.Pass, s *infer.Site, o *infer.Operand) {
	ns := components(o)
	if len(ns) != len(o.Array.Dims) {
		return
	}
	for d := range ns {
		for e := range d {
			a, ok1 := axisOf(s, ns[d])
			b, ok2 := axisOf(s, ns[e])
			if ok1 && ok2 && counts(s.Grid[a], o, e) && counts(s.Grid[b], o, d) && !counts(s.Grid[a], o, d) && !counts(s.Grid[b], o, e) {
				p.Report(specArg(p, s, o, "index_map"), "axis %d of the grid counts the blocks of dimension %d of %s and axis %d those of dimension %d, but the index map has them the other way round",
					b, d, o.Title(), a, e).At(s.Loc).Also(s.Call.ArgLoc("grid"), "the grid")
				return
			}
		}
	}
}

// axisOf is the axis whose index the component is.
func axisOf(s *infer.Site, n *infer.Int) (int, bool) {
	for axis := range s.Grid {
		if n.Key() == gridAtom(axis) {
			return axis, true
		}
	}
	return 0, false
}

// counts: the size of the axis is written as the number of blocks of the operand's dimension.
func counts(size *infer.Int, o *infer.Operand, d int) bool {
	if size == nil || len(size.Terms) != 1 || size.Const != 0 || size.Terms[0].Coef != 1 || size.Terms[0].Of == nil {
		return false
	}
	op := size.Terms[0].Of
	if op.Op != "//" && op.Op != "cdiv" {
		return false
	}
	dim, eq1 := op.L.Equal(o.Array.Dims[d])
	block, eq2 := op.R.Equal(o.Spec.Dims[d].Size)
	return eq1 && eq2 && dim && block
}

// counted: the dimension is counted in blocks. A size that the index map computes with is a number, whatever else it might have been.
func counted(kind string) bool { return kind == "blocked" || kind == "unknown" }
