package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// unaligned models what Mosaic wants of parts of tiled memory at the ends of a TensorCore's copies (measured with libtpu 0.0.52 on v4, v5e,
// v5p, v6e and 7x; what only some chips refuse is left out, except where the configured chip does).
var unaligned = &rule.Rule{
	Name: "dma-slice-unaligned",
	Page: page("unaligned.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, e := range starts(k) {
			for _, slot := range []int{source, destination} {
				r := e.Refs[slot]
				if r == nil || len(r.Steps) != 1 || r.Steps[0].Kind != "at" || !plain(r) || !r.Spaces.Only(jax.ANY, jax.HBM, jax.VMEM) {
					continue
				}
				if why, says := misaligned(p, r, slot); why != "" {
					report(p, e, slot, "%s %s", text(e.Locs[slot], name(r)), why).Says("MosaicError: INTERNAL: Mosaic failed to compile TPU kernel: %s", says)
				}
			}
		}
	},
}

const (
	offsetsSay = "Offsets along tiled dimensions must be aligned to tiles."
	sizesSay   = "Slice sizes along tiled dimensions must be aligned to tiles."
)

// misaligned says what is wrong with the part of r that its .at names; empty when nothing is known to be.
func misaligned(p *rule.Pass, r *infer.Ref, slot int) (why, says string) {
	shape := r.Steps[0].From
	n, known := shape.Rank()
	bits := r.Type.Bits()
	if !known || n == 0 || bits != 8 && bits != 16 && bits != 32 || r.Type == jax.Bool {
		return "", ""
	}
	for _, x := range r.Steps[0].Index {
		switch x.Dim {
		case n - 1:
			why, says = lanes(p, r, slot, x, shape, bits)
		case n - 2:
			why, says = rows(x, shape, bits)
		}
		if why != "" {
			return why, says
		}
	}
	return "", ""
}

// lanes judges the last dimension, which lies in tiles of 128.
func lanes(p *rule.Pass, r *infer.Ref, slot int, x infer.IndexItem, shape infer.Shape, bits int) (why, says string) {
	dim, known := shape.Dim(-1).Known()
	if !known || dim < 128 || len(shape.Dims) == 1 && (dim < 1024 || bits != 32) {
		return "", ""
	}
	switch {
	case x.Kind == infer.IndexInt && len(shape.Dims) > 1:
		return "picks one element of each row; the last dimension is copied in pieces of 32 bytes at least", "The contiguous inner slice in the DMA transfer must be divisible by 32 bytes."
	case x.Kind != infer.IndexSlice:
		return "", ""
	}
	if start, ok := x.Start.Known(); ok {
		if off := start % 128; off%64 != 0 || off != 0 && halfTile(p, r, slot, bits) {
			return "starts within a tile of 128 along the last dimension", offsetsSay
		}
		return "", ""
	}
	if x.Start.Unproven(64) {
		return "starts at a computed place in the last dimension, which is not known to be a multiple of 128", offsetsSay
	}
	return "", ""
}

// halfTile: a start at half a tile is refused too.
func halfTile(p *rule.Pass, r *infer.Ref, slot, bits int) bool {
	switch {
	case bits == 16, r.Spaces.Only(jax.VMEM):
		return true
	case p.Chip == nil || !r.Spaces.Only(jax.ANY, jax.HBM):
		return false
	case slot == source:
		return p.Chip.Name != "v5p"
	}
	return p.Chip.Name == "v5e" || p.Chip.Name == "v4"
}
