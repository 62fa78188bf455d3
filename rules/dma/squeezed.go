package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// squeezedBlock: the memory of a block keeps the dimensions that its BlockSpec squeezes (jax/_src/pallas/mosaic/lowering.py _slice_memref and
// _dma_start_lowering_rule pass it on as it is), so that neither a part of it nor the whole fits what the kernel sees.
var squeezedBlock = &rule.Rule{
	Name: "dma-squeezed-block",
	Page: page("squeezed.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, e := range starts(k) {
			for _, slot := range []int{source, destination} {
				r, other := e.Refs[slot], e.Refs[source+destination-slot]
				if r == nil || other == nil || !squeezes(r) {
					continue
				}
				memory := inMemory(r)
				says := ""
				switch equal, known := memory.Equal(inMemory(other)); {
				case len(r.Steps) > 0 && r.Steps[0].Kind == "at":
					says = "'tpu.memref_slice' op Indices and slice shapes must match."
				case len(r.Steps) == 0 && known && !equal && direct(other):
					says = "'tpu.enqueue_dma' op DMA source and target shape mismatch."
				default:
					continue
				}
				report(p, e, slot, "the block behind %s has shape %s in memory, with the dimension that its BlockSpec squeezes; a copy needs a block without such", name(r), memory).
					Says("VerificationError: Pallas encountered an internal verification error. ... %s", says).
					Also(r.Operand.SpecLoc, "the BlockSpec squeezes a dimension")
			}
		}
	},
}

// squeezes: the ref is a block in the kernel's own memory of which the kernel does not see every dimension.
func squeezes(r *infer.Ref) bool {
	return r.Operand != nil && r.Operand.Squeezed > 0 && r.Operand.Spec != nil && r.Alloc.Kernel != nil && r.Alloc.Kernel.Site.API == "pallas_call" &&
		r.Spaces.Only(jax.VMEM, jax.SMEM)
}

// inMemory is the shape of the memory behind a view.
func inMemory(r *infer.Ref) infer.Shape {
	if !squeezes(r) || len(r.Steps) > 0 {
		if r.Operand != nil && r.Operand.Squeezed > 0 || r.Many || r.High {
			return infer.Shape{}
		}
		return r.View
	}
	out := infer.Shape{Dims: []*infer.Int{}}
	for _, d := range r.Operand.Spec.Dims {
		out.Dims = append(out.Dims, d.Size)
	}
	return out
}
