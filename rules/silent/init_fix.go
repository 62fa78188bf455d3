package silent

import (
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const pallas = "jax.experimental.pallas"

// zeroOutput stores zeros into an output in the first step of each of its blocks.
func zeroOutput(p *rule.Pass, k *infer.Kernel, o *infer.Operand, e *infer.Event) *rule.Fix {
	var axes []int
	for axis, n := range k.Site.Grid {
		switch {
		case moves(o, axis):
			if len(axes) > 0 { // the block is left and met again
				return nil
			}
		case !stays(o, axis) && !unspecified(k.Site):
			return nil
		case several(n):
			axes = append(axes, axis)
		}
	}
	if !k.Site.GridKnown || k.Site.API != "pallas_call" {
		return nil
	}
	return zeroFirst(p, k, o.Ref, e, axes)
}

// unspecified: the outputs are whole arrays.
func unspecified(s *infer.Site) bool {
	return s.Call.Arg("out_specs") == nil && s.Call.Arg("grid_spec") == nil
}

// zeroScratch stores zeros into scratch memory in the first step, where only one axis of the grid can be what the sum is taken along.
func zeroScratch(p *rule.Pass, k *infer.Kernel, e *infer.Event) *rule.Fix {
	var axes []int
	for axis, n := range k.Site.Grid {
		if several(n) {
			axes = append(axes, axis)
		}
	}
	if !k.Site.GridKnown || k.Site.API != "pallas_call" || len(axes) > 1 || e.Refs[0].Role != infer.Scratch {
		return nil
	}
	return zeroFirst(p, k, e.Refs[0], e, axes)
}

// zeroFirst stores zeros where a sum is about to be read for the first time: in the steps in which the indices of these axes are 0. Nothing is
// offered where the kernel has a condition for its first store already, which is then the one to change.
func zeroFirst(p *rule.Pass, k *infer.Kernel, r *infer.Ref, e *infer.Event, axes []int) *rule.Fix {
	if k.Fn == nil || k.Fn.Def == nil || e.Loc.Chunk != k.Fn.Chunk || !r.Spaces.Only(jax.VMEM) || r.View.Dims == nil || r.View.IsRank(0) || chooses(k, r) {
		return nil
	}
	spot, ok := edit.FindAt(p.File, e.Loc, func(n parse.Node) bool { _, is := n.(*parse.Index); return is })
	if !ok || !summed(spot, e) {
		return nil
	}
	top, ok := inBodyOf(spot, k.Fn.Def)
	if !ok || !top.OwnLine() || !boundBefore(k.Fn.Def, r.Name, top) {
		return nil
	}
	names := &edit.Names{Spot: top}
	store := r.Name + "[...] = " + names.Name("jax.numpy", "zeros_like") + "(" + r.Name + ")"
	if len(axes) == 0 {
		return edit.Fix(true, "Store zeros first", rule.Unsafe, append(names.Edits, top.Before(store)))
	}
	lines := []string{"@" + names.Name(pallas, "when") + "(" + firstStep(names, axes) + ")", "def _():", top.Unit() + store}
	indent := edit.Indent(top.Chunk, top.Node().Span().Start)
	text := strings.Join(lines, "\n"+indent) + "\n\n" + indent
	return edit.Fix(true, "Store zeros in the first step", rule.Unsafe, append(names.Edits, edit.Insert(top.Chunk, top.Node().Span().Start, text)))
}

// firstStep is the condition that the indices of the axes are all 0.
func firstStep(names *edit.Names, axes []int) string {
	var terms []string
	for _, axis := range axes {
		terms = append(terms, names.Name(pallas, "program_id")+"("+strconv.Itoa(axis)+") == 0")
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + strings.Join(terms, ") & (") + ")"
}

// chooses: the kernel stores there under a condition.
func chooses(k *infer.Kernel, r *infer.Ref) bool {
	for _, e := range k.Flow() {
		if e.Op == infer.OpStore && e.Refs[0] != nil && e.Refs[0].Alloc == r.Alloc && conditional(e) {
			return true
		}
	}
	return false
}

func conditional(e *infer.Event) bool {
	for _, c := range e.Path {
		if c.Kind == "when" || c.Kind == "cond" {
			return true
		}
	}
	return false
}

// summed: what is read at the spot is added to and stored back where it came from.
func summed(spot *edit.Spot, e *infer.Event) bool {
	if e.Aug != "" {
		return e.Aug == "+" || e.Aug == "-" || e.Aug == "+=" || e.Aug == "-="
	}
	sum, st := spot.Up(1), spot.Up(2)
	if sum == nil || st == nil {
		return false
	}
	op, ok := sum.Node().(*parse.Binary)
	a, is := st.Node().(*parse.Assign)
	return ok && is && (op.Op == "+" || op.Op == "-" && op.L == spot.Node()) && len(a.Targets) == 1 && spot.Text(a.Targets[0]) == spot.Text(spot.Node())
}

// inBodyOf is the spot of the statement of a function's own body that holds a spot.
func inBodyOf(spot *edit.Spot, fn *parse.FuncDef) (*edit.Spot, bool) {
	for n := 0; spot.Up(n+1) != nil; n++ {
		if spot.Up(n+1).Node() != parse.Node(fn) {
			continue
		}
		for _, s := range fn.Body {
			if parse.Node(s) == spot.Up(n).Node() {
				return spot.Up(n), true
			}
		}
	}
	return nil, false
}

// boundBefore: the name is a parameter of the function that nothing else in it binds, or bound once, by a statement before the spot.
func boundBefore(fn *parse.FuncDef, name string, at *edit.Spot) bool {
	binders, before := 0, false
	for _, q := range fn.Params {
		if q.Name == name {
			binders, before = binders+1, true
		}
	}
	for _, s := range fn.Body {
		for _, bound := range edit.Binds(s) {
			if bound != name {
				continue
			}
			_, plain := s.(*parse.Assign)
			binders++
			before = before || plain && s.Span().End <= at.Node().Span().Start
		}
	}
	return before && binders == 1
}
