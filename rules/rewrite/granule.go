package rewrite

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// wastesGranule: HBM is read and written in granules (jax/_src/tpu_info.py SparseCoreInfo.dma_granule_size_bytes), so a shorter piece costs a whole one.
var wastesGranule = &rule.Rule{
	Name: "sc-copy-wastes-granule",
	Off:  true,
	Page: page("granule.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Core != jax.SCVectorSubcore {
			return
		}
		granule := smallestGranule(p)
		for _, e := range k.Starts() {
			for i, r := range e.Refs[:2] {
				run, known := piece(r)
				if !known || run >= granule || !r.Spaces.Only(jax.HBM, jax.ANY) || e.Desc == nil {
					continue
				}
				p.Report(e.Locs[i], "%s is copied in pieces of %d bytes, and HBM is reached in granules of %d: most of what moves is not used", named(r), run, granule).At(e.Desc.Loc)
			}
		}
	},
}

// smallestGranule is that of the chip, or the smallest that any chip has.
func smallestGranule(p *rule.Pass) (n int64) {
	chips := jax.Chips()
	if p.Chip != nil {
		chips = []*jax.Chip{p.Chip}
	}
	for _, c := range chips {
		if c.SparseCore != nil && (n == 0 || int64(c.SparseCore.Granule) < n) {
			n = int64(c.SparseCore.Granule)
		}
	}
	return n
}

// piece is how many bytes of a part of an array lie behind each other.
func piece(r *infer.Ref) (bytes int64, known bool) {
	if r == nil || r.DType == "" {
		return 0, false
	}
	dims, ok := r.Alloc.Shape.Known()
	part := infer.RegionOf(r, nil)
	if !ok || len(part.Spans) != len(dims) || part.Whole {
		return 0, false
	}
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		size, sized := part.Spans[d].Size.Known()
		if !sized {
			return 0, false
		}
		n *= size
		if size != dims[d] {
			break
		}
	}
	return r.DType.Bytes(n), true
}
