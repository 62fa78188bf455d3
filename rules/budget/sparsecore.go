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

// sparseCoreMemory models libtpu's allocation of a SparseCore's shared memory, out of which the VMEM of all its subcores is cut, and of the SMEM of
// a subcore.
var sparseCoreMemory = &rule.Rule{
	Name: "sc-memory-exhausted",
	Old:  []string{"sparsecore-out-of-memory"},
	Page: page("sparsecore.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.Interpreted() {
			return
		}
		if words := subcoreSMEM[s.Core]; words > 0 {
			scalarMemory(p, s, words*4)
		}
		if s.Core == jax.SCVectorSubcore {
			vectorMemory(p, s)
		}
	},
}

// subcoreSMEM is what libtpu leaves a kernel of a subcore's SMEM, in words of 4 bytes: the most of all chips and releases that were measured.
var subcoreSMEM = map[jax.Core]int64{jax.SCScalarSubcore: 16328, jax.SCVectorSubcore: 2048}

// scalarMemory compares each ref alone: those that are not in use at the same time may be given the same place.
func scalarMemory(p *rule.Pass, s *infer.Site, most int64) {
	if p.Chip != nil && !slices.Contains(measuredSC, p.Chip.Name) {
		return
	}
	for _, b := range usage.WholeScratch(s, jax.SMEM) {
		if b.Total() > most {
			p.Report(largest(s, []usage.Buffer{b}), "this asks for %s of SMEM; a %s has %s for a kernel", size(b.Total()), s.Core, size(most)).At(s.Loc)
		}
	}
}

// vectorMemory adds up what all subcores take.
func vectorMemory(p *rule.Pass, s *infer.Site) {
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
}

func sum(parts []usage.Buffer) (n int64) {
	for _, b := range parts {
		n += b.Total()
	}
	return n
}
