package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const barrierSemaphore = "jax.experimental.pallas.tpu.get_barrier_semaphore"

// barrierID models jax/_src/tpu_custom_call.py _lowered_to_custom_call_config.
var barrierID = &rule.Rule{
	Name: "barrier-without-collective-id",
	Page: page("barrier_id.md"),
	World: func(p *rule.Pass, w *infer.World) {
		if assignsIDs(p) {
			return
		}
		for _, k := range w.Kernels {
			s := root(k).Site
			if !collectiveKernel(s) || hasCollectiveID(s) != no {
				continue
			}
			for _, c := range k.Calls {
				if c.API == barrierSemaphore && !c.Open && !something(c.Arg("tag")) && c.Pos(0) == nil {
					p.Report(here(p, c.Loc, s.Loc), "this kernel uses the barrier semaphore, but its call names no `collective_id`; add `compiler_params=pltpu.CompilerParams(collective_id=...)`").
						Says("ValueError: collective_id has to be specified when using a custom barrier (cannot auto-allocate without lowering context)").
						Also(s.Loc, "the call of the kernel").
						Offer(nameBarrier(p, s)).
						At(c.Loc)
				}
			}
		}
	},
}

// assignsIDs: JAX may be configured to number the kernels itself.
func assignsIDs(p *rule.Pass) bool {
	return p.Mentions("jax_pallas_auto_assign_collective_ids") || p.Mentions("JAX_PALLAS_AUTO_ASSIGN_COLLECTIVE_IDS")
}

// idWithoutBarrier models the other arm of the same check.
var idWithoutBarrier = &rule.Rule{
	Name: "collective-id-without-barrier",
	Page: page("id_without_barrier.md"),
	World: func(p *rule.Pass, w *infer.World) {
		uses := map[*infer.Kernel]bool{} // or may use
		for _, k := range w.Kernels {
			uses[root(k)] = uses[root(k)] || k.Blind || k.Strange || callsBarrier(k)
		}
		for k, may := range uses {
			s := k.Site
			if may || k.Fn == nil || !collectiveKernel(s) || hasCollectiveID(s) != yes || s.API == "mpmd_map" {
				continue
			}
			if v, _ := param(p, s, "allow_collective_id_without_custom_barrier"); v != nil && v != infer.Value(infer.Bool(false)) {
				continue
			}
			_, loc := param(p, s, "collective_id")
			p.Report(loc, "`collective_id` is given, but the kernel never asks for the barrier semaphore").
				Says("ValueError: collective_id has to be unspecified or None when not using a custom barrier").
				Offer(without(p, s, "collective_id", rule.Unsafe)).
				At(s.Loc)
		}
	},
}

func callsBarrier(k *infer.Kernel) bool {
	for _, c := range k.Calls {
		if c.API == barrierSemaphore {
			return true
		}
	}
	return false
}

func root(k *infer.Kernel) *infer.Kernel {
	for k.Outer != nil {
		k = k.Outer
	}
	return k
}

// collectiveKernel: Mosaic lowers the site for a TPU.
func collectiveKernel(s *infer.Site) bool {
	return (s.API == "pallas_call" && s.Core == jax.TensorCore || meshKernel(s) && s.Core.IsTPU()) && !s.Interpreted()
}

type answer int

const (
	unknown answer = iota
	yes
	no
)

func hasCollectiveID(s *infer.Site) answer {
	switch v := s.Params.(type) {
	case nil:
		if s.Call.Open {
			return unknown
		}
		return no
	case infer.None:
		return no
	case *infer.Params:
		if v.API != tpuParams {
			return unknown
		}
		id := v.Call.Arg("collective_id")
		if n, ok := id.(*infer.Int); ok && n != nil {
			return yes
		}
		if _, none := id.(infer.None); none || id == nil && !v.Call.Open {
			return no
		}
	}
	return unknown
}
