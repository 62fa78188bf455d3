package usage

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// SMEM lists the prefetched operands and scratch of a site that are in SMEM, as far as sizes are known.
func SMEM(s *infer.Site) (parts []Buffer) {
	parts = prefetched(s)
	for _, o := range s.Scratches {
		if b, ok := scratch(s, o, jax.SMEM); ok && b.Bytes > 0 {
			parts = append(parts, b)
		}
	}
	return parts
}

func prefetched(s *infer.Site) (parts []Buffer) {
	for _, o := range s.Inputs {
		n, ok := o.Array.Size()
		if o.Prefetched() && ok && o.DType.Known() {
			parts = append(parts, Buffer{Operand: o, Bytes: o.DType.Bytes(n), Count: 1})
		}
	}
	return parts
}
