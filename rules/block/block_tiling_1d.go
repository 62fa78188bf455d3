package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// blockTiling1D models jax/_src/pallas/mosaic/lowering.py _check_block_mappings for blocks of rank 1.
var blockTiling1D = &rule.Rule{
	Name: "block-shape-1d",
	Page: page("block_tiling_1d.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if o.Spec == nil || !o.Ref.Spaces.Never(jax.Semaphore, jax.ANY, jax.HBM, jax.KEY, jax.INDEX, jax.ERROR) || !o.Array.IsRank(1) || !o.BlockOf().IsRank(1) {
			return
		}
		if whole, known := o.Whole(); o.Ref.Spaces.Has(jax.SMEM) && (whole || !known) {
			return
		}
		size, ok := o.BlockOf().Dim(0).Known()
		whole, known := o.BlockOf().Equal(o.Array)
		bits := bitsInMemory(o.DType)
		if !ok || !known || whole || bits == 0 {
			return
		}
		least := int64(128 * (32 / bits))
		if size%1024 == 0 || size >= least && size&(size-1) == 0 {
			return
		}
		p.Report(specArg(p, s, o, "block_shape"), "block (%d,) of %s, %s[%s]: a block of one dimension is the whole array, a multiple of 1024, or a power of 2 from %d on",
			size, o.Title(), o.DType, o.Array.Dim(0), least).
			Says("ValueError: The Pallas TPU lowering currently requires that rank 1 block shapes, either 1) the first (and only) dimension of the block shape is equal to the first (and only) dimension of the array shape, or 2) the first (and only) dimension of the block shape is a multiple of 1024, or 3) the first (and only) dimension of the block shape is a power of 2 and at least the tiling size (%d = 128 * (32 // %d)) of the array shape.", least, bits)
	}),
}

// bitsInMemory is the width of an element; booleans are kept as int32.
func bitsInMemory(d jax.DType) int {
	if d == jax.Bool {
		return 32
	}
	if b := d.Bits(); b <= 32 {
		return b
	}
	return 0
}
