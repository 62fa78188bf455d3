package block

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// blockType models jax/_src/pallas/core.py _canonicalize_block_shape, and for pipelines get_block_size, which takes no floats.
var blockType = &rule.Rule{
	Name: "block-shape-type",
	Page: page("block_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		pipe := s.API == "emit_pipeline" && s.Core.IsTPU() && s.Called && !s.OwnBuffers()
		if s.API != "pallas_call" && !pipe {
			return
		}
		for _, o := range s.Blocks() {
			if o.Spec == nil {
				continue
			}
			what, says := blockFault(o.Spec.Block, pipe)
			if what == "" {
				continue
			}
			loc := specArg(p, s, o, "block_shape")
			p.Report(loc, "the block shape of %s %s", o.Title(), what).
				Says("%s", says).
				Offer(tupleOfInts(p, o, loc)).
				At(s.Loc)
		}
	},
}

func blockFault(v infer.Value, pipe bool) (what, says string) {
	switch v := v.(type) {
	case *infer.Int:
		return "is an int; it is a tuple, with an entry for each dimension", "TypeError: 'int' object is not iterable"
	case infer.Float:
		return "is a float; it is a tuple, with an entry for each dimension", "TypeError: 'float' object is not iterable"
	case *infer.Tuple, *infer.List:
		t, ok := sequence(v)
		if !ok || !pipe {
			return "", ""
		}
		for _, e := range t.Head {
			if _, isFloat := e.(infer.Float); isFloat {
				return "holds a float; a pipeline takes only integers, which // gives", "ValueError: Unsupported block shape type: <class 'float'>"
			}
		}
	}
	return "", ""
}

// tupleOfInts makes a tuple of a size, and divides with // where a size is a float.
func tupleOfInts(p *rule.Pass, o *infer.Operand, loc parse.Loc) *rule.Fix {
	if _, one := o.Spec.Block.(*infer.Int); one {
		return inTupleOf(p, loc)
	}
	t, ok := sequence(o.Spec.Block)
	if !ok {
		return nil
	}
	for i, e := range t.Head {
		if _, isFloat := e.(infer.Float); isFloat {
			return floorDivision(p, t, i, e)
		}
	}
	return nil
}

// pipelineIndexMap models the call of the index map in jax/_src/pallas/mosaic/pipeline.py BufferedRef.get_dma_slice.
var pipelineIndexMap = &rule.Rule{
	Name: "pipeline-no-index-map",
	Page: page("pipeline_index_map.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "emit_pipeline" || !s.Core.IsTPU() || !s.Called || s.OwnBuffers() {
			return
		}
		for _, o := range s.Blocks() {
			if o.Spec == nil || o.Spec.IndexMap != nil || o.Spec.Call.Open || o.Spec.Dims == nil || !cuts(o) {
				continue
			}
			if n, known := o.Array.Rank(); !known || n != len(o.Spec.Dims) {
				continue
			}
			p.Report(here(p, o.Spec.Loc, s.Loc), "%s is cut into blocks %s, but its BlockSpec has no index map that says which; a pipeline has no default for it", o.Title(), o.BlockOf()).
				Says("TypeError: 'NoneType' object is not callable").
				At(s.Loc)
		}
	},
}

// pipelineGridTuple models the loop over the grid in jax/_src/pallas/mosaic/pipeline.py emit_pipeline.
var pipelineGridTuple = &rule.Rule{
	Name: "pipeline-grid-tuple",
	Page: page("pipeline_grid_tuple.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if _, ok := s.GridArg.(*infer.Int); !ok || s.API != "emit_pipeline" || !s.Core.IsTPU() {
			return
		}
		loc := argLoc(p, s, "grid")
		d := p.Report(loc, "the grid of a pipeline is a tuple, also for one axis").
			Says("TypeError: 'int' object is not iterable").
			At(s.Loc)
		if t := text(p, loc); t != "" && loc != s.Loc {
			d.Offer(&rule.Fix{Title: "Make it a tuple", Safety: rule.Safe, Edits: []rule.Edit{{Loc: loc, New: "(" + t + ",)"}}})
		}
	},
}

// gridNegative: the compiler refuses iteration bounds below zero.
var gridNegative = &rule.Rule{
	Name: "grid-negative",
	Page: page("grid_negative.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !s.Lowered() {
			return
		}
		for i, n := range s.Grid {
			if k, ok := n.Known(); ok && k < 0 {
				p.Report(gridElem(p, s, i), "axis %d of the grid is %d; it can't be negative", i, k).
					Says("JaxRuntimeError: INVALID_ARGUMENT: Mosaic failed to compile TPU kernel: iteration_bounds should be between 0 and 2147483647").
					At(s.Loc)
				return
			}
		}
	},
}
