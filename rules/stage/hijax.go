package stage

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// Like returns the fix for a copy between a ref of a hijax type and an ordinary one: the buffer is allocated like the operand. It is offered
// where the kernel does nothing else with the buffer but copy from and to refs of hijax types.
func Like(p *rule.Pass, dma *infer.Event) []*rule.Fix {
	high, low := dma.Refs[0], dma.Refs[1]
	if high == nil || low == nil || high.High == low.High {
		return nil
	}
	if low.High {
		high, low = low, high
	}
	k := dma.Kernel
	if k == nil || len(high.Steps) > 0 || len(low.Steps) > 0 || low.Mem == nil || low.Mem.Call == nil || low.Mem.Call.Node == nil || !onlyHigh(k, low) {
		return nil
	}
	spot, ok := edit.Find(p.File, low.Mem.Call.Loc.Chunk, low.Mem.Call.Node)
	if !ok || low.Mem.Call.API != "memory_space" || high.Operand == nil || high.Role != infer.Input {
		return nil
	}
	name := highOperand(k, high.Operand)
	if name == nil || name.loc.Chunk != spot.Chunk || !steadyParam(spot, name.id, name.loc) {
		return nil
	}
	names := &edit.Names{Spot: spot}
	text := spot.Text(low.Mem.Call.Node.Func) + ".like(" + names.Name("jax", "typeof") + "(" + name.id + "))"
	return some(&rule.Fix{Title: "Allocate `" + low.Name + "` like `" + name.id + "`", Safety: rule.Unsafe,
		Edits: append([]rule.Edit{spot.Replace(spot.Node(), text)}, names.Edits...)})
}

// onlyHigh: the kernel copies between the memory and refs of hijax types, and that is all.
func onlyHigh(k *infer.Kernel, low *infer.Ref) bool {
	for _, e := range k.Events {
		for i, r := range e.Refs {
			if r == nil || r.Alloc != low.Alloc {
				continue
			}
			if e.Desc == nil || i > 1 || e.Refs[1-i] == nil || !e.Refs[1-i].High {
				return false
			}
		}
	}
	return !k.Blind && low.Spaces.Only(jax.VMEM, jax.SMEM, jax.HBM)
}

type place struct {
	id  string
	loc parse.Loc
}

// highOperand is the variable that is given as the operand.
func highOperand(k *infer.Kernel, o *infer.Operand) *place {
	if o.Index < 0 || o.Index >= len(k.Site.Operands) {
		return nil
	}
	for _, a := range k.Site.Operands[:o.Index+1] {
		_, inst := a.Value.(*infer.Instance)
		if a.Name != "" || a.Star != 0 || !inst && !isArray(a.Value) {
			return nil
		}
	}
	a := k.Site.Operands[o.Index]
	if n, ok := a.Node.(*parse.Name); ok {
		return &place{n.ID, a.Loc}
	}
	return nil
}
