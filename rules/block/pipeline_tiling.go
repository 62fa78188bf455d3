package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// pipelineTiling models jax/_src/pallas/mosaic/pipeline.py _create_blocked_slice and jax/_src/tpu_info.py infer_tiling.
var pipelineTiling = &rule.Rule{
	Name: "pipeline-block-tiling",
	Page: page("pipeline_tiling.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() || !s.Called || s.Outer == nil || s.OwnBuffers() || given(s.Call.Arg("tiling")) {
			return
		}
		for _, o := range s.Blocks() {
			if dim, tile := raggedBlock(p, o); tile > 0 {
				block := o.BlockOf()
				p.Report(specArg(p, s, o, "block_shape"), "block %s of %s does not divide its ref %s in dimension %d, so %s must be a multiple of the tile, %d",
					block, o.Title(), o.Array, dim, block.Dim(dim), tile).
					Says("ValueError: Block size must divide tiling: block_size=%s, tiling=%d", block.Dim(dim), tile).
					At(s.Loc)
			}
		}
	},
}

// raggedBlock is a dimension that the block does not divide, with the tile that it is no multiple of; tile 0: none is known.
func raggedBlock(p *rule.Pass, o *infer.Operand) (dim, tile int) {
	bits := o.DType.Bits()
	if o.Spec == nil || o.Spec.NoBlock || o.Spec.Dims == nil || !o.Array.IsRank(len(o.Spec.Dims)) || bits == 0 || bits > 32 || o.Direct {
		return 0, 0
	}
	rank := len(o.Spec.Dims)
	for i := max(rank-2, 0); i < rank; i++ {
		b, ok1 := o.Spec.Dims[i].Size.Known()
		n, ok2 := o.Array.Dim(i).Known()
		if !ok1 || !ok2 || b <= 0 || o.Spec.Dims[i].Kind != "blocked" || n%b == 0 {
			continue
		}
		if t := tileOf(p, rank, i, int(n), 32/bits); t > 0 && b%int64(t) != 0 {
			return i, t
		}
	}
	return 0, 0
}

// tileOf is the tile of one of the last two dimensions, of size n, with so many elements in 32 bits; 0 where it depends on the chip.
func tileOf(p *rule.Pass, rank, dim, n, packing int) int {
	if p.Chip != nil && p.Chip.Generation < 4 {
		return 0
	}
	switch {
	case rank == 1:
		return packing * 128
	case dim == rank-1:
		return 128
	}
	t := packing
	for t < min(n, 8) {
		t *= 2
	}
	return t
}
