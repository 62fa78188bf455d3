package silent

import (
	"slices"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// startFromZero stores zeros into an output that a sum is taken in, in the first step of each of its blocks; nil where it is no sum, where
// something else is stored too, or where the steps of a block do not follow each other.
func startFromZero(p *rule.Pass, k *infer.Kernel, o *infer.Operand, e *infer.Event) *rule.Fix {
	if e.Aug != "+" && e.Aug != "-" || k.Core.IsSparseCore() || k.Fn.Def == nil || writtenOtherwise(k, o.Ref.Alloc, e) {
		return nil
	}
	axes, ok := revisiting(k.Site, o)
	name := o.Ref.Name
	if !ok || !slices.ContainsFunc(k.Fn.Def.Params, func(q *parse.Param) bool { return q.Name == name && q.Kind <= parse.Positional }) {
		return nil
	}
	spot, ok := stmtOf(p, k, e)
	if !ok {
		return nil
	}
	names := &edit.Names{Spot: spot}
	store := name + "[...] = " + names.Name("jax.numpy", "zeros_like") + "(" + name + ")"
	if len(axes) == 0 {
		return edit.Fix(true, "Store zeros before", rule.Unsafe, append(names.Edits, spot.Before(store)))
	}
	var first []string
	for _, axis := range axes {
		first = append(first, names.Name("jax.experimental.pallas", "program_id")+"("+strconv.Itoa(axis)+") == 0")
	}
	condition := first[0]
	if len(first) > 1 {
		condition = "(" + strings.Join(first, ") & (") + ")"
	}
	lines := []string{"@" + names.Name("jax.experimental.pallas", "when") + "(" + condition + ")", "def _():", spot.Unit() + store}
	at, _ := spot.Stmt()
	before := spot.Before(lines...)
	if i := strings.LastIndexByte(before.New, '\n'); i >= 0 { // a blank line ends the function
		before.New = before.New[:i] + "\n" + before.New[i:]
	}
	return edit.Fix(at != nil && spot.OwnLine(), "Store zeros in the first step", rule.Unsafe, append(names.Edits, before))
}

// writtenOtherwise: something but the statement of the event writes the memory.
func writtenOtherwise(k *infer.Kernel, a *infer.Alloc, e *infer.Event) bool {
	return slices.ContainsFunc(k.Flow(), func(w *infer.Event) bool { return mayWrite(w, a) && w.Loc != e.Loc })
}

// revisiting are the axes along which the block of an output stays; false where it is not known for one of them, or where another axis turns
// faster, so that the block comes and goes.
func revisiting(s *infer.Site, o *infer.Operand) (axes []int, ok bool) {
	for axis, n := range s.Grid {
		switch {
		case !several(n):
		case moves(o, axis):
			if len(axes) > 0 {
				return nil, false
			}
		case stays(o, axis), unspecified(s):
			axes = append(axes, axis)
		default:
			return nil, false
		}
	}
	return axes, s.GridKnown && s.API == "pallas_call"
}

// unspecified: the outputs are whole arrays.
func unspecified(s *infer.Site) bool {
	return s.Call.Arg("out_specs") == nil && s.Call.Arg("grid_spec") == nil
}

// stmtOf is the statement of the kernel's own body in which the event happens.
func stmtOf(p *rule.Pass, k *infer.Kernel, e *infer.Event) (*edit.Spot, bool) {
	spot, ok := edit.Find(p.File, e.Loc.Chunk, e.Node)
	for ; ok && spot != nil; spot = spot.Up(1) {
		if up := spot.Up(1); up != nil && up.Node() == parse.Node(k.Fn.Def) {
			return spot, true
		}
	}
	return nil, false
}
