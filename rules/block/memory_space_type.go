package block

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// memorySpaceType models jax/_src/pallas/mosaic/core.py memory_space_to_tpu_memory_space, and the reads of memory_space in
// jax/_src/pallas/core.py get_grid_mapping.
var memorySpaceType = &rule.Rule{
	Name: "blockspec-memory-space-type",
	Page: page("memory_space_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" && s.API != "emit_pipeline" {
			return
		}
		bareSpaces(p, s, s.InSpecs, argLoc(p, s, "in_specs"))
		bareSpaces(p, s, s.OutSpecs, argLoc(p, s, "out_specs"))
		if !s.Core.IsTPU() || s.Interpreted() {
			return
		}
		for _, o := range s.Blocks() {
			reportSpaceType(p, s, o)
		}
	},
}

func reportSpaceType(p *rule.Pass, s *infer.Site, o *infer.Operand) {
	if o.Spec == nil {
		return
	}
	what := ""
	switch v := o.Spec.Space.(type) {
	case infer.Str:
		what = "the string '" + string(v) + "'"
	case *infer.MemSpec:
		what = "a scratch type"
	case infer.Bool, infer.Float, *infer.Int, *infer.Tuple, *infer.Func:
		what = "no memory space"
	default:
		return
	}
	loc := specArg(p, s, o, "memory_space")
	p.Report(loc, "`memory_space` of %s is %s; it must be a memory space such as `pltpu.VMEM`, `pltpu.SMEM` or `pl.ANY`", o.Title(), what).
		Says("ValueError: Invalid memory space: ...").
		Offer(spaceOf(p, loc, o.Spec.Space))
}

// bareSpaces reports memory spaces that stand in place of a BlockSpec.
func bareSpaces(p *rule.Pass, s *infer.Site, specs infer.Value, loc parse.Loc) {
	t, ok := sequence(specs)
	if !ok {
		t = &infer.Tuple{Head: []infer.Value{specs}, Loc: loc}
	}
	for i, v := range t.Head {
		space := ""
		switch v := v.(type) {
		case *infer.SpaceVal:
			space = v.Space.String()
		case *infer.MemSpec:
			space = v.Spaces.String() + "(...)"
		default:
			continue
		}
		if !ok && specs == s.InSpecs {
			return // not even a sequence
		}
		d := p.Report(here(p, t.ElemLoc(i), loc), "`%s` is a memory space, no BlockSpec; write `pl.BlockSpec(memory_space=...)`", space).
			Says("AttributeError: 'MemorySpace' object has no attribute 'memory_space'")
		if _, bare := v.(*infer.SpaceVal); bare {
			d.Offer(specIn(p, d.Loc))
		}
	}
}

// sequence is the content of a tuple or list of known form.
func sequence(v infer.Value) (*infer.Tuple, bool) {
	switch v := v.(type) {
	case *infer.Tuple:
		return v, true
	case *infer.List:
		t, ok := v.Content().(*infer.Tuple)
		if ok && t.Node == nil && !v.Changed {
			c := *t
			c.Node, c.Loc = v.Node, v.Loc
			return &c, true
		}
		return t, ok
	}
	return nil, false
}
