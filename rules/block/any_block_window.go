package block

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// anyBlockWindow models jax/_src/pallas/mosaic/lowering.py _check_block_mappings.
var anyBlockWindow = &rule.Rule{
	Name: "any-block-window",
	Page: page("any_block_window.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if o.Spec == nil || !o.Ref.Spaces.Only(jax.ANY, jax.HBM) || o.Array.IsRank(0) {
			return
		}
		if whole, known := o.Whole(); whole || !known {
			return
		}
		block, array := o.BlockOf(), o.Array
		how := "block " + block.String() + " of array " + array.String()
		if same, known := block.Equal(array); known && same {
			how = "an index map that moves"
		}
		p.Report(here(p, o.Spec.Loc, s.Loc), "%s is in %s and has %s; only a whole array can stay in %s, there is no pipeline that would cut it",
			o.Title(), o.Ref.Spaces, how, o.Ref.Spaces).
			Says("ValueError: The Pallas TPU lowering currently supports in memory space ANY only blocks having the same block shape as the array shape and a trivial index_map (returning all 0s).").
			Because(o.Ref.Why).
			Offer(bringBlocks(p, o))
	}),
}

// bringBlocks takes the memory space out of a spec, so that the pipeline brings its blocks to VMEM.
func bringBlocks(p *rule.Pass, o *infer.Operand) *rule.Fix {
	if o.Spec.Call == nil || !everySpec(p, o.Spec.Loc, func(q *infer.Operand) bool { whole, known := q.Whole(); return known && !whole }) {
		return nil
	}
	return edit.WithoutArg(p, o.Spec.Call, "memory_space", rule.Unsafe)
}
