package kernel

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// kernelCaptures models jax/_src/pallas/pallas_call.py _trace_kernel_to_jaxpr and jax/_src/pallas/mpmd.py _error_if_non_ref_consts.
var kernelCaptures = &rule.Rule{
	Name: "kernel-captures-array",
	Page: page("captures.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		mesh := meshKernel(root(k).Site) // a pipeline or scope inside a kernel captures for the kernel
		if root(k).Site.API != "pallas_call" && !mesh || root(k).Outer != nil {
			return
		}
		seen := map[parse.Loc]bool{}
		for _, c := range captures(k) {
			rank, known := c.array.Shape.Rank()
			if mesh && (!known || rank == 0) || seen[c.loc] {
				continue // a kernel on a mesh may close over scalars
			}
			seen[c.loc] = true
			reportCapture(p, k, c, mesh)
		}
	},
}

func meshKernel(s *infer.Site) bool {
	return s.API == "kernel" || s.API == "core_map" || s.API == "mpmd_map"
}

func reportCapture(p *rule.Pass, k *infer.Kernel, c capture, mesh bool) {
	what := "an array from outside"
	if c.array.NumPy || c.made {
		what = "a constant array"
	}
	loc := here(p, c.loc, k.Loc, k.Site.Loc)
	if k.Core.IsSparseCore() {
		loc = here(p, k.Loc, k.Site.Loc)
	}
	if k.Outer != nil {
		loc = here(p, c.loc, k.Loc, k.Site.Loc)
	}
	says := "The kernel function in the pallas_call " + k.Name + " captures constants [...]. You should pass them as inputs."
	if mesh {
		says = "The kernel function in mpmd_map " + k.Name + " captures non-scalar array constants [...]. You can only close over scalars and Refs; arrays must be passed as explicit inputs."
	}
	p.Report(loc, "`%s` computes with %s, %s[%s]; pass it as an operand", k.Name, what, dtypeText(c.array), dims(c.array.Shape)).
		Says("ValueError: %s", says).
		Also(c.loc, "it is used here").
		At(c.loc)
}

func dtypeText(a *infer.Array) string {
	if a.DType == "" {
		return "array"
	}
	return string(a.DType)
}

// capture is an array that becomes a constant of the kernel.
type capture struct {
	array *infer.Array
	loc   parse.Loc
	made  bool // of a list, in the kernel itself
}

// captures finds what the kernel computes with or stores that it was not given.
func captures(k *infer.Kernel) []capture {
	var out []capture
	for _, c := range k.Calls {
		if a := c.Constant(); a != nil {
			out = append(out, capture{a, c.Loc, true})
		}
		for _, a := range operands(c) {
			if a.Captured() {
				out = append(out, capture{a, c.Loc, false})
			}
		}
	}
	for _, e := range k.Events {
		vs := []infer.Value{e.Value}
		if e.Op != infer.OpStore {
			vs = nil
		}
		for _, it := range e.Index {
			vs = append(vs, it.Value)
			if d, ok := it.Value.(*infer.Dynamic); ok {
				vs = append(vs, d.Start)
			}
		}
		for _, v := range vs {
			if a, ok := v.(*infer.Array); ok && a.Captured() {
				out = append(out, capture{a, e.Loc, false})
			}
		}
	}
	return out
}

// operands are the arrays that a call computes with: those of the primitives that it binds, and the first carry of a loop.
func operands(c *infer.Call) []*infer.Array {
	var out []*infer.Array
	for _, prim := range c.Prims {
		out = append(out, prim.In...)
	}
	if len(c.Bodies) == 0 {
		return out
	}
	for _, a := range c.Args {
		vs := []infer.Value{a.Value}
		if t, ok := sequence(a.Value); ok {
			vs = all(t)
		}
		for _, v := range vs {
			if x, ok := v.(*infer.Array); ok {
				out = append(out, x)
			}
		}
	}
	return out
}
