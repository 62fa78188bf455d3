package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// pipelineOperands models the pairing of specs and refs in jax/_src/pallas/mosaic/pipeline.py _filter_specs_and_refs.
var pipelineOperands = &rule.Rule{
	Name: "pipeline-operand-count",
	Page: page("pipeline_operands.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !s.Miscounted() {
			return
		}
		in, out := len(infer.SpecsIn(s.InSpecs)), len(infer.SpecsIn(s.OutSpecs))
		p.Report(here(p, s.CallLoc, s.Loc), "the pipeline is given %s for %d in_specs and %d out_specs", plural(s.Given(), "ref"), in, out).
			Says("ValueError: pytree structure error: different lengths of tuple at key path").
			Offer(passOutputs(p, s, in, out, s.Given())).
			Also(s.Loc, "the pipeline is made here").
			At(s.Loc)
	},
}

// pipelineBlocks calls f for each operand with a spec of a pipeline that runs on refs.
func pipelineBlocks(f func(*rule.Pass, *infer.Site, *infer.Operand)) func(*rule.Pass, *infer.Site) {
	return func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() || !s.Called || s.Outer == nil || s.OwnBuffers() || s.Miscounted() {
			return
		}
		for _, o := range s.Blocks() {
			if o.Spec != nil {
				f(p, s, o)
			}
		}
	}
}

// pipelineGrid models jax/_src/pallas/mosaic/pipeline.py emit_pipeline.
var pipelineGrid = &rule.Rule{
	Name: "pipeline-grid-positive",
	Page: page("pipeline_grid.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() {
			return
		}
		for i, n := range s.Grid {
			k, ok := n.Known()
			if !ok || k > 0 {
				continue
			}
			loc := argLoc(p, s, "grid")
			if t, ok := sequence(s.GridArg); ok {
				loc = here(p, t.ElemLoc(i), loc)
			}
			p.Report(loc, "axis %d of the pipeline's grid is %d; all must be positive", i, k).
				Says("ValueError: All elements in the grid must be strictly positive, but got grid=...").
				At(s.Loc)
			return
		}
	},
}

// pipelineSpace models the check of memory spaces in jax/_src/pallas/mosaic/pipeline.py BufferedRef.create.
var pipelineSpace = &rule.Rule{
	Name: "pipeline-buffer-space",
	Page: page("pipeline_space.md"),
	Site: pipelineBlocks(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		loc := here(p, o.Spec.Call.ArgLoc("memory_space"), o.Spec.Loc, s.Loc)
		if o.Spec.Spaces.Never(jax.SMEM, jax.VMEM, jax.HBM, jax.KEY, jax.INDEX, jax.ERROR) {
			p.Report(loc, "%s would be buffered in %s; a pipeline has its buffers in VMEM or SMEM, or leaves a ref in HBM", o.Title(), o.Spec.Spaces).
				Says("ValueError: Unsupported buffer memory space: %s", o.Spec.Spaces).
				Offer(bufferIn(p, s, o)).
				At(s.Loc)
			return
		}
		src, ok := o.Value.(*infer.Ref)
		if ok && o.Spec.Spaces.Only(jax.HBM) && src.Spaces.Never(jax.ANY, jax.HBM) {
			p.Report(loc, "%s asks for HBM, but `%s` is in %s", o.Title(), src.Name, src.Spaces).
				Says("ValueError: You cannot request HBM block spec for a non-HBM source").
				Because(src.Why).
				At(s.Loc)
		}
	}),
}

// pipelineBuffers models jax/_src/pallas/mosaic/pipeline.py _make_pipeline_allocations and _normalize_buffer_count.
var pipelineBuffers = &rule.Rule{
	Name: "pipeline-buffer-options",
	Page: page("pipeline_buffers.md"),
	Site: pipelineBlocks(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		mode, ok := o.Spec.Mode.(*infer.Params)
		if !ok || mode.API != "jax.experimental.pallas.Buffered" {
			return
		}
		report := func(what, says string) {
			p.Report(here(p, o.Spec.Call.ArgLoc("pipeline_mode"), o.Spec.Loc, s.Loc), "%s %s", o.Title(), what).Says("%s", says).At(s.Loc)
		}
		if o.Ref.Role == infer.Output {
			if mode.Call.Arg("use_lookahead") == infer.Value(infer.Bool(true)) {
				report("is an output, and only inputs are fetched ahead", "ValueError: Output buffering does not support lookahead.")
				return
			}
			if something(mode.Call.Arg("revisit")) {
				report("has a revisit mode, which emit_pipeline does not implement", "NotImplementedError: emit_pipeline does not implement RevisitMode.")
				return
			}
		}
		src, isRef := o.Value.(*infer.Ref)
		n, isInt := mode.Call.Arg("buffer_count").(*infer.Int)
		if !isInt || !isRef || !src.Spaces.Only(jax.HBM, jax.ANY) || !o.Ref.Spaces.Only(jax.VMEM, jax.SMEM) {
			return
		}
		if k, known := n.Known(); known && k < 1 {
			report("has "+plural(int(k), "buffer")+"; it needs at least one", "ValueError: buffer_count must be at least 1, got "+n.String())
		}
	}),
}
