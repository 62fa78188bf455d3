// Package jax is what JAX is, as data: names and signatures, memory spaces, dtypes, chips, primitives per core and
// the messages that JAX prints, one data set a release. It interprets no program and imports nothing of ours.
//
// The data sets under data/ are made by generate/generate.py, which asks an installed JAX; generate/README.md says how
// to add a release.
package jax

import (
	"math/bits"
	"strings"
)

// Space is one memory space that a Pallas ref can live in: exactly one bit, so that a [Spaces] is a set of them.
// TPU spaces are jax._src.pallas.mosaic.core.MemorySpace, backend-neutral ones jax._src.pallas.core.MemorySpace, GPU
// ones jax._src.pallas.mosaic_gpu.core.MemorySpace. SMEM is one bit for both the TPU's scalar memory and the GPU's
// shared memory: the [Core] tells which.
type Space uint16

// The memory spaces, named as JAX names them.
const (
	ANY        Space = 1 << iota // pl.ANY: wherever the array is, usually HBM; no direct load or store
	HBM                          // pltpu.HBM: a TPU's main memory
	VMEM                         // pltpu.VMEM: vector memory of a TensorCore or of one SparseCore vector subcore (TileSpmem)
	VMEMShared                   // pltpu.VMEM_SHARED: memory that the subcores of one SparseCore share (Spmem)
	SMEM                         // pltpu.SMEM: scalar memory; on Mosaic GPU plgpu.SMEM, shared memory
	CMEM                         // pltpu.CMEM: common memory of TPU v4
	Semaphore                    // pltpu.SEMAPHORE: where semaphores live; no data
	HOST                         // pl.HOST (jax.memory.Space.Host): memory of the host
	GMEM                         // plgpu.GMEM: a GPU's global memory
	TMEM                         // plgpu.TMEM: tensor memory of Blackwell GPUs
	REGS                         // plgpu.REGS: registers
	ACC                          // pltpu.ACC(mxu_id): accumulators of an MXU
	INDEX                        // pl.MemorySpace.INDEX: scalar prefetch operands before the backend decides (SMEM on a TPU)
	KEY                          // pl.MemorySpace.KEY: PRNG keys
	ERROR                        // pl.MemorySpace.ERROR: checkify errors
	DEVICE                       // jax.memory.Space.Device: device memory, outside of kernels

	numSpaces = iota
)

var spaceNames = [numSpaces]string{
	"ANY", "HBM", "VMEM", "VMEM_SHARED", "SMEM", "CMEM", "SEMAPHORE", "HOST",
	"GMEM", "TMEM", "REGS", "ACC", "INDEX", "KEY", "ERROR", "DEVICE",
}

// String is the name that JAX gives the space, in capitals ("VMEM_SHARED"), and "?" for a value that is no single space.
func (s Space) String() string {
	if bits.OnesCount16(uint16(s)) != 1 {
		return "?"
	}
	return spaceNames[bits.TrailingZeros16(uint16(s))]
}

// MarshalText writes the name as `inspect --json` has it.
func (s Space) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// IsSpace is true when s is exactly one known space. The zero Space means unknown.
func (s Space) IsSpace() bool { return bits.OnesCount16(uint16(s)) == 1 }

// ParseSpace reads the name of a member as Python spells it, in either case: "VMEM_SHARED", "vmem_shared", and the
// values of the enumerations, which printed avals show: "semaphore_mem", "pinned_host". The second result is false
// for a name that is no space; "DEFAULT" is none, the backend decides it.
func ParseSpace(name string) (Space, bool) {
	upper := strings.ToUpper(name)
	switch upper {
	case "SEMAPHORE_MEM":
		return Semaphore, true
	case "PINNED_HOST", "UNPINNED_HOST":
		return HOST, true
	}
	for i, n := range spaceNames {
		if n == upper {
			return 1 << i, true
		}
	}
	return 0, false
}

// Spaces is a set of memory spaces: where a ref may be. The empty set means that nothing is known, so every question
// that starts with "is it certain that" is false for it.
type Spaces uint16

// SpacesOf is the set of the given spaces; a zero among them makes the whole set unknown.
func SpacesOf(spaces ...Space) Spaces {
	var set Spaces
	for _, s := range spaces {
		if s == 0 {
			return 0
		}
		set |= Spaces(s)
	}
	return set
}

// Known is true when something is known.
func (s Spaces) Known() bool { return s != 0 }

// Has is true when the ref may be in space: false when nothing is known.
func (s Spaces) Has(space Space) bool { return space != 0 && s&Spaces(space) != 0 }

// HasAny is true when the ref may be in one of the given spaces.
func (s Spaces) HasAny(spaces ...Space) bool { return s&SpacesOf(spaces...) != 0 }

// Only is true when something is known and nothing but the given spaces is possible.
func (s Spaces) Only(spaces ...Space) bool { return s != 0 && s&^SpacesOf(spaces...) == 0 }

// Never is true when something is known and none of the given spaces is possible.
func (s Spaces) Never(spaces ...Space) bool { return s != 0 && s&SpacesOf(spaces...) == 0 }

// One is the space when exactly one is possible, else zero.
func (s Spaces) One() Space {
	if bits.OnesCount16(uint16(s)) == 1 {
		return Space(s)
	}
	return 0
}

// Join is what is known when the ref is one of two: every space of both, and nothing when either is unknown.
func (s Spaces) Join(other Spaces) Spaces {
	if s == 0 || other == 0 {
		return 0
	}
	return s | other
}

// List is the members, in the order of the constants.
func (s Spaces) List() []Space {
	list := make([]Space, 0, bits.OnesCount16(uint16(s)))
	for rest := uint16(s); rest != 0; rest &= rest - 1 {
		list = append(list, Space(rest&-rest))
	}
	return list
}

// String is for sentences: "HBM", "HBM or VMEM_SHARED", "A, B or C", and "an unknown space" for the empty set.
func (s Spaces) String() string {
	list := s.List()
	switch len(list) {
	case 0:
		return "an unknown space"
	case 1:
		return list[0].String()
	}
	var b strings.Builder
	for i, space := range list {
		switch {
		case i == 0:
		case i == len(list)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(space.String())
	}
	return b.String()
}

// Core is the kind of core or backend that a kernel is lowered for.
type Core uint8

// The cores. The zero value means that it is not known.
const (
	CoreUnknown     Core = iota
	TensorCore           // TPU TensorCore: pallas_call on TPU, pltpu.TensorCoreMesh (CoreType.TC)
	SCVectorSubcore      // TPU SparseCore vector subcore, plsc.VectorSubcoreMesh (CoreType.SC_VECTOR_SUBCORE)
	SCScalarSubcore      // TPU SparseCore scalar subcore, plsc.ScalarSubcoreMesh (CoreType.SC_SCALAR_SUBCORE)
	MosaicGPU            // plgpu.kernel, pallas_call with Mosaic GPU's compiler parameters
	Triton               // pallas_call with Triton's compiler parameters

	numCores
)

var coreNames = [numCores]string{"", "tensorcore", "sc_vector_subcore", "sc_scalar_subcore", "mosaic_gpu", "triton"}
var coreWords = [numCores]string{"unknown core", "TensorCore", "SparseCore vector subcore", "SparseCore scalar subcore", "GPU (Mosaic)", "GPU (Triton)"}

// String is for sentences: "a SparseCore vector subcore can not ...".
func (c Core) String() string {
	if c >= numCores {
		return coreWords[0]
	}
	return coreWords[c]
}

// Name is the short name that `inspect --json` prints: "sc_vector_subcore"; empty when unknown.
func (c Core) Name() string {
	if c >= numCores {
		return ""
	}
	return coreNames[c]
}

// MarshalJSON writes the short name, or null when the core is not known.
func (c Core) MarshalJSON() ([]byte, error) {
	if c.Name() == "" {
		return []byte("null"), nil
	}
	return []byte(`"` + c.Name() + `"`), nil
}

// ParseCore reads a short name ("sc_vector_subcore") or a member of JAX's CoreType ("TC", "SC_VECTOR_SUBCORE",
// jax._src.pallas.mosaic.core.CoreType).
func ParseCore(name string) (Core, bool) {
	lower := strings.ToLower(name)
	if lower == "tc" {
		return TensorCore, true
	}
	for c := TensorCore; c < numCores; c++ {
		if coreNames[c] == lower {
			return c, true
		}
	}
	return CoreUnknown, false
}

// IsSparseCore is true for both kinds of SparseCore subcores.
func (c Core) IsSparseCore() bool { return c == SCVectorSubcore || c == SCScalarSubcore }

// IsTPU is true for the TensorCore and both SparseCore subcores.
func (c Core) IsTPU() bool { return c == TensorCore || c.IsSparseCore() }

// IsGPU is true for Mosaic GPU and Triton.
func (c Core) IsGPU() bool { return c == MosaicGPU || c == Triton }
