package budget

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const smemCapacity = 1 * mib // of every chip from v4 on

// smemOverBudget models libtpu's refusal of scratch and prefetched operands that exceed the scalar memory.
var smemOverBudget = &rule.Rule{
	Name: "smem-over-budget",
	Page: page("smem.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !s.Lowered() {
			return
		}
		var total int64
		var big Buffer
		for _, b := range smem(s) {
			total += b.Total()
			if b.Total() > big.Total() {
				big = b
			}
		}
		if total <= smemCapacity {
			return
		}
		loc := partLoc(big)
		if !loc.Valid() {
			loc = s.Loc
		}
		p.Report(loc, "this kernel takes at least %s of SMEM; there is %s", size(total), size(smemCapacity)).At(s.Loc)
	},
}

func smem(s *infer.Site) (parts []Buffer) {
	for _, o := range s.Inputs {
		n, ok := o.Array.Size()
		if o.Prefetched() && ok && o.DType.Known() {
			parts = append(parts, Buffer{Operand: o, Bytes: o.DType.Bytes(n), Count: 1})
		}
	}
	for _, o := range s.Scratches {
		if b, ok := scratch(s, o, jax.SMEM); ok && b.Bytes > 0 {
			parts = append(parts, b)
		}
	}
	return parts
}
