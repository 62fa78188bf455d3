package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// scAnyGet: a ref in ANY passes the space checks of jax/_src/pallas/mosaic/sc_lowering.py _load_lowering_rule and _store_lowering_rule, which
// name HBM and VMEM_SHARED only, and the operation that comes out of them is refused.
var scAnyGet = &rule.Rule{
	Name: "sc-any-get",
	Page: page("sc_any_get.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range k.Events {
			store := e.Op == infer.OpStore && e.Aug == ""
			if e.Op != infer.OpLoad && !store || masked(e) || !e.RShape || !data(e.Refs[0]) {
				continue
			}
			ref := e.Refs[0]
			if !ref.Spaces.Only(jax.ANY, jax.CMEM) {
				continue
			}
			p.Report(e.Loc, "%s is in %s; a %s loads and stores only in its own VMEM or SMEM", name(ref), ref.Spaces, k.Core).
				Says("%s", anySays(e)).
				Because(ref.Why).
				Offer(append(stage.Load(p, e), stage.Store(p, e)...)...)
		}
	},
}

func anySays(e *infer.Event) string {
	switch {
	case !scalar(e):
		return "VerificationError: Pallas encountered an internal verification error. ... 'tpu.vector_load' op Expected base memref to be in VMEM."
	case e.Op == infer.OpLoad:
		return "NotImplementedError: Get only supports loading scalars from SMEM. Trying to load a scalar from"
	}
	return "NotImplementedError: Swap only supports scalars in SMEM. Trying to swap a scalar in"
}
