package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// zeroRankVMEM models the check for refs without dimensions in jax/_src/pallas/mosaic/lowering.py _load_lowering_rule and
// _masked_swap_lowering_rule.
var zeroRankVMEM = &rule.Rule{
	Name: "zero-rank-vmem-ref",
	Page: page("zero_rank_vmem.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, e := range k.Events {
			store := e.Op == infer.OpStore && e.Aug == ""
			if e.Op != infer.OpLoad && !store || dropped(e) {
				continue
			}
			ref := e.Refs[0]
			if !ref.Spaces.Only(jax.VMEM) || !rankless(ref) || ref.Type.Kind() == jax.KindKey { // a key is an array below
				continue
			}
			p.Report(e.Loc, "%s has shape () and is in VMEM, which has no scalars: nothing can be loaded from it or stored to it", name(ref)).
				Says("NotImplementedError: Indexing into a ()-shaped Ref not yet supported on TPU.").
				Because(ref.Why).
				Offer(allocated(p, ref, "SMEM"))
		}
	},
}
