package jax

// CopyRefusal is why a DMA between two spaces is refused; zero when it is not.
type CopyRefusal uint8

// The refusals of [CopyAllowed]. Stage and text are those of JAX 0.12.0.1 with libtpu 0.0.52.
const (
	CopyOK             CopyRefusal = iota
	CopyUndecided                  // accepted, as far as is known: the pair was not measured
	CopyRelaxed                    // compile: transfers with relaxed ordering between the two local memories
	CopyLinearStream               // compile: LinearStreamStartOp between TileSpmem and Smem
	CopyNoSuchMemory               // compile: the core has no such memory, or nothing can be allocated in it
	CopyAnyAllocated               // compile: an allocation in ANY
	CopyNoCMEM                     // compile: SparseCore has no CMEM
	CopyNeedsSemaphore             // compile on SparseCore, lower on the TensorCore: the pair needs a semaphore
	CopyOfSemaphore                // lower: a semaphore is no data
)

var copyStages = [...]Stage{CopyRelaxed: StageCompile, CopyLinearStream: StageCompile, CopyNoSuchMemory: StageCompile,
	CopyAnyAllocated: StageCompile, CopyNoCMEM: StageCompile, CopyNeedsSemaphore: StageCompile, CopyOfSemaphore: StageLower}

var copyTemplates = [...]string{
	CopyRelaxed:        "SparseCore does not support transfers with relaxed ordering from local {} to local {} issued {} TEC.",
	CopyLinearStream:   "LinearStreamStartOp doesn't support transfer from source memory space {} to destination memory space {}",
	CopyNoSuchMemory:   "Failed to convert memory space {}: Unsupported core type.",
	CopyAnyAllocated:   "ANY memory space should not appear at this stage.",
	CopyNoCMEM:         "CMEM is not supported.",
	CopyNeedsSemaphore: "DMA transfers require target sflag to be specified.",
	CopyOfSemaphore:    "'tpu.enqueue_dma' op DMA source and target element type mismatch",
}

// Stage is when the refusal comes, on the core; empty for what is no refusal.
func (c CopyRefusal) Stage(core Core) Stage {
	if c == CopyNeedsSemaphore && core == TensorCore {
		return StageLower
	}
	if int(c) < len(copyStages) {
		return copyStages[c]
	}
	return ""
}

// Template is the message, with {} for what varies; empty for what is no refusal.
func (c CopyRefusal) Template(core Core) string {
	switch {
	case c == CopyNeedsSemaphore && core == TensorCore:
		return "Local DMA semaphore cannot be None on TensorCore."
	case c == CopyNoSuchMemory && core == TensorCore:
		return "Scratch memref allocation only supported for vmem, smem and semaphore_mem."
	case int(c) < len(copyTemplates):
		return copyTemplates[c]
	}
	return ""
}

// Pairs of spaces, source then destination.
type pair struct{ src, dst Space }

var vectorRefusals = map[pair]CopyRefusal{
	{HBM, SMEM}: CopyRelaxed, {VMEM, SMEM}: CopyLinearStream,
	{SMEM, HBM}: CopyRelaxed, {SMEM, VMEM}: CopyLinearStream, {SMEM, VMEMShared}: CopyRelaxed, {SMEM, SMEM}: CopyRelaxed,
}

var vectorWithoutSem = map[pair]bool{
	{HBM, VMEM}: true, {VMEM, HBM}: true, {VMEM, VMEMShared}: true, {VMEMShared, VMEM}: true, {VMEMShared, SMEM}: true,
}

// CopyAllowed is whether a local, direct (not indexed by an array) DMA from src to dst compiles when it is issued by the core: ok is
// false only where the compiler refused the pair, on every chip that was asked; why tells which refusal, or
// [CopyUndecided] for what nobody asked. hasSem is false for sem=None, which exists since JAX 0.12.
//
// Measured with JAX 0.12.0.1 and 0.10.2 (which accept all pairs) and libtpu 0.0.52 on v7x, v6e, v5p, and v5e, v4 for the TensorCore.
// An operand or output in ANY is in HBM by then; ANY here means an allocation.
func CopyAllowed(core Core, src, dst Space, hasSem bool) (ok bool, why CopyRefusal) {
	why = copyRefusal(core, src, dst, hasSem)
	return why == CopyOK || why == CopyUndecided, why
}

func copyRefusal(core Core, src, dst Space, hasSem bool) CopyRefusal {
	if !core.IsTPU() || !src.IsSpace() || !dst.IsSpace() {
		return CopyUndecided
	}
	if src == Semaphore || dst == Semaphore {
		return CopyOfSemaphore
	}
	either := SpacesOf(src, dst)
	switch core {
	case SCVectorSubcore, SCScalarSubcore:
		switch {
		case either.Has(CMEM):
			return CopyNoCMEM
		case either.Has(ANY):
			return CopyAnyAllocated
		case either&^SpacesOf(HBM, VMEM, VMEMShared, SMEM) != 0:
			return CopyUndecided
		case core == SCScalarSubcore && either.Has(VMEM):
			return CopyNoSuchMemory
		}
		p := pair{src, dst}
		if core == SCScalarSubcore {
			switch {
			case p == pair{SMEM, VMEMShared}:
				return CopyRelaxed
			case !hasSem && p != pair{VMEMShared, SMEM}:
				return CopyNeedsSemaphore
			}
			return CopyOK
		}
		if why := vectorRefusals[p]; why != CopyOK {
			return why
		}
		if !hasSem && !vectorWithoutSem[p] {
			return CopyNeedsSemaphore
		}
		return CopyOK
	case TensorCore:
		switch {
		case !hasSem:
			return CopyNeedsSemaphore
		case either.HasAny(CMEM, VMEMShared):
			return CopyNoSuchMemory
		case either&^SpacesOf(HBM, VMEM, SMEM, ANY) != 0:
			return CopyUndecided
		}
		return CopyOK
	}
	return CopyUndecided
}

// SourceSemaphoreAllowed is whether a local DMA may be given src_sem: what JAX calls a push stream. As
// jax._src.pallas.mosaic.sc_lowering (0.12.0.1): a vector subcore's VMEM to anything but VMEM, and VMEM_SHARED to SMEM on either
// subcore; never on the TensorCore. Of these, the compiler refuses VMEM_SHARED to SMEM and VMEM to SMEM.
func SourceSemaphoreAllowed(core Core, src, dst Space) bool {
	switch core {
	case SCVectorSubcore:
		return src == VMEM && (dst == HBM || dst == VMEMShared || dst == SMEM) || src == VMEMShared && dst == SMEM
	case SCScalarSubcore:
		return src == VMEMShared && dst == SMEM
	}
	return false
}

// IndexedCopyAllowed is whether a DMA may gather or scatter: an endpoint indexed by an array or an index ref. Only a SparseCore vector
// subcore has them, between its VMEM and HBM or VMEM_SHARED; add=True excludes HBM as the destination.
func IndexedCopyAllowed(core Core, src, dst Space, add bool) bool {
	if core != SCVectorSubcore {
		return false
	}
	gather := dst == VMEM && (src == HBM || src == VMEMShared)
	scatter := src == VMEM && (dst == VMEMShared || dst == HBM && !add)
	return gather || scatter
}
