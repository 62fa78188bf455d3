package budget

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/usage"
)

// measuredSC are the chips whose SparseCores were put to the test.
var measuredSC = []string{"v5p", "v6e", "7x"}

// sparseCoreMemory models libtpu's allocation of a SparseCore's shared memory, out of which the VMEM of all its subcores is cut.
var sparseCoreMemory = &rule.Rule{
	Name: "sc-memory-exhausted",
	Page: page("sparsecore.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.Core != jax.SCVectorSubcore || s.Interpreted() {
			return
		}
		private, shared := usage.WholeScratch(s, jax.VMEM), usage.WholeScratch(s, jax.VMEMShared)
		chips := measuredSC
		if p.Chip != nil {
			chips = []string{p.Chip.Name}
		}
		var need, most int64
		for _, name := range chips {
			chip, ok := jax.ParseChip(name)
			if !ok || chip.SparseCore == nil || !slices.Contains(measuredSC, chip.Name) {
				return
			}
			copies := int64(chip.SparseCore.Subcores)
			n, capacity := copies*sum(private)+sum(shared), copies*int64(chip.SparseCore.VMEM)
			if n <= capacity {
				return
			}
			need, most = max(need, n), max(most, capacity)
		}
		parts := append(private, shared...)
		d := p.Report(largest(s, parts), "the subcores of one SparseCore take at least %s here, of %s; VMEM counts once for each subcore, and VMEM_SHARED comes out of the same memory", size(need), size(most)).At(s.Loc)
		for _, b := range parts {
			d.Also(partLoc(b), "%s: %s", title(b), sizeOf(b))
		}
	},
}

func sum(parts []usage.Buffer) (n int64) {
	for _, b := range parts {
		n += b.Total()
	}
	return n
}
