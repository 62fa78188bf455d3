package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// onTensorCore: the kernel is compiled for a TensorCore, as opposed to interpreted.
func onTensorCore(k *infer.Kernel) bool { return k.Core == jax.TensorCore && !k.Interpreted() }

// onSparseCore: the kernel is compiled for a SparseCore subcore.
func onSparseCore(k *infer.Kernel) bool { return k.Core.IsSparseCore() && !k.Interpreted() }

// dropped: JAX removes the load before it lowers the kernel, because nothing uses its value. Only pallas_call does that.
func dropped(load *infer.Event) bool { return load.Unused && load.Kernel.Site.API == "pallas_call" }

// scalar: the access is known to be of one element, without dimensions.
func scalar(e *infer.Event) bool { return e.RShape && e.Result.IsRank(0) }

// vector: the access is known to leave a dimension.
func vector(e *infer.Event) bool {
	n, known := e.Result.Rank()
	return e.RShape && known && n > 0
}

// masked: the access goes through pltpu.load or pltpu.store, which are primitives of their own that SparseCore lacks.
func masked(e *infer.Event) bool { return e.Via == "pltpu.load" || e.Via == "pltpu.store" }

// data: the ref is known to hold numbers, not semaphores or PRNG keys.
func data(r *infer.Ref) bool {
	if r.Type == "" {
		return r.Mem != nil && !r.Mem.Sem // a scratch allocation holds no keys
	}
	return !r.Type.IsExtended()
}

// name is what the author calls the ref.
func name(r *infer.Ref) string {
	if r.Name == "" {
		return "this ref"
	}
	return "`" + r.Name + "`"
}

// faraway are the memories that a TensorCore reaches by DMA only, ANY left out.
func faraway(r *infer.Ref) bool {
	return r.Spaces.Only(jax.HBM, jax.CMEM, jax.VMEMShared, jax.Semaphore) && data(r)
}

// last is the innermost indexing of an access: its own subscripts, or those of the .at before it when its own select everything.
func last(e *infer.Event) []infer.IndexItem {
	for _, x := range e.Index {
		if x.Kind != infer.IndexFull {
			return e.Index
		}
	}
	if steps := e.Refs[0].Steps; len(steps) > 0 && steps[len(steps)-1].Kind == "at" {
		return steps[len(steps)-1].Index
	}
	return e.Index
}

// rankless: the memory behind the ref has no dimensions at all, not even squeezed ones.
func rankless(r *infer.Ref) bool {
	return r.Shape.IsRank(0) && len(r.Steps) == 0 && (r.Operand == nil || r.Operand.Squeezed == 0)
}

// endpoint: the value goes into a copy where a ref belongs. That is the mistake then (dma-arg-not-ref, dma-sem-indexed-value), which JAX
// meets before it looks at the load.
func endpoint(load *infer.Event) bool {
	for _, e := range load.Kernel.Events {
		if e.Desc == nil {
			continue
		}
		for i, v := range e.Slots {
			if v == load.Value || e.Locs[i] == load.Loc {
				return true
			}
		}
	}
	return false
}

// loads are the loads of the kernel that are certainly loads of numbers.
func loads(k *infer.Kernel) []*infer.Event { return certain(k.Loads()) }

// stores are the stores of the kernel of numbers.
func stores(k *infer.Kernel) []*infer.Event { return certain(k.Stores()) }

// accesses are both.
func accesses(k *infer.Kernel) []*infer.Event { return append(loads(k), stores(k)...) }

func certain(events []*infer.Event) []*infer.Event {
	var out []*infer.Event
	for _, e := range events {
		if !e.Picks() && !e.Refs[0].High {
			out = append(out, e)
		}
	}
	return out
}
