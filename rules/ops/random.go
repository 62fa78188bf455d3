package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// prngRank models jax/_src/pallas/mosaic/lowering.py _prng_random_bits_lowering_rule.
var prngRank = &rule.Rule{
	Name: "prng-rank",
	Page: page("prng_rank.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		x, ok := array(c.Result)
		if !ok {
			return
		}
		if rank, known := x.Shape.Rank(); known && rank < 2 {
			p.Report(c.Loc, "%s of shape %s; the generator fills arrays of two dimensions or more: ask for (1, n) and take the row", callee(c), x.Shape).
				Says("NotImplementedError: random_bits only supports rank>=2 outputs.")
		}
	}), "jax.experimental.pallas.tpu.prng_random_bits"),
}

// prngSeed models jax/_src/pallas/mosaic/lowering.py _prng_seed_lowering_rule.
var prngSeed = &rule.Rule{
	Name: "prng-seed-type",
	Page: page("prng_seed.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		for _, a := range c.Args {
			what := ""
			switch v := a.Value.(type) {
			case infer.Float:
				what = "a float"
			case *infer.Array:
				switch rank, known := v.Shape.Rank(); {
				case v.DType.IsExtended():
				case known && rank > 0:
					what = "an array of shape " + v.Shape.String()
				case known && v.DType.IsFloat():
					what = "a " + string(v.DType)
				}
			}
			if what != "" {
				p.Report(c.Loc, "the seed is %s; the generator takes integer scalars", what).
					Says("ValueError: All seed data must be scalar integers. Got ...")
				return
			}
		}
	}), "jax.experimental.pallas.tpu.prng_seed"),
}

// prngKeyData models jax/_src/pallas/mosaic/lowering.py random_unwrap_lowering and random_wrap_lowering.
var prngKeyData = &rule.Rule{
	Name: "prng-key-data",
	Page: page("prng_key_data.md"),
	Call: on(onTC(func(p *rule.Pass, c *infer.Call) {
		for _, prim := range c.Prims {
			switch {
			case prim.Name == "random_unwrap" && len(prim.In) == 1 && prim.In[0].DType == jax.KeyPallas:
				p.Report(c.Loc, "%s of a Pallas PRNG key; in a kernel it has no numbers to give: seed with the key itself, or `jax.random.fold_in` a number", callee(c)).
					Says("ValueError: key_data not support for Pallas PRNG keys. Use split_pallas_seed instead.")
			case prim.Name == "random_wrap" && prim.Out.DType == jax.KeyPallas:
				p.Report(c.Loc, "%s makes a Pallas PRNG key, and no kernel can: pass the key in, or seed with the numbers by `pltpu.prng_seed`", callee(c)).
					Says("ValueError: wrap_key_data not support for Pallas PRNG keys. Use wrap_pallas_seed instead.")
			}
		}
	}), "jax.random.key_data", "jax.random.wrap_key_data"),
}
