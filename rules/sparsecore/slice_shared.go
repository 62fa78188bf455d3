package sparsecore

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const subcores = 16 // vector subcores of a SparseCore on every chip that has one

// sliceShared models jax/_src/pallas/mosaic/sc_core.py SharedMemRefSliceTransform.
var sliceShared = &rule.Rule{
	Name: "sc-slice-shared",
	Page: page("slice_shared.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plsc + "slice_subcore_vmem_from_shared": func(p *rule.Pass, c *infer.Call) {
		ref, ok := c.Arg("ref").(*infer.Ref)
		if !ok {
			return
		}
		if ref.Spaces.Never(jax.VMEMShared) {
			p.Report(c.ArgLoc("ref"), "`%s` is in %s; only a VMEM_SHARED ref has a part for each subcore", ref.Name, ref.Spaces).At(c.Loc).
				Says("ValueError: slice_subcore_vmem_from_shared requires a VMEM_SHARED reference, got memory space: %s", ref.Spaces).Because(ref.Why)
			return
		}
		if n, known := ref.View.Dim(-1).Known(); known && n%subcores != 0 {
			p.Report(c.ArgLoc("ref"), "the last dimension of `%s` is %d; it must divide by the %d subcores", ref.Name, n, subcores).At(c.Loc).
				Says("ValueError: VMEM_SHARED last dimension (%d) must be divisible by the total number of physical subcores, including inactive ones (%d).", n, subcores)
		}
	}},
}
