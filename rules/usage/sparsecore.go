package usage

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// WholeScratch lists the scratch of a site in the space that is used as a whole, as far as sizes are known: of the rest the compiler may keep a part.
func WholeScratch(s *infer.Site, space jax.Space) (parts []Buffer) {
	for _, o := range s.Scratches {
		if b, ok := scratch(s, o, space); ok && b.Bytes > 0 && b.Needed {
			parts = append(parts, b)
		}
	}
	return parts
}
