package budget

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/usage"
)

// smemOverBudget models libtpu's refusal of scratch and prefetched operands that exceed the scalar memory.
var smemOverBudget = &rule.Rule{
	Name: "smem-over-budget",
	Page: page("smem.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !s.Lowered() {
			return
		}
		var total int64
		var big usage.Buffer
		for _, b := range usage.SMEM(s) {
			total += b.Total()
			if b.Total() > big.Total() {
				big = b
			}
		}
		if total <= usage.SMEMCapacity {
			return
		}
		loc := partLoc(big)
		if !loc.Valid() {
			loc = s.Loc
		}
		p.Report(loc, "this kernel takes at least %s of SMEM; there is %s", size(total), size(usage.SMEMCapacity)).At(s.Loc)
	},
}
