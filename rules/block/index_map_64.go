package block

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// indexMap64 is what libtpu says of an index map that returns int64: under jax_enable_x64 a Python int is one, also those that JAX makes up where no
// index map is given.
var indexMap64 = &rule.Rule{
	Name: "index-map-64bit",
	Page: page("index_map_64.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		s := k.Site
		if !s.Lowered() || k.X64 != infer.X64On || k.Outer != nil || len(s.Grid) == 0 {
			return
		}
		for _, o := range s.Blocks() {
			what, loc := wideIndex(p, s, o)
			if what == "" {
				continue
			}
			p.Report(loc, "with jax_enable_x64 %s of %s, and Mosaic takes none but int32; write `jnp.int32(0)`, not `0`", what, o.Title()).
				Says("JaxRuntimeError: INTERNAL: Mosaic failed to compile TPU kernel: failed to legalize operation 'func.return'").At(s.Loc)
		}
	},
}

// wideIndex says what makes an int64 among the block indices of an operand that has a window, and where.
func wideIndex(p *rule.Pass, s *infer.Site, o *infer.Operand) (string, parse.Loc) {
	switch {
	case o.Ref == nil || o.Ref.Spaces != jax.SpacesOf(jax.VMEM) && o.Ref.Spaces != jax.SpacesOf(jax.SMEM):
		return "", parse.Loc{}
	case o.Spec == nil:
		return implied(o, here(p, argLoc(p, s, argOf(o)), s.Loc))
	case o.Spec.IndexMap == nil && !o.Spec.Call.Open:
		return implied(o, here(p, o.Spec.Loc, s.Loc))
	case o.Map == nil || o.Spec.Dims == nil:
		return "", parse.Loc{}
	}
	vs := o.Map.Values()
	if len(vs) != len(o.Spec.Dims) {
		return "", parse.Loc{}
	}
	for i, v := range vs {
		if isWide(v) && notAnIndex(v, o.Spec.Dims[i].Kind) == "" && o.Spec.Dims[i].Kind != "bounded_slice" {
			return "an int64 is a block index", here(p, returnLoc(o.Map), o.Spec.Loc, s.Loc)
		}
	}
	return "", parse.Loc{}
}

func argOf(o *infer.Operand) string {
	if o.Ref.Role == infer.Output {
		return "out_specs"
	}
	return "in_specs"
}

// implied: JAX's own index map gives Python zeros, one for each dimension.
func implied(o *infer.Operand, loc parse.Loc) (string, parse.Loc) {
	if n, known := o.Array.Rank(); !known || n == 0 {
		return "", parse.Loc{}
	}
	return "the index map that JAX makes up gives int64 for the blocks", loc
}

// isWide: the component becomes an int64.
func isWide(v infer.Value) bool {
	switch v := v.(type) {
	case *infer.Int:
		return true
	case *infer.Array:
		return v.DType == jax.Int64
	}
	return false
}
