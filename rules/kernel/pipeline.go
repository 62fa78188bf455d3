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
		if !pipelineCount(s) {
			return
		}
		in, out := len(pipelineSpecs(s.InSpecs)), len(pipelineSpecs(s.OutSpecs))
		p.Report(here(p, s.CallLoc, s.Loc), "the pipeline is given %s for %d in_specs and %d out_specs", plural(pipelineRefs(s), "ref"), in, out).
			Says("ValueError: pytree structure error: different lengths of tuple at key path").
			Offer(passOutputs(p, s, in, out, pipelineRefs(s))).
			Also(s.Loc, "the pipeline is made here").
			At(s.Loc)
	},
}

// pipelineCount: the pipeline is called with more or fewer refs than it has specs.
func pipelineCount(s *infer.Site) bool {
	if s.API != "emit_pipeline" || !s.Called || s.Outer == nil {
		return false
	}
	in, out, n := pipelineSpecs(s.InSpecs), pipelineSpecs(s.OutSpecs), pipelineRefs(s)
	return in != nil && out != nil && n >= 0 && n != len(in)+len(out)
}

// pipelineRefs is how many refs the pipeline was called with; -1 when that is not known.
func pipelineRefs(s *infer.Site) int {
	n := 0
	for _, a := range s.Operands {
		switch {
		case a.Star != 0 || a.Name == "allocations":
			return -1
		case a.Name == "":
			n++
		}
	}
	return n
}

func pipelineSpecs(v infer.Value) []infer.Value {
	if b, ok := v.(*infer.BlockSpec); ok {
		return []infer.Value{b}
	}
	t, ok := sequence(v)
	if !ok {
		return nil
	}
	return append([]infer.Value{}, all(t)...)
}

// pipelineRank models the zip of block and ref in jax/_src/pallas/mosaic/pipeline.py BufferedRef.get_dma_slice.
var pipelineRank = &rule.Rule{
	Name: "pipeline-block-rank",
	Page: page("pipeline_rank.md"),
	Site: pipelineBlocks(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		n, known := o.Array.Rank()
		if o.Spec.Dims == nil || o.Spec.NoBlock || !known || n == len(o.Spec.Dims) {
			return
		}
		p.Report(here(p, o.Spec.Call.ArgLoc("block_shape"), o.Spec.Loc, s.Loc), "the block of %s has %s, the ref %s that it is cut from has %d", o.Title(), plural(len(o.Spec.Dims), "dimension"), o.Array, n).
			Says("ValueError: safe_zip() argument 1 has length %d but argument 0 has length %d.", n, len(o.Spec.Dims)).
			Also(s.CallLoc, "the pipeline is given its refs here").
			At(s.Loc)
	}),
}

// pipelineBlocks calls f for each operand with a spec of a pipeline that runs on refs.
func pipelineBlocks(f func(*rule.Pass, *infer.Site, *infer.Operand)) func(*rule.Pass, *infer.Site) {
	return func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() || !s.Called || s.Outer == nil || s.OwnBuffers() || pipelineCount(s) {
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
