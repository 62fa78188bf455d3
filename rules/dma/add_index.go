package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scAddIndex models the last check of jax/_src/pallas/mosaic/sc_lowering.py _prepare_dma_refs.
var scAddIndex = &rule.Rule{
	Name: "sc-dma-add-needs-index",
	Page: page("add_index.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) {
			return
		}
		for _, e := range adds(k) {
			src, dst := e.Refs[source], e.Refs[destination]
			if src == nil || dst == nil || !direct(src) || !direct(dst) {
				continue
			}
			in := src.Spaces.Only(jax.HBM, jax.VMEMShared) && dst.Spaces.Only(jax.VMEM)
			out := src.Spaces.Only(jax.VMEM) && dst.Spaces.Only(jax.VMEMShared)
			if !in && !out {
				continue
			}
			side, far := "src_ref", src
			if out {
				side, far = "dst_ref", dst
			}
			p.Report(e.Desc.Loc, "this copy adds, and %s is not indexed by a list; on a SparseCore only gathers and scatters add", name(far)).
				Says("NotImplementedError: DMAs with `add=True` must (for now) specify offsets of the majormost dimension. You can do this by writing `pltpu.async_copy(..., %s=%s.at[jnp.arange(vec_dim)], ...)`", side, side)
		}
	},
}
