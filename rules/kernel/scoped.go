package kernel

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scopedType models the calls of get_ref_aval in jax/_src/pallas/primitives.py run_scoped.
var scopedType = &rule.Rule{
	Name: "run-scoped-type",
	Page: page("scoped_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "run_scoped" {
			return
		}
		for i := range s.Call.Args {
			a := &s.Call.Args[i]
			if a.Star != 0 || a.Name == "collective_axes" || a.Name == "f" || isFunction(a.Value) {
				continue
			}
			if what, _ := badScratch(a.Value, a.Loc); what != "" {
				p.Report(here(p, a.Loc, s.Loc), "`run_scoped` allocates memory spaces: %s is none, `pltpu.VMEM(shape, dtype)` is", what).
					Says("AttributeError: '%s' object has no attribute 'get_ref_aval'", what).
					Offer(inMemory(p, s, a.Loc)).
					At(s.Loc)
			}
		}
	},
}

// scopedOutside: there is no memory to allocate outside of a kernel (jax/_src/pallas/primitives.py run_scoped).
var scopedOutside = &rule.Rule{
	Name: "run-scoped-outside",
	Page: page("scoped_outside.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" || s.Outer == nil {
			return
		}
		out := s.Outer.Site
		if out.API != "run_scoped" || out.Outer != nil {
			return
		}
		p.Report(here(p, out.Loc, s.Loc), "`run_scoped` stands around a %s, outside of any kernel; it allocates only inside one", s.API).
			Says("TypeError: AbstractRef.update() got an unexpected keyword argument 'shape'").
			Also(s.Loc, "the kernel is called here").
			At(s.Loc)
	},
}

// scopedCollective models jax/_src/pallas/mosaic/lowering.py _run_scoped_lowering_rule.
var scopedCollective = &rule.Rule{
	Name: "sc-run-scoped-collective",
	Page: page("scoped_collective.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "run_scoped" || !s.Core.IsTPU() || s.Interpreted() {
			return
		}
		switch v := s.Call.Arg("collective_axes").(type) {
		case infer.Str:
		case *infer.Tuple:
			if t, ok := sequence(v); !ok || len(all(t)) == 0 {
				return
			}
		default:
			return
		}
		p.Report(here(p, s.Call.ArgLoc("collective_axes"), s.Loc), "`collective_axes` is for GPUs; a TPU kernel allocates for itself").
			Says("NotImplementedError: run_scoped lowering does not support collective axes").
			Offer(edit.WithoutArg(p, s.Call, "collective_axes", rule.Safe)).
			At(s.Loc)
	},
}

// scopedEscape: what run_scoped allocates ends with the function (jax/_src/pallas/primitives.py run_scoped).
var scopedEscape = &rule.Rule{
	Name: "run-scoped-escape",
	Page: page("scoped_escape.md"),
	World: func(p *rule.Pass, w *infer.World) {
		for _, f := range w.Faults {
			if f.Kind == "out-of-scope" {
				p.Report(here(p, f.Loc, f.Kernel.Loc), "`%s` exists only inside the function that `run_scoped` runs", f.Detail).
					Says("NameError: name '%s' is not defined", f.Detail)
			}
		}
		for _, s := range w.Sites {
			if s.API != "run_scoped" || s.Body == nil || s.Body.Func == nil || !s.Core.IsTPU() || s.Interpreted() {
				continue
			}
			if r := returnsScoped(s); r != nil && (acts(w, s.Body) || usedAfter(w, s.Body, r)) {
				p.Report(here(p, bodyReturn(s.Body), s.Loc), "`%s` is returned from the function that `run_scoped` runs, but its memory ends there", r.Name).
					Says("VerificationError: 'tpu.region' op Region result must be ...").
					Offer(readReturned(p, s.Body)).
					At(s.Loc)
			}
		}
	},
}

// returnsScoped is a ref that run_scoped allocated and its function returns.
func returnsScoped(s *infer.Site) *infer.Ref {
	vs := []infer.Value{s.Body.Result}
	if t, ok := sequence(s.Body.Result); ok {
		vs = all(t)
	}
	for _, v := range vs {
		r, ok := v.(*infer.Ref)
		if !ok {
			continue
		}
		for _, o := range s.Scratches {
			if o.Ref != nil && o.Ref.Alloc == r.Alloc {
				return r
			}
		}
	}
	return nil
}

// acts: the function stores, so that JAX does not drop it.
func acts(w *infer.World, b *infer.Body) bool {
	for _, k := range w.Kernels {
		for _, e := range k.Events {
			if e.Op == infer.OpStore && b.Holds(e.Loc) {
				return true
			}
		}
	}
	return false
}

// usedAfter: the ref is used outside the function.
func usedAfter(w *infer.World, b *infer.Body, r *infer.Ref) bool {
	for _, k := range w.Kernels {
		for _, e := range k.Events {
			for _, x := range e.Refs {
				if x != nil && x.Alloc == r.Alloc && e.Op != infer.OpAlloc && !b.Holds(e.Loc) {
					return true
				}
			}
		}
	}
	return false
}
