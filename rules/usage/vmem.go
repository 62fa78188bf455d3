// Package usage measures what a kernel takes of the memories of its core, as far as sizes are known. It judges nothing.
package usage

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

const mib = 1 << 20

// Limits of VMEM in bytes, as libtpu's own answers gave them.
type Limits struct {
	Scoped   int64 // what a kernel may take without vmem_limit_bytes
	Capacity int64 // what there is
}

// SMEMCapacity is what there is of SMEM on every chip from v4 on, in bytes.
const SMEMCapacity = 1 * mib

var vmem = map[string]Limits{
	"v4":  {16 * mib, 16 * mib},
	"v5e": {16 * mib, 128 * mib},
	"v5p": {16 * mib, 64*mib - 64<<10},
	"v6e": {32 * mib, 128*mib - 64<<10},
	"7x":  {32 * mib, 64*mib - 64<<10},
}

// LimitsOf is the limits of a chip; without a chip, those of the one with the most, so that what exceeds them is refused on every chip.
func LimitsOf(chip *jax.Chip) (Limits, bool) {
	if chip == nil {
		return Limits{128 * mib, 128 * mib}, true
	}
	l, ok := vmem[chip.Name]
	return l, ok
}

// Buffer is one part of what a kernel takes of a memory.
type Buffer struct {
	Operand *infer.Operand // of a window or scratch entry
	Bytes   int64          // of one copy of it, unpadded
	Count   int64          // windows that move are buffered more than once
	Moving  bool
	Fixed   bool // XLA can't keep the whole array in VMEM instead
	Needed  bool // all of it is known to be used
}

// Total is the size of all copies of the buffer.
func (b Buffer) Total() int64 { return b.Bytes * b.Count }

// Limit is vmem_limit_bytes, or the chip's default; everything there is when it is not known.
func (l Limits) Limit(s *infer.Site) int64 { return min(l.limit(s), l.Capacity) }

func (l Limits) limit(s *infer.Site) int64 {
	switch v := s.Params.(type) {
	case nil, infer.None:
		return l.Scoped
	case *infer.Params:
		if a := v.Call.Arg("vmem_limit_bytes"); a != nil {
			if n, ok := infer.AsInt(a).Known(); ok {
				return n
			}
			if _, none := a.(infer.None); !none {
				return l.Capacity
			}
		}
		if !v.Call.Open {
			return l.Scoped
		}
	}
	return l.Capacity
}

// VMEM lists what a pallas_call takes of VMEM, as far as sizes are known: exact is false when something is missing from the list.
func VMEM(s *infer.Site) (parts []Buffer, exact bool) {
	exact = s.Complete
	for _, o := range s.Blocks() {
		b, ok := window(s, o, jax.VMEM)
		exact = exact && ok
		if b.Bytes > 0 {
			parts = append(parts, b)
		}
	}
	for _, o := range s.Scratches {
		b, ok := scratch(s, o, jax.VMEM)
		exact = exact && ok
		if b.Bytes > 0 {
			parts = append(parts, b)
		}
	}
	return append(parts, pipelines(s)...), exact
}

// window is the buffers of one operand of a site; the buffer is empty when the operand is not in that memory or its size is not known.
func window(s *infer.Site, o *infer.Operand, space jax.Space) (Buffer, bool) {
	if o.Ref == nil || !o.Ref.Spaces.Known() {
		return Buffer{}, false
	}
	if !o.Ref.Spaces.Only(space) {
		return Buffer{}, !o.Ref.Spaces.Has(space)
	}
	n, ok := o.BlockOf().Size()
	if !ok || !o.DType.Known() {
		return Buffer{}, false
	}
	b := Buffer{Operand: o, Bytes: o.DType.Bytes(n), Count: 1, Needed: true}
	b.Moving = moves(s, o)
	if b.Moving {
		b.Count = buffers(o)
	}
	return b, true
}

// moves: the window is known to change its place from step to step, so that it is buffered.
func moves(s *infer.Site, o *infer.Operand) bool {
	steps := int64(1)
	for _, g := range s.Grid {
		n, ok := g.Known()
		if !ok {
			return false
		}
		steps *= n
	}
	whole, known := o.Whole()
	return s.GridKnown && steps > 1 && known && !whole
}

// buffers is how many copies of a moving window there are: two, or what pl.Buffered says; one when that is not known.
func buffers(o *infer.Operand) int64 {
	if o.Spec == nil || o.Spec.Mode == nil {
		return 2
	}
	switch m := o.Spec.Mode.(type) {
	case infer.None:
		return 2
	case *infer.Params:
		if n, ok := infer.AsInt(m.Call.Arg("buffer_count")).Known(); ok && n > 0 {
			return n
		}
	}
	return 1
}

func scratch(s *infer.Site, o *infer.Operand, space jax.Space) (Buffer, bool) {
	if o.Mem == nil || o.Ref == nil || !o.Ref.Spaces.Known() {
		return Buffer{}, false
	}
	if !o.Ref.Spaces.Only(space) {
		return Buffer{}, !o.Ref.Spaces.Has(space)
	}
	n, ok := o.Mem.Shape.Size()
	if !ok || !o.Mem.DType.Known() {
		return Buffer{}, false
	}
	return Buffer{Operand: o, Bytes: o.Mem.DType.Bytes(n), Count: 1, Needed: whollyUsed(s, o.Ref.Alloc)}, true
}

// whollyUsed: a copy of the whole buffer, or an access at a place that only the run decides. Of scratch that is used at fixed
// places the compiler may keep just those.
func whollyUsed(s *infer.Site, a *infer.Alloc) bool {
	for _, k := range s.Kernels {
		for _, e := range k.Events {
			for _, r := range e.Refs {
				if r != nil && r.Alloc == a && (wholeAccess(e, r) || dynamic(e, r)) {
					return true
				}
			}
		}
	}
	return false
}

func wholeAccess(e *infer.Event, r *infer.Ref) bool {
	if len(r.Steps) > 0 {
		return false
	}
	for _, x := range e.Index {
		if x.Kind != infer.IndexFull {
			return false
		}
	}
	return e.Op == infer.OpDMAStart || len(e.Index) > 0
}

func dynamic(e *infer.Event, r *infer.Ref) bool {
	for _, x := range e.Index {
		if x.Traced {
			return true
		}
	}
	for _, st := range r.Steps {
		for _, x := range st.Index {
			if x.Traced {
				return true
			}
		}
	}
	return false
}

// pipelines are the windows of the largest pipeline in the kernel: those of several pipelines may share their memory.
func pipelines(s *infer.Site) []Buffer {
	var best []Buffer
	var size int64
	for _, k := range s.Kernels {
		for _, inner := range k.Inner {
			parts := pipeline(inner)
			var n int64
			for _, b := range parts {
				n += b.Total()
			}
			if n > size {
				best, size = parts, n
			}
		}
	}
	return best
}

func pipeline(s *infer.Site) (parts []Buffer) {
	if s.API != "emit_pipeline" {
		return nil
	}
	for _, o := range s.Blocks() {
		if b, _ := pipelined(s, o, jax.VMEM); b.Bytes > 0 {
			parts = append(parts, b)
		}
	}
	return parts
}

// pipelined is the buffers of one operand of a pipeline.
func pipelined(s *infer.Site, o *infer.Operand, space jax.Space) (Buffer, bool) {
	if o.Direct {
		return Buffer{}, true
	}
	b, ok := window(s, o, space)
	if b.Bytes > 0 {
		b.Moving, b.Fixed, b.Count = true, true, buffers(o)
	}
	return b, ok
}
