package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// pipelineValue: jax/_src/pallas/mosaic/pipeline.py emit_pipeline asks each operand for the array behind a ref.
var pipelineValue = &rule.Rule{
	Name: "pipeline-operand-value",
	Page: page("pipeline_value.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Called || s.Outer == nil || s.Outer.Core.IsGPU() || s.Miscounted() {
			return
		}
		for _, a := range s.Operands {
			if _, isValue := a.Value.(*infer.Array); isValue && a.Star == 0 && a.Name == "" {
				p.Report(here(p, a.Loc, s.CallLoc, s.Loc), "a pipeline is given refs, from which it copies its blocks; this is a value that was loaded or computed").At(s.Loc).
					Says("AttributeError: 'ShapedArray' object has no attribute 'inner_aval'")
			}
		}
	},
}

// pipelineCoreAxis models the tests of core_axis in jax/_src/pallas/mosaic/pipeline.py emit_pipeline and of the axis in
// jax/_src/pallas/primitives.py program_id.
var pipelineCoreAxis = &rule.Rule{
	Name: "pipeline-core-axis",
	Page: page("pipeline_core_axis.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Called || s.Outer == nil || s.Outer.Core.IsGPU() || s.Call.Open {
			return
		}
		axis, name := s.Call.Arg("core_axis"), s.Call.Arg("core_axis_name")
		if _, none := axis.(infer.None); axis == nil || none || !given(axis) {
			return
		}
		if name != nil && given(name) {
			p.Report(argLoc(p, s, "core_axis_name"), "a pipeline is split over `core_axis` or over `core_axis_name`, not both").At(s.Loc).
				Says("ValueError: Only one of `core_axis` or `core_axis_name` can be set.")
			return
		}
		outer := s.Outer.Root().Site
		k, known := intOf(axis)
		if !known || outer.API != "pallas_call" || !outer.GridKnown || outer.Open || k >= 0 && k < len(outer.Grid) {
			return
		}
		p.Report(argLoc(p, s, "core_axis"), "`core_axis=%d` is an axis of the kernel's grid, which has %s", k, plural(len(outer.Grid), "axis")).At(s.Loc).
			Says("ValueError: Axis %d is out of bounds for grid ...", k).Also(outer.Loc, "the kernel is called here")
	},
}

// given: the argument is there and is not None.
func given(v infer.Value) bool {
	switch v.(type) {
	case *infer.Int, infer.Str, *infer.Tuple:
		return true
	}
	return false
}

// scratchNegative: a memref of negative size is no type.
var scratchNegative = &rule.Rule{
	Name: "scratch-negative-size",
	Page: page("scratch_negative.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !s.Core.IsTPU() || s.Interpreted() {
			return
		}
		for _, o := range s.Scratches {
			if o.Mem == nil {
				continue
			}
			for _, d := range o.Mem.Shape.Dims {
				if n, known := d.Known(); known && n < 0 {
					p.Report(here(p, o.Mem.Loc, o.SpecLoc, s.Loc), "scratch memory of shape %s: a dimension is negative", o.Mem.Shape).At(s.Loc).
						Says("MLIRError: Invalid type: invalid memref size")
					break
				}
			}
		}
	},
}

// barrierTags models jax/_src/pallas/mosaic/pallas_call_registration.py _extract_single_barrier_semaphore_tag.
var barrierTags = &rule.Rule{
	Name: "barrier-several-tags",
	Page: page("barrier_tags.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Core != jax.TensorCore || k.Interpreted() {
			return
		}
		var first *infer.Call
		for _, c := range k.Calls {
			if c.API != barrierSemaphore || c.Open || c.Unused || !tag(c.Arg("tag")) {
				continue
			}
			if first == nil {
				first = c
				continue
			}
			if otherTag(c.Arg("tag"), first.Arg("tag")) {
				p.Report(c.Loc, "a kernel has one barrier semaphore, and this one has another tag than the first").
					Says("ValueError: Cannot specify multiple distinct barrier semaphore tags within a single kernel").Also(first.Loc, "the first one")
				return
			}
		}
	},
}

func tag(v infer.Value) bool {
	_, isText := v.(infer.Str)
	_, isInt := intOf(v)
	return isText || isInt
}

func otherTag(a, b infer.Value) bool {
	n, isInt := intOf(a)
	m, alsoInt := intOf(b)
	if isInt && alsoInt {
		return n != m
	}
	return isInt != alsoInt || a != b
}
