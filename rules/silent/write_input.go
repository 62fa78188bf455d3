package silent

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// writeInput: the block of an input is read before the step, and never written back; what is stored there stays until another one is read
// into its place.
var writeInput = &rule.Rule{
	Name: "write-to-input",
	Page: page("write_input.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Flow() {
			if r := inputWritten(e); r != nil && within(p, e.Loc) && !infer.Typed(e.Path) {
				if r.Role == infer.Prefetch {
					p.Report(e.Loc, "an index map reads %s, and blocks are fetched ahead: whether a later step's map sees what is stored there is not certain", name(r)).Because(r.Why)
					continue
				}
				p.Report(e.Loc, "%s is an input: what is stored there is lost, or found by a later step that was to see the operand", name(r)).
					Because(r.Why)
			}
		}
	}),
}

// inputWritten is the input that the event writes; nil: none for certain.
func inputWritten(e *infer.Event) *infer.Ref {
	i := 0
	switch {
	case e.Op == infer.OpDMAStart && !e.Implicit && e.Desc != nil && !e.Desc.Remote:
		i = 1
	case e.Op != infer.OpStore && e.Op != infer.OpScatter:
		return nil
	}
	r := e.Refs[i]
	if r == nil || r.Alloc.Sole() != r.Alloc || r.Role != infer.Input && r.Role != infer.Prefetch || r.Alloc.Guess || r.Alloc.Many || r.Alloc.Operand == nil || r.Kernel == nil {
		return nil
	}
	s := r.Kernel.Site
	if alias, known := aliasedInput(s, r.Alloc.Operand.Index); alias || !known || s.Open || !s.Complete {
		return nil
	}
	switch s.API {
	case "pallas_call":
		if r.Role == infer.Prefetch && !mapped(s, r.Alloc) { // as SMEM that keeps its content
			return nil
		}
		return r
	case "emit_pipeline":
		if r.Spaces.Only(jax.VMEM, jax.SMEM) && !r.Alloc.Operand.Direct {
			return r
		}
	case "kernel":
		if _, array := r.Alloc.Operand.Value.(*infer.Array); array { // a jax.Ref may be written
			return r
		}
	}
	return nil
}

// mapped: an index map of the site reads the scalar prefetch operand.
func mapped(s *infer.Site, a *infer.Alloc) bool {
	return slices.ContainsFunc(s.Blocks(), func(o *infer.Operand) bool {
		return o.Map != nil && slices.ContainsFunc(o.Map.Kernel.Events, func(e *infer.Event) bool { return mayRead(e, a) })
	})
}
