package kernel

import (
	"strconv"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// kernelArity models the call of the kernel in jax/_src/pallas/pallas_call.py _trace_kernel_to_jaxpr.
var kernelArity = arity("kernel-arity", "kernel_arity.md", "pallas_call")

// meshKernelArity is the same in jax/_src/pallas/mpmd.py _mpmd_map.
var meshKernelArity = arity("pl-kernel-body-arity", "mesh_kernel_arity.md", "kernel", "mpmd_map", "core_map")

// pipelineArity is the same in jax/_src/pallas/mosaic/pipeline.py _emit_pipeline.
var pipelineArity = arity("pipeline-body-arity", "pipeline_arity.md", "emit_pipeline")

// scopedArity is the same in jax/_src/pallas/primitives.py run_scoped.
var scopedArity = arity("run-scoped-arity", "scoped_arity.md", "run_scoped")

func arity(name, file string, apis ...string) *rule.Rule {
	return &rule.Rule{
		Name:    name,
		Page:    page(file),
		Unbinds: true,
		Site: func(p *rule.Pass, s *infer.Site) {
			if !contains(apis, s.API) || s.API == "emit_pipeline" && !s.Core.IsTPU() {
				return
			}
			for _, f := range siteFaults(p.World, s) {
				reportArity(p, s, f)
			}
		},
	}
}

func contains(all []string, s string) bool {
	for _, x := range all {
		if x == s {
			return true
		}
	}
	return false
}

// siteFaults are the faults of the call that a site makes of its function.
func siteFaults(w *infer.World, s *infer.Site) []*infer.Fault {
	var out []*infer.Fault
	fn := s.Func()
	if fn == nil || operandsWrong(s) {
		return nil
	}
	for _, f := range w.Faults {
		switch f.Kind {
		case "missing-argument", "too-many-arguments", "unknown-argument":
			if f.Loc == s.Loc && len(f.Values) > 0 && f.Values[0] == infer.Value(fn) && ofSite(s, f) {
				return append(out, f)
			}
		case "unpack", "sequence-index":
			if s.API == "pallas_call" && ofSite(s, f) && len(f.Values) == 3 && isRefs(s, f.Values[2]) {
				out = append(out, f)
			}
		}
	}
	return out
}

// ofSite: the fault arose in the kernel of this site.
func ofSite(s *infer.Site, f *infer.Fault) bool {
	if s.API == "run_scoped" {
		return true
	}
	for _, k := range s.Kernels {
		if f.Kernel == k {
			return true
		}
	}
	return false
}

// isRefs: the value is what the kernel was called with, or what *refs has of it.
func isRefs(s *infer.Site, v infer.Value) bool {
	t, ok := sequence(v)
	if !ok || len(s.Kernels) == 0 || s.Kernels[0].Body == nil {
		return false
	}
	args, es := s.Kernels[0].Body.Args, all(t)
	if len(es) == 0 || len(es) > len(args) {
		return false
	}
	for i, e := range es { // the last of the arguments: parameters of their own took the first
		if e != args[len(args)-len(es)+i].Value {
			return false
		}
	}
	return true
}

// operandsWrong: JAX refuses the operands before it calls the kernel.
func operandsWrong(s *infer.Site) bool {
	if s.API == "emit_pipeline" {
		return s.Miscounted() || s.Given() < 0
	}
	if what, _ := badType(s.OutShape, s.Loc); what != "" {
		return true
	}
	if s.API != "pallas_call" {
		return false
	}
	if _, ok := s.Call.Arg("grid_spec").(*infer.GridSpec); ok && (s.Call.Arg("scratch_shapes") != nil || s.Call.Arg("in_specs") != nil) {
		return true
	}
	if !s.Called || s.Prefetch < 0 {
		return false
	}
	specs, ok := sequence(s.InSpecs)
	return ok && len(all(specs)) != len(s.Operands)-s.Prefetch
}

func reportArity(p *rule.Pass, s *infer.Site, f *infer.Fault) {
	fn := s.Func()
	name := "the lambda"
	if fn.Def != nil {
		name = "`" + fn.Name + "`"
	}
	gets := name + " is called with " + breakdown(s)
	loc, also, note := here(p, fn.Loc(), s.Loc), s.Loc, "the call that passes them"
	if s.API == "run_scoped" { // where the allocations stand, which are as likely to be wrong
		loc, also, note = here(p, s.Loc, fn.Loc()), fn.Loc(), "the function that takes them"
	}
	says := "TypeError: " + fn.Name + "() "
	switch f.Kind {
	case "missing-argument":
		gets += " and needs `" + f.Detail + "` too"
		says += "missing 1 required positional argument: '" + f.Detail + "'"
	case "too-many-arguments":
		n, _ := fn.Takes()
		gets += " but takes only " + strconv.Itoa(n)
		says += "takes " + plural(n, "positional argument") + " but " + f.Detail + " were given"
	case "unknown-argument":
		gets += " and has no parameter `" + f.Detail + "`"
		loc = here(p, partialArg(s.Kernel, f.Detail), loc)
		says += "got an unexpected keyword argument '" + f.Detail + "'"
	case "sequence-index":
		loc, says = here(p, f.Loc, loc), "IndexError: tuple index out of range"
		gets += ", and here is asked for number " + f.Detail + ", counted from 0"
	case "unpack":
		loc, says = here(p, f.Loc, loc), "ValueError: too many or not enough values to unpack"
		gets += ", which are not unpacked into as many names"
	}
	p.Report(loc, "%s", gets).Says("%s", says).Also(also, "%s", note).Offer(refParams(p, s, f)).At(anchor(s, f))
}

// anchor is what proves the finding: for a run of *refs the place that unpacks them, else the site.
func anchor(s *infer.Site, f *infer.Fault) parse.Loc {
	if f.Kind == "unpack" || f.Kind == "sequence-index" {
		return f.Loc
	}
	return s.Loc
}

// breakdown says of what the arguments consist: "3 refs (1 input, 1 output, 1 scratch)".
func breakdown(s *infer.Site) string {
	var args infer.Args
	if len(s.Kernels) > 0 && s.Kernels[0].Body != nil {
		args = s.Kernels[0].Body.Args
	}
	if s.API == "run_scoped" {
		return plural(len(s.Scratches), "allocation")
	}
	scratch := 0
	count := func(os []*infer.Operand, role infer.Role) (n int) {
		for _, o := range os {
			if o.Ref != nil && o.Ref.Role == role {
				n++
			}
		}
		return n
	}
	text := ""
	add := func(n int, what string) {
		if n > 0 {
			if text != "" {
				text += ", "
			}
			text += plural(n, what)
		}
	}
	add(count(s.Inputs, infer.Prefetch), "prefetched scalar")
	add(count(s.Inputs, infer.Input), "input")
	add(len(s.Outputs), "output")
	scratch = len(s.Scratches)
	if scratch > 0 {
		if text != "" {
			text += ", "
		}
		text += strconv.Itoa(scratch) + " scratch"
	}
	if text == "" {
		return plural(len(args), "argument")
	}
	return plural(len(args), "ref") + " (" + text + ")"
}

// partialArg is where a functools.partial around the kernel binds a keyword.
func partialArg(v infer.Value, name string) parse.Loc {
	for part, ok := v.(*infer.Partial); ok; part, ok = part.Fn.(*infer.Partial) {
		for _, a := range part.Arg {
			if a.Name == name {
				return a.Loc
			}
		}
	}
	return parse.Loc{}
}
