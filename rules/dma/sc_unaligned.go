package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scUnaligned models what the SparseCore compiler wants of parts of memory that is tiled as a TensorCore's is (measured with libtpu 0.0.52
// on 7x). Parts of fewer than eight rows go other ways and are left out, and so are parts that end where the array does.
var scUnaligned = &rule.Rule{
	Name: "sc-dma-unaligned-slice",
	Page: page("sc_unaligned.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onSparseCore(k) || k.Core != jax.SCVectorSubcore || !tiled(k) {
			return
		}
		for _, e := range starts(k) {
			for _, slot := range []int{source, destination} {
				r := e.Refs[slot]
				if r == nil || len(r.Steps) != 1 || r.Steps[0].Kind != "at" || !plain(r) || !r.Spaces.Only(jax.HBM, jax.VMEM) {
					continue
				}
				if dim, tile, says := offTile(r); says != "" {
					report(p, e, slot, "%s starts or ends within a tile of %d along dimension %d; take whole tiles, or set `use_tc_tiling_on_sc=False`", text(e.Locs[slot], name(r)), tile, dim).
						Says("JaxRuntimeError: INTERNAL: %s Failed to verify that the ... at dimension %d is divisible by the tile dimension %d.", says, dim, tile)
					break
				}
			}
		}
	},
}

// offTile is the dimension in which the part that .at names is not made of whole tiles; says is empty where none is known to be.
func offTile(r *infer.Ref) (dim int, tile int64, says string) {
	shape := r.Steps[0].From
	n, known := shape.Rank()
	bits := int64(r.Type.Bits())
	if !known || n == 0 || r.Type == jax.Bool || bits != 8 && bits != 16 && bits != 32 {
		return 0, 0, ""
	}
	if n == 1 {
		if bits != 32 {
			return packedTile(r, shape, 128*32/bits)
		}
		return 0, 0, ""
	}
	width, known := shape.Dim(-1).Known()
	rows, sized := r.View.Dim(-2).Known()
	if bits != 32 || !known || width <= 128 || !sized || rows < 8 {
		return 0, 0, ""
	}
	for _, x := range r.Steps[0].Index {
		tile := map[int]int64{n - 2: 8, n - 1: 128}[x.Dim]
		if tile == 0 {
			continue
		}
		if x.Kind != infer.IndexSlice && x.Kind != infer.IndexFull {
			return 0, 0, ""
		}
		if says := cuts(x, shape.Dims[x.Dim], tile); says != "" {
			return x.Dim, tile, says
		}
	}
	return 0, 0, ""
}

// packedTile judges a part of a one-dimensional array of narrow elements.
func packedTile(r *infer.Ref, shape infer.Shape, tile int64) (int, int64, string) {
	size, known := shape.Dims[0].Known()
	for _, x := range r.Steps[0].Index {
		if known && size >= tile && x.Dim == 0 && x.Kind == infer.IndexSlice {
			return 0, tile, cuts(x, shape.Dims[0], tile)
		}
	}
	return 0, 0, ""
}

// cuts says what the compiler does of a slice; empty when nothing is known to be wrong.
func cuts(x infer.IndexItem, dim *infer.Int, tile int64) string {
	if x.Kind != infer.IndexSlice || x.Step != nil {
		if step, known := x.Step.Known(); x.Kind != infer.IndexSlice || !known || step != 1 {
			return ""
		}
	}
	start, ok1 := x.Start.Known()
	size, ok2 := x.Size.Known()
	whole, ok3 := dim.Known()
	switch {
	case !ok1 || !ok2 || !ok3 || size < 1 || start+size > whole || start == 0 && size == whole:
		return ""
	case start%tile != 0:
		return offsetsSay
	case size%tile != 0 && start+size != whole:
		return sizesSay
	}
	return ""
}
