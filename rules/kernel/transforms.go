package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// gradThrough models jax/_src/pallas/pallas_call.py _pallas_call_jvp_rule.
var gradThrough = &rule.Rule{
	Name: "grad-through-pallas-call",
	Page: page("grad.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" || s.Outer != nil {
			return
		}
		t := differentiates(s)
		if t == nil || !takesTangent(s, t) {
			return
		}
		what, says := "", "NotImplementedError"
		switch d, _ := s.Aliases.(*infer.Dict); {
		case s.Prefetch > 0:
			what = "scalar prefetch"
		case d != nil && entries(d) > 0:
			what, says = "input_output_aliases", "NotImplementedError: JVP with aliasing not supported."
		case len(s.Scratches) > 0:
			what, says = "scratch", "AssertionError (without a message)"
		default:
			return
		}
		p.Report(here(p, t.Loc, t.Call.Loc, s.Loc), "JAX can't differentiate a pallas_call with %s; give the function a `jax.custom_vjp`", what).
			Says("%s", says).
			Also(s.Loc, "the pallas_call").
			At(s.Loc)
	},
}

func entries(d *infer.Dict) int {
	keys, _, _ := d.Items()
	return len(keys)
}

// differentiates is the innermost jax.grad around a site, nil where there is none or a rule of the author's stands between.
func differentiates(s *infer.Site) *infer.Transform {
	for i := len(s.Under) - 1; i >= 0; i-- {
		switch s.Under[i].Kind {
		case "custom_vjp", "custom_jvp", "shard_map", "vmap", "pmap", "make_jaxpr":
			return nil
		case "grad":
			return s.Under[i]
		}
	}
	return nil
}

// takesTangent: an operand is the very argument that is differentiated.
func takesTangent(s *infer.Site, t *infer.Transform) bool {
	if t.Call.Arg("argnums") != nil || t.Call.Pos(1) != nil || t.Call.Open || len(t.Args) == 0 {
		return false
	}
	x, ok := t.Args[0].Value.(*infer.Array)
	if !ok || !x.DType.IsFloat() {
		return false
	}
	for _, a := range s.Operands {
		if a.Value == infer.Value(x) {
			return true
		}
	}
	return false
}

// vmapAny: jax.vmap gives every operand a squeezed dimension, which a window of an operand in ANY can't have
// (jax/_src/pallas/pallas_call.py _batch_block_mapping, jax/_src/pallas/mosaic/lowering.py _check_block_mappings).
var vmapAny = &rule.Rule{
	Name: "vmap-any-operand",
	Page: page("vmap_any.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.vmap": func(p *rule.Pass, c *infer.Call) {
			f, ok := c.Pos(0).(*infer.PallasFn)
			if !ok || c.Open || len(c.Args) > 1 || f.Site.API != "pallas_call" || f.Site.Core != jax.TensorCore || f.Site.Interpreted() {
				return
			}
			t, ok := sequence(f.Site.InSpecs)
			if !ok {
				return
			}
			for i, v := range all(t) {
				spec, ok := v.(*infer.BlockSpec)
				if ok && spec.Spaces.Only(jax.ANY, jax.HBM) {
					p.Report(c.Loc, "`jax.vmap` gives input %d a batch dimension, but it stays in %s, where only whole arrays can be passed", i, spec.Spaces).
						Says("ValueError: The Pallas TPU lowering currently supports in memory space ANY only blocks having the same block shape as the array shape and a trivial index_map (returning all 0s).").
						Also(spec.Loc, "its BlockSpec")
					return
				}
			}
		},
	},
}
