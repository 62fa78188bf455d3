package kernel

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// dtype64 is what XLA says of a custom call with 64-bit operands, and Mosaic of memory of such elements. Without jax_enable_x64 what goes in is
// narrowed, while outputs and scratch memory are not.
var dtype64 = &rule.Rule{
	Name: "dtype-64bit",
	Page: page("dtype_64bit.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if !s.Core.IsTPU() || s.Interpreted() {
			return
		}
		seen := map[parse.Loc]bool{}
		if s.API == "pallas_call" || s.API == "kernel" {
			if len(s.Kernels) == 1 && s.Kernels[0].X64 == infer.X64On {
				each64(p, s, s.Inputs, "input", seen)
			}
			each64(p, s, s.Outputs, "output", seen)
		}
		each64(p, s, s.Scratches, "scratch memory", seen)
	},
}

func each64(p *rule.Pass, s *infer.Site, os []*infer.Operand, what string, seen map[parse.Loc]bool) {
	for _, o := range os {
		made, ok := made64(o)
		loc := here(p, made, o.SpecLoc, s.CallLoc, s.Loc)
		if !ok || seen[loc] {
			continue
		}
		seen[loc] = true
		p.Report(loc, "%s %s is %s; a TPU kernel has no 64-bit types, use %s", what, o.Title(), o.DType, o.DType.Canonical()).
			Says("JaxRuntimeError: UNIMPLEMENTED: While rewriting computation to not contain X{64|128} element types, XLA encountered an HLO for which this rewriting is not implemented").
			At(s.Loc).Also(o.ParamLoc, "the kernel gets it here").Offer(narrow(p, loc, o))
	}
}

// made64 is where an operand of a 64-bit type got it.
func made64(o *infer.Operand) (parse.Loc, bool) {
	if o.DType == o.DType.Canonical() || o.DType.Kind() == jax.KindComplex {
		return parse.Loc{}, false
	}
	if m := o.Mem; m != nil {
		return m.Loc, m.Spaces == jax.SpacesOf(jax.VMEM) || m.Spaces == jax.SpacesOf(jax.SMEM)
	}
	switch v := o.Value.(type) {
	case *infer.ShapeStruct:
		return v.Loc, true
	case *infer.Array:
		return v.Loc, !v.Weak
	}
	return parse.Loc{}, false
}

// narrow writes the 32-bit type where memory of a 64-bit one is asked for. What an input holds is the caller's to say.
func narrow(p *rule.Pass, loc parse.Loc, o *infer.Operand) *rule.Fix {
	x, _ := edit.ExprAt(p.File, loc)
	call, ok := x.(*parse.Call)
	if _, isArray := o.Value.(*infer.Array); !ok || isArray || o.Ref == nil || o.Ref.Role == infer.Input {
		return nil
	}
	for i, a := range call.Args {
		if a.Star > 0 {
			return nil
		}
		if a.Name == "dtype" || a.Name == "" && i == 1 {
			at := parse.Loc{Chunk: loc.Chunk, Span: a.Value.Span()}
			names := edit.NamesAt(p.File, at)
			if names == nil {
				return nil
			}
			dtype := names.Name("jax.numpy", edit.NumPyName(o.DType.Canonical()))
			return edit.Fix(true, "Write `"+dtype+"`", rule.Unsafe, append(names.Edits, rule.Edit{Loc: at, New: dtype}))
		}
	}
	return nil
}
