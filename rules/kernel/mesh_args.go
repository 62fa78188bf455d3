package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// meshArguments models the signatures of the meshes (jax/_src/pallas/mosaic/sc_core.py, jax/_src/pallas/mosaic/core.py), which are
// dataclasses of keywords only.
var meshArguments = &rule.Rule{
	Name: "mesh-arguments",
	Page: page("mesh_args.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		vectorMesh: meshArgs("core_axis_name", "subcore_axis_name"),
		scalarMesh: meshArgs("axis_name"),
		"jax.experimental.pallas.tpu.TensorCoreMesh": meshArgs("axis_name"),
	},
}

func meshArgs(required ...string) func(*rule.Pass, *infer.Call) {
	return func(p *rule.Pass, c *infer.Call) {
		if c.Open {
			return
		}
		name := c.API[lastDot(c.API)+1:]
		for _, a := range c.Args {
			if a.Name == "" {
				p.Report(here(p, a.Loc, c.Loc), "`%s` takes keywords only: `%s=`", name, required[0]).
					Says("TypeError: %s.__init__() takes 1 positional argument but %d were given", name, len(c.Args)+1).
					At(c.Loc)
				return
			}
		}
		for _, r := range required {
			if c.Bound[r] == nil {
				p.Report(c.Loc, "`%s` needs `%s`", name, r).
					Says("TypeError: %s.__init__() missing 1 required keyword-only argument: '%s'", name, r)
				return
			}
		}
	}
}

func lastDot(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return i
		}
	}
	return -1
}

// meshMissing models the signatures of pl.kernel (jax/_src/pallas/helpers.py) and pl.core_map (jax/_src/pallas/core.py).
var meshMissing = &rule.Rule{
	Name: "kernel-without-mesh",
	Page: page("mesh_missing.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.kernel":   needsMesh,
		"jax.experimental.pallas.core_map": needsMesh,
	},
}

func needsMesh(p *rule.Pass, c *infer.Call) {
	if c.Open || c.Bound["mesh"] != nil {
		return
	}
	name := c.API[lastDot(c.API)+1:]
	p.Report(c.Loc, "`pl.%s` needs a mesh: the cores on which the kernel runs", name).
		Says("TypeError: %s() missing 1 required argument: 'mesh'", name)
}
