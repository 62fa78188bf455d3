package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// blockTiling models jax/_src/pallas/mosaic/lowering.py _check_block_mappings for blocks of rank 2 and more.
var blockTiling = &rule.Rule{
	Name: "block-shape-tiling",
	Page: page("block_tiling.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if o.Ref.Spaces.Never(jax.SMEM, jax.Semaphore, jax.ANY, jax.HBM, jax.KEY, jax.INDEX, jax.ERROR) {
			reportTiling(p, s, o)
		}
	}),
}

// smemTiling is the same of blocks in SMEM, where only a whole array is exempt.
var smemTiling = &rule.Rule{
	Name: "smem-block-tiling",
	Page: page("smem_tiling.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if !o.Ref.Spaces.Only(jax.SMEM) {
			return
		}
		if whole, known := o.Whole(); known && !whole {
			reportTiling(p, s, o)
		}
	}),
}

func reportTiling(p *rule.Pass, s *infer.Site, o *infer.Operand) {
	i, unit := untiled(o)
	if unit == 0 {
		return
	}
	block := o.BlockOf()
	p.Report(specArg(p, s, o, "block_shape"), "block %s of %s, an array %s: dimension %d of the block is %s, neither a multiple of %d nor the whole %s",
		block, o.Title(), o.Array, i, sizeOf(o, i), unit, o.Array.Dim(i)).
		Says("ValueError: The Pallas TPU lowering currently requires that the last two dimensions of your block shape are divisible by 8 and 128 respectively, or be equal to the respective dimensions of the overall array.").
		Also(s.Loc, "the call that gives it an array %s", o.Array)
}

func sizeOf(o *infer.Operand, i int) string {
	size := o.BlockOf().Dim(i).String()
	if i < len(o.Spec.Dims) && o.Spec.Dims[i].Kind == "squeezed" {
		size += " (squeezed)"
	}
	return size
}

// untiled is a dimension among the last two that is neither a multiple of its unit nor the whole of the array's; unit 0: none is known.
func untiled(o *infer.Operand) (dim, unit int) {
	block := o.BlockOf()
	n, known := block.Rank()
	if o.Spec == nil || !known || n < 2 || !o.Array.IsRank(n) {
		return 0, 0
	}
	for _, d := range []struct{ dim, unit int }{{n - 1, 128}, {n - 2, 8}} {
		size, ok := block.Dim(d.dim).Known()
		if whole, known := block.Dim(d.dim).Equal(o.Array.Dim(d.dim)); ok && known && !whole && size%int64(d.unit) != 0 {
			return d.dim, d.unit
		}
	}
	return 0, 0
}
