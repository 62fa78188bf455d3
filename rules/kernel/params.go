package kernel

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const tpuParams = "jax.experimental.pallas.tpu.CompilerParams"

// paramsType models the hashing of a primitive's parameters, and the assertion in
// jax/_src/pallas/mosaic/pallas_call_registration.py mpmd_map_tpu_lowering_rule.
var paramsType = &rule.Rule{
	Name: "compiler-params-type",
	Page: page("params_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" && !meshKernel(s) || !s.Core.IsTPU() {
			return
		}
		what := ""
		switch v := s.Params.(type) {
		case *infer.Dict:
			what = "a dict"
		case infer.Str, *infer.Int, *infer.Tuple, *infer.List:
			what = "no `CompilerParams`"
		case *infer.API:
			if !strings.HasSuffix(v.Name, "CompilerParams") {
				return
			}
			what = "the class itself, not called"
		case *infer.Params:
			if meshKernel(s) && s.Mesh != nil && s.Core.IsTPU() && v.API != tpuParams && strings.HasSuffix(v.API, "CompilerParams") {
				what = "`" + v.API + "`"
			}
		}
		if what == "" {
			return
		}
		p.Report(argLoc(p, s, "compiler_params"), "`compiler_params` is %s; a TPU kernel takes `pltpu.CompilerParams(...)`", what).
			Says("TypeError: unhashable type: 'dict'").
			Offer(makeParams(p, s, argLoc(p, s, "compiler_params"))).
			At(s.Loc)
	},
}

// paramsField models CompilerParams.__init__ (jax/_src/pallas/mosaic/core.py).
var paramsField = &rule.Rule{
	Name: "compiler-params-unknown-field",
	Page: page("params_field.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		tpuParams: func(p *rule.Pass, c *infer.Call) {
			for _, a := range c.Extra {
				if a.Name == "" || a.Star != 0 {
					continue
				}
				p.Report(here(p, a.Loc, c.Loc), "`pltpu.CompilerParams` of JAX %s has no field `%s`", p.Release.Version, a.Name).
					Says("TypeError: CompilerParams.__init__() got an unexpected keyword argument '%s'", a.Name).
					Offer(nearField(p, c, a)).
					At(c.Loc)
			}
		},
	},
}

// sideEffects models jax/_src/pallas/mosaic/pallas_call_registration.py _resolve_side_effect_type.
var sideEffects = &rule.Rule{
	Name: "side-effects-type",
	Page: page("side_effects.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		v, loc := param(p, s, "has_side_effects")
		switch v.(type) {
		case infer.Str, *infer.Int, infer.Float, infer.None:
		default:
			return
		}
		p.Report(loc, "`has_side_effects` is a bool or a `pltpu.SideEffectType`").
			Says("ValueError: Invalid side effect type: ...").
			Offer(toBool(p, loc, v)).
			At(s.Loc)
	},
}

// tcOnlyFlag models jax/_src/pallas/mosaic/pallas_call_registration.py _resolve_tiling.
var tcOnlyFlag = &rule.Rule{
	Name: "tc-only-flag",
	Page: page("tc_only_flag.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		v, loc := param(p, s, "use_tc_tiling_on_sc")
		if _, ok := v.(infer.Bool); !ok || s.Core != jax.TensorCore {
			return
		}
		p.Report(loc, "`use_tc_tiling_on_sc` is for SparseCore kernels; this one runs on a TensorCore").
			Says("ValueError: use_tc_tiling_on_sc= is not supported for TC kernels").
			Offer(without(p, s, "use_tc_tiling_on_sc", rule.Safe)).
			At(s.Loc)
	},
}

// param is a field of the compiler parameters that a TPU kernel is lowered with, and where it is given; nil when it is not.
func param(p *rule.Pass, s *infer.Site, name string) (infer.Value, parse.Loc) {
	params, ok := s.Params.(*infer.Params)
	if !ok || params.API != tpuParams || !s.Core.IsTPU() || s.Interpreted() || s.API != "pallas_call" && !meshKernel(s) {
		return nil, parse.Loc{}
	}
	return params.Call.Arg(name), here(p, params.Call.ArgLoc(name), s.Loc)
}

// costFloat models jax/_src/pallas/core.py CostEstimate.__post_init__.
var costFloat = &rule.Rule{
	Name: "cost-estimate-float",
	Page: page("cost_float.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.CostEstimate": func(p *rule.Pass, c *infer.Call) {
			for name, a := range c.Bound {
				if _, ok := a.Value.(infer.Float); ok {
					p.Report(here(p, a.Loc, c.Loc), "`%s` of a cost estimate is a float; all its fields are integers", name).
						Says("ValueError: All fields in CostEstimate must be ints. %s is not an int: <class 'float'>(...)", name).
						Offer(toInt(p, a.Loc)).
						At(c.Loc)
				}
			}
		},
	},
}

// vmemLimit models jax/_src/tpu_custom_call.py _lowered_to_custom_call_config.
var vmemLimit = &rule.Rule{
	Name: "vmem-limit-type",
	Page: page("vmem_limit.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		v, loc := param(p, s, "vmem_limit_bytes")
		switch v.(type) {
		case infer.Float, infer.Str:
		default:
			return
		}
		p.Report(loc, "`vmem_limit_bytes` must be an int; `64e6` and `/` are floats").
			Says("ValueError: vmem_limit_bytes must be an int: provided with a <class 'float'>.").
			Offer(intLimit(p, loc, v)).
			At(s.Loc)
	},
}

func intLimit(p *rule.Pass, loc parse.Loc, v infer.Value) *rule.Fix {
	if _, isFloat := v.(infer.Float); !isFloat {
		return nil
	}
	return toInt(p, loc)
}
