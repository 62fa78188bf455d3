package lsp

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// space describes the memory space, or the kind of semaphore, whose name the cursor is on.
func (x *subject) space() (string, parse.Span) {
	for i := len(x.nodes) - 1; i >= 0; i-- {
		attr, ok := x.nodes[i].(*parse.Attr)
		if !ok {
			continue
		}
		use := x.nameUse(attr.Span())
		if use == nil {
			continue
		}
		if text := x.spaceText(lastPart(use.Name), use.Name); text != "" {
			return text, attr.Span()
		}
	}
	return "", parse.Span{}
}

func (x *subject) nameUse(span parse.Span) *infer.NameUse {
	for _, e := range x.n.whole().Facts.Entries {
		for _, w := range e.Worlds {
			for _, u := range w.Names {
				if u.Loc.Chunk == x.chunk && u.Loc.Span == span {
					return u
				}
			}
		}
	}
	return nil
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// spaceWords is what each memory space is in general, on a TPU; GPU spaces are named by their own module.
var spaceWords = map[jax.Space]string{
	jax.ANY:        "wherever the array is, usually HBM: no direct load or store; copy it, or pass it on",
	jax.HBM:        "the device's main memory: large and far; reached by DMA only",
	jax.VMEM:       "vector memory: where a TensorCore computes, and each SparseCore vector subcore on its own",
	jax.VMEMShared: "memory that the vector subcores of one SparseCore share: reached by DMA only",
	jax.SMEM:       "scalar memory: small, for indices and flags, read and written one element at a time",
	jax.CMEM:       "common memory, of TPU v4 only",
	jax.Semaphore:  "where semaphores live; it holds no data",
	jax.HOST:       "the host's memory",
	jax.GMEM:       "the GPU's global memory: large and far; copied to SMEM before it is computed on",
	jax.TMEM:       "tensor memory of Blackwell GPUs, where the tensor core accumulates",
	jax.REGS:       "registers",
}

var semaphoreWords = map[string]string{
	"DMA":     "counts the bytes that copies have moved; a copy signals it and wait() takes them off again",
	"REGULAR": "counts signals: pltpu.semaphore_signal adds, pltpu.semaphore_wait waits and takes off",
	"BARRIER": "one for all devices of a collective, named by collective_id",
}

func (x *subject) spaceText(last, name string) string {
	if strings.Contains(name, "SemaphoreType.") {
		if words := semaphoreWords[last]; words != "" {
			return fmt.Sprintf("**%s semaphore**: %s", last, words)
		}
	}
	space, ok := jax.ParseSpace(last)
	if !ok || spaceWords[space] == "" || strings.Contains(name, "mosaic_gpu") && space == jax.SMEM {
		return ""
	}
	text := fmt.Sprintf("**%s**: %s", space, spaceWords[space])
	if size := x.capacity(space); size != "" {
		text += "  \n" + size
	}
	return text
}

// capacity says how large a space is on the configured chip.
func (x *subject) capacity(space jax.Space) string {
	chip := x.n.whole().Settings.Config.Chip
	if chip == nil {
		return ""
	}
	size := map[jax.Space]int64{jax.VMEM: chip.VMEM, jax.SMEM: chip.SMEM, jax.CMEM: chip.CMEM, jax.HBM: chip.HBM}[space]
	if size == 0 {
		return ""
	}
	text := fmt.Sprintf("%s: %s for each TensorCore", chip.Name, bytesText(size))
	if space == jax.VMEM && chip.SparseCore != nil {
		text += fmt.Sprintf(", %s for each SparseCore vector subcore", bytesText(chip.SparseCore.VMEM))
	}
	return text
}
