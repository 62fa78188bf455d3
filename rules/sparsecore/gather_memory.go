package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// gatherMemory models the space checks of jax/_src/pallas/mosaic/sc_primitives.py _gather_lowering_rule and _scatter_lowering_rule.
var gatherMemory = &rule.Rule{
	Name: "plsc-gather-memory",
	Page: page("gather_memory.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !compiled(k) {
			return
		}
		for _, e := range k.Events {
			if e.Op != infer.OpGather && e.Op != infer.OpScatter {
				continue
			}
			verb, says := "gathers from", "Gather only supports loading from VMEM, got "
			if e.Op == infer.OpScatter {
				verb, says = "scatters to", "Scatter only supports storing to VMEM, got "
			}
			ref := e.Refs[0]
			switch {
			case ref.Spaces.Never(jax.VMEM):
				p.Report(e.Loc, "`%s` %s `%s` in %s; only a subcore's own VMEM can be indexed like this", e.Via, verb, ref.Name, ref.Spaces).
					Says("ValueError: %s%s", says, ref.Spaces).Because(ref.Why).
					Offer(append(stage.Load(p, e), stage.Store(p, e)...)...)
			case e.Op == infer.OpGather && ref.Mem != nil && ref.Mem.Mesh != nil:
				p.Report(e.Loc, "`%s` gathers from `%s`, whose memory is tied to a mesh with `@`; allocate plain `pltpu.VMEM`", e.Via, ref.Name).
					Says("ValueError: %svmem@%s", says, k.Core.Name()).Because(ref.Why).
					Offer(stage.Load(p, e)...)
			}
		}
	},
}
