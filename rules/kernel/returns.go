package kernel

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// kernelReturns models the check of the result in jax/_src/pallas/pallas_call.py _trace_kernel_to_jaxpr and jax/_src/pallas/mpmd.py _mpmd_map.
var kernelReturns = &rule.Rule{
	Name: "kernel-returns-value",
	Page: page("kernel_returns.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Site.API != "pallas_call" && !meshKernel(k.Site) || k.Body == nil || !something(k.Body.Result) {
			return
		}
		where := "the pallas_call"
		if meshKernel(k.Site) {
			where = "mpmd_map"
		}
		loc := returnLoc(p, k)
		p.Report(loc, "`%s` returns %s; a kernel returns nothing, it stores into its output refs", k.Name, kind(k.Body.Result)).
			Says("ValueError: The kernel function in %s %s should return None. It returns a PyTree: ...", where, k.Name).
			Offer(storeResult(p, k, loc)).
			At(k.Site.Loc)
	},
}

// pipelineReturns: what the body of a pipeline returns is dropped on a TPU; a GPU's may carry values from step to step.
var pipelineReturns = &rule.Rule{
	Name: "pipeline-body-returns",
	Page: page("pipeline_returns.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Site.API != "emit_pipeline" || !k.Core.IsTPU() || k.Body == nil || !something(k.Body.Result) {
			return
		}
		loc := returnLoc(p, k)
		p.Report(loc, "what the body of a pipeline returns is dropped; results are stored into the output refs").Offer(storeResult(p, k, loc)).At(k.Site.Loc)
	},
}

func returnLoc(p *rule.Pass, k *infer.Kernel) parse.Loc {
	if len(k.Body.Returns) > 0 {
		return here(p, k.Body.Returns[0], k.Loc, k.Site.Loc)
	}
	return here(p, k.Loc, k.Site.Loc)
}

// kind says what a value is.
func kind(v infer.Value) string {
	switch v := v.(type) {
	case *infer.Array:
		return "an array"
	case *infer.Ref:
		return "the ref `" + v.Name + "`"
	case *infer.Tuple, *infer.List:
		return "a sequence"
	case *infer.Int, infer.Float, infer.Bool:
		return "a number"
	}
	return "a value"
}
