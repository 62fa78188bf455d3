package kernel

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scratchSequence models the use of scratch_shapes in jax/_src/pallas/core.py GridSpec and jax/_src/pallas/pallas_call.py, and of
// scratch_types in jax/_src/pallas/mpmd.py.
var scratchSequence = &rule.Rule{
	Name: "scratch-not-sequence",
	Page: page("scratch_sequence.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" && !meshKernel(s) {
			return
		}
		loc := argLoc(p, s, scratchName(s))
		if _, none := s.Scratch.(infer.None); none {
			p.Report(loc, "`%s` is None; it must be a list, `[]` for no scratch", scratchName(s)).
				Says("TypeError: 'NoneType' object is not iterable").
				At(s.Loc)
			return
		}
		if _, ok := s.Scratch.(*infer.MemSpec); !ok && !isSemaphore(s.Scratch) {
			return
		}
		p.Report(loc, "`%s` is a single scratch type; it must be a list, with one entry for each scratch ref", scratchName(s)).
			Says("TypeError: 'AbstractRef' object is not iterable").
			Offer(inList(p, s, loc)).
			At(s.Loc)
	},
}

func inList(p *rule.Pass, s *infer.Site, loc parse.Loc) *rule.Fix {
	t := text(p, loc)
	if t == "" || loc == s.Loc {
		return nil
	}
	return &rule.Fix{Title: "Make it a list", Safety: rule.Safe, Edits: []rule.Edit{{Loc: loc, New: "[" + t + "]"}}}
}

func scratchName(s *infer.Site) string {
	for _, n := range []string{"scratch_types", "scratch_shapes"} {
		if s.Call.Bound[n] != nil {
			return n
		}
	}
	return "scratch_shapes"
}

func isSemaphore(v infer.Value) bool {
	a, ok := v.(*infer.API)
	return ok && a.IsSemaphoreType()
}

// scratchType models the calls of get_ref_aval in jax/_src/pallas/core.py get_grid_mapping.
var scratchType = &rule.Rule{
	Name: "scratch-type",
	Page: page("scratch_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API == "pallas_call" {
			reportScratch(p, s, "AttributeError: '%s' object has no attribute 'get_ref_aval'")
		}
	},
}

// meshScratchType models jax/_src/pallas/mpmd.py _aval_to_ref_aval.
var meshScratchType = &rule.Rule{
	Name: "kernel-scratch-type",
	Page: page("mesh_scratch_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if meshKernel(s) && s.Core.IsTPU() {
			reportScratch(p, s, "ValueError: Unsupported abstract value type: (<class '%s'>, ...)")
		}
	},
}

func reportScratch(p *rule.Pass, s *infer.Site, says string) {
	what, loc := badScratch(s.Scratch, argLoc(p, s, scratchName(s)))
	if what == "" {
		return
	}
	p.Report(here(p, loc, s.Loc), "scratch needs a memory space: %s is none, `pltpu.VMEM(shape, dtype)` is", what).
		Says(says, what).
		Offer(inMemory(p, s, loc)).
		At(s.Loc)
}

// badScratch finds an entry that names no memory.
func badScratch(v infer.Value, loc parse.Loc) (string, parse.Loc) {
	switch v := v.(type) {
	case *infer.Tuple, *infer.List:
		t, ok := sequence(v)
		if !ok {
			return "", loc
		}
		for i, e := range t.Head {
			l := t.ElemLoc(i)
			if !l.Valid() {
				l = loc
			}
			if what, at := badScratch(e, l); what != "" {
				return what, at
			}
		}
	case *infer.Dict:
		_, vals, _ := v.Items()
		for _, e := range vals {
			if what, at := badScratch(e, loc); what != "" {
				return what, at
			}
		}
	case *infer.ShapeStruct:
		if v.Struct {
			return "jax.ShapeDtypeStruct", loc
		}
	case *infer.Array:
		return "an array", loc
	case *infer.Int:
		return "an int", loc
	case infer.DTypeVal:
		return "a dtype", loc
	case *infer.SpaceVal:
		return "a space without shape and dtype", loc
	case infer.Str:
		return "a string", loc
	case *infer.BlockSpec:
		return "a BlockSpec", loc
	}
	return "", loc
}
