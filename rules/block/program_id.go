package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const programID, numPrograms = "jax.experimental.pallas.program_id", "jax.experimental.pallas.num_programs"

// programIDAxis models jax/_src/pallas/core.py PallasGridContext.size.
var programIDAxis = &rule.Rule{
	Name: "program-id-axis",
	Page: page("program_id_axis.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){programID: axisInGrid, numPrograms: axisInGrid},
}

func axisInGrid(p *rule.Pass, c *infer.Call) {
	s := gridSite(c.Kernel)
	k, ok := axisOf(c)
	if pipe := pipelineSite(c.Kernel); pipe != nil && ok && k >= int64(len(pipe.Grid)) && !infer.Typed(c.Path) {
		p.Report(c.Loc, "axis %d is outside the grid %s of the pipeline, which has %s", k, gridText(pipe.Grid), axes(len(pipe.Grid))).
			Says("IndexError: list index out of range").
			Also(argLoc(p, pipe, "grid"), "the grid")
		return
	}
	if s == nil || !ok || infer.Typed(c.Path) || len(s.Grid) == 0 || k < int64(len(s.Grid)) && (k >= 0 || !s.Lowered() || c.API == numPrograms && k >= -int64(len(s.Grid))) {
		return
	}
	p.Report(c.Loc, "axis %d is outside the grid %s, which has %s", k, gridText(s.Grid), axes(len(s.Grid))).
		Says("ValueError: Axis %d is out of bounds for grid %s", k, gridText(s.Grid)).
		Also(argLoc(p, s, "grid"), "the grid")
}

// programIDNoGrid is the same of a pallas_call without a grid.
var programIDNoGrid = &rule.Rule{
	Name: "program-id-without-grid",
	Page: page("program_id_no_grid.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){programID: needsGrid, numPrograms: needsGrid},
}

func needsGrid(p *rule.Pass, c *infer.Call) {
	if s := meshSite(c.Kernel); s != nil && !infer.Typed(c.Path) {
		p.Report(c.Loc, "a kernel on a mesh has no grid; `jax.lax.axis_index` tells on which core it runs").
			Says("AssertionError (without a message)").
			Also(s.Loc, "the kernel is made here")
		return
	}
	s := gridSite(c.Kernel)
	k, ok := axisOf(c)
	if s == nil || !ok || infer.Typed(c.Path) || len(s.Grid) > 0 {
		return
	}
	p.Report(c.Loc, "the pallas_call of this kernel has no grid, so there is no axis %d", k).
		Says("ValueError: Axis %d is out of bounds for grid ()", k).
		Also(s.Loc, "the pallas_call")
}

func axisOf(c *infer.Call) (int64, bool) {
	v := c.Arg("axis")
	if v == nil {
		v = c.Pos(0)
	}
	n, ok := v.(*infer.Int)
	if !ok {
		return 0, false
	}
	return n.Known()
}

// gridSite is the pallas_call whose grid a kernel sees; nil when that is not known. The body of a pipeline sees the pipeline's own indices.
func gridSite(k *infer.Kernel) *infer.Site {
	for ; k != nil; k = k.Outer {
		switch {
		case k.Map != nil, k.Site.API == "emit_pipeline":
			return nil
		case k.Site.API == "pallas_call":
			if !k.Site.GridKnown {
				return nil
			}
			return k.Site
		}
	}
	return nil
}

// pipelineSite is the pipeline whose step a kernel is, nil where it is none or the grid is not known.
func pipelineSite(k *infer.Kernel) *infer.Site {
	for ; k != nil && k.Site.API == "run_scoped"; k = k.Outer {
	}
	if k == nil || k.Map != nil || k.Site.API != "emit_pipeline" || !k.Core.IsTPU() || !k.Site.GridKnown || len(k.Site.Grid) == 0 {
		return nil
	}
	return k.Site
}

// meshSite is the pl.kernel or pl.core_map whose body a kernel is; nil where it is none.
func meshSite(k *infer.Kernel) *infer.Site {
	for ; k != nil && k.Site.API == "run_scoped"; k = k.Outer {
	}
	if k == nil || k.Map != nil || !k.Core.IsTPU() || k.Site.API != "kernel" && k.Site.API != "core_map" {
		return nil
	}
	return k.Site
}

func axes(n int) string {
	if n == 1 {
		return "1 axis"
	}
	return plural(n, "axe")
}

// indexMapProgramID models the lowering of program_id where there are no indices of the user's
// (jax/_src/pallas/mosaic/lowering.py _program_id_lowering_rule).
var indexMapProgramID = &rule.Rule{
	Name: "program-id-in-index-map",
	Page: page("index_map_program_id.md"),
	Site: each(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		if o.Map == nil || len(s.Grid) == 0 {
			return
		}
		for _, c := range o.Map.Kernel.Calls {
			if c.API == programID {
				p.Report(here(p, c.Loc, o.Spec.Loc, s.Loc), "an index map is given the grid indices as its arguments; `pl.program_id` is for kernels").
					Says("ValueError: program id: %s was passed, but user did not provide a grid.", "0").
					Offer(useIndices(p, s, o)).
					At(s.Loc)
				return
			}
		}
	}),
}

// programIDOutside models jax/_src/pallas/core.py axis_frame.
var programIDOutside = &rule.Rule{
	Name: "program-id-outside-kernel",
	Page: page("program_id_outside.md"),
	World: func(p *rule.Pass, w *infer.World) {
		hosts := map[*infer.Func]bool{}
		for _, s := range w.Sites {
			if (s.API == "pallas_call" || s.API == "kernel") && s.Outer == nil {
				hosts[s.Call.Fn] = true
			}
		}
		for _, c := range w.Calls {
			if (c.API == programID || c.API == numPrograms) && hosts[c.Fn] {
				p.Report(c.Loc, "this code runs before the kernel, where there is no grid; ask for `%s` inside the kernel", c.API[len("jax.experimental.pallas."):]).
					Says("AssertionError (without a message)")
			}
		}
	},
}
