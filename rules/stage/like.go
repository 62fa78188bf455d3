package stage

import (
	"fmt"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
)

// likeOperand is the buffer's shape and type in terms of the operand, such as "x.shape[1:], x.dtype", or what an output's type says of itself,
// where the site can write that; else empty. It holds for whatever the function around the site is called with.
func (pl *plan) likeOperand(k *infer.Kernel, h *holder) string {
	o := pl.ref.Operand
	if o == nil || pl.ref.Alloc.Kernel != k || o.Spec != nil && !o.Spec.NoBlock {
		return ""
	}
	if pl.ref.Role == infer.Output && pl.form == block && pl.whole && len(pl.ref.Steps) == 0 && !pl.part() {
		return pl.likeOutput(o, h)
	}
	if pl.ref.Role != infer.Input {
		return ""
	}
	for _, same := range pl.runs(k) {
		if same.Site.CallLoc != k.Site.CallLoc {
			return ""
		}
	}
	name := operandName(k.Site, o)
	if name == nil || k.Site.Operands[o.Index].Loc.Chunk != h.call.Chunk || !steadyParam(h.call, name.ID, k.Site.Operands[o.Index].Loc) {
		return ""
	}
	if shape := pl.shapeOf(name.ID, k, h); shape != "" {
		return shape + ", " + name.ID + ".dtype"
	}
	return ""
}

// operandName is the variable that is given as the operand; nil when it is not one, or when an operand before it is a tree of several.
func operandName(s *infer.Site, o *infer.Operand) *parse.Name {
	if o.Index < 0 || o.Index >= len(s.Operands) {
		return nil
	}
	for _, a := range s.Operands[:o.Index+1] {
		if a.Name != "" || a.Star != 0 || !isArray(a.Value) {
			return nil
		}
	}
	name, _ := s.Operands[o.Index].Node.(*parse.Name)
	return name
}

// part: less than the whole memory is taken.
func (pl *plan) part() bool {
	for _, e := range pl.peers {
		if dims, ok := selected(e.Refs[0], e.Index); ok {
			for _, d := range dims {
				if !d.full() {
					return true
				}
			}
		} else if !allFull(e.Index) {
			return true
		}
	}
	return false
}

// shapeOf writes the shape of the buffer in terms of that of the operand; empty when it has to do with other names.
func (pl *plan) shapeOf(x string, k *infer.Kernel, h *holder) string {
	if pl.form == lane {
		return lanes
	}
	e := pl.peers[0]
	dims, ok := selected(e.Refs[0], e.Index)
	switch {
	case pl.wide || !pl.part() && pl.form == block:
		return x + ".shape"
	case !ok:
		return rest(x, e.Index)
	case pl.form == cell:
		return "(" + x + ".shape[-1],)"
	}
	var parts []string
	lead := 0 // leading dimensions that integers take away
	for i, d := range dims {
		switch {
		case d.kind == infer.IndexInt && lead == i:
			lead++
		case d.kind == infer.IndexInt:
		case d.full():
			parts = append(parts, fmt.Sprintf("%s.shape[%d]", x, i))
		default:
			n := pl.writtenSize(e, i, k, h)
			if n == "" {
				return ""
			}
			parts = append(parts, n)
		}
	}
	if allFullFrom(dims, lead) {
		return fmt.Sprintf("%s.shape[%d:]", x, lead)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// rest is the shape that is left of x when integers take leading dimensions away and all else is whole, whatever the rank of x is.
func rest(x string, index []infer.IndexItem) string {
	lead := 0
	for lead < len(index) && index[lead].Kind == infer.IndexInt {
		lead++
	}
	if !allFull(index[lead:]) {
		return ""
	}
	return fmt.Sprintf("%s.shape[%d:]", x, lead)
}

func allFullFrom(dims []dim, lead int) bool {
	for _, d := range dims[lead:] {
		if !d.full() {
			return false
		}
	}
	return true
}

// writtenSize is what is written as the size of the i-th dimension's pl.ds, where it means the same at the site: a number, a variable that both see, or
// a parameter that the site binds to one of these.
func (pl *plan) writtenSize(e *infer.Event, i int, k *infer.Kernel, h *holder) string {
	if len(e.Refs[0].Steps) > 0 {
		return ""
	}
	for _, it := range e.Index {
		call, ok := it.Node.(*parse.Call)
		if it.Dim != i || !ok || len(call.Args) < 2 || call.Args[1].Name != "" && call.Args[1].Name != "size" {
			continue
		}
		switch n := call.Args[1].Value.(type) {
		case *parse.Int:
			if it.Size.Is(n.Value) {
				return strconv.FormatInt(n.Value, 10)
			}
		case *parse.Name:
			if seenByBoth(pl.spot, h.call, n.ID) {
				return n.ID
			}
			return pl.boundByPartial(n.ID, k, h)
		}
	}
	return ""
}

// boundByPartial is what the site gives for a parameter of the kernel by functools.partial: a number, or a variable.
func (pl *plan) boundByPartial(name string, k *infer.Kernel, h *holder) string {
	p, ok := k.Site.Kernel.(*infer.Partial)
	if !ok || hiddenBelow(pl.spot, k.Fn.Def, name) || rebound(k.Fn.Def, name) {
		return ""
	}
	for _, a := range p.Arg {
		spot, found := edit.FindAt(pl.pass.File, a.Loc, func(n parse.Node) bool { return n == parse.Node(a.Node) })
		if a.Name != name || a.Node == nil || !found {
			continue
		}
		switch n := a.Node.(type) {
		case *parse.Int:
			return spot.Text(n)
		case *parse.Name:
			if seenByBoth(spot, h.call, n.ID) {
				return n.ID
			}
		}
	}
	return ""
}

func isArray(v infer.Value) bool {
	switch v.(type) {
	case *infer.Array, *infer.Opaque:
		return true
	}
	return false
}

// likeOutput repeats the arguments of the output's ShapeDtypeStruct, when that stands in the same function, or in the call itself.
func (pl *plan) likeOutput(o *infer.Operand, h *holder) string {
	t, ok := o.Value.(*infer.ShapeStruct)
	if !ok {
		return ""
	}
	spot, ok := edit.FindAt(pl.pass.File, t.Loc, func(n parse.Node) bool { _, isCall := n.(*parse.Call); return isCall })
	if !ok || spot.Chunk != h.call.Chunk || !sameCall(spot, h.call) {
		return ""
	}
	args := spot.Node().(*parse.Call).Args
	if len(args) != 2 || args[0].Star != 0 || args[1].Star != 0 || args[0].Name != "" && args[0].Name != "shape" || args[1].Name != "" && args[1].Name != "dtype" {
		return ""
	}
	return spot.Text(args[0].Value) + ", " + spot.Text(args[1].Value)
}

// sameCall: both are written within one call expression, with no function between, so that names mean the same.
func sameCall(a, b *edit.Spot) bool {
	fa, fb := a.Funcs(), b.Funcs()
	if len(fa) != len(fb) || len(fa) > 0 && fa[0] != fb[0] {
		return false
	}
	sa, _ := a.Stmt()
	sb, _ := b.Stmt()
	return sa == sb
}
