package usage

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// Kind says what a part of a memory is for.
type Kind string

// The kinds, as `inspect` prints them.
const (
	Window   Kind = "window"   // a block of an operand or output, moved from step to step
	Whole    Kind = "array"    // an operand or output that is there as a whole
	Scratch  Kind = "scratch"  // asked for with the call
	Prefetch Kind = "prefetch" // a prefetched scalar operand
	Pipeline Kind = "pipeline" // a block of a pipeline inside the kernel
	Scoped   Kind = "scoped"   // allocated in the kernel's body
)

// Part is one buffer in a memory.
type Part struct {
	Name  string // of the kernel's parameter; empty: it has none
	Kind  Kind
	Bytes int64 // of one copy, unpadded
	Count int64 // copies, of a window that is buffered
	Loc   parse.Loc
}

// Total is the size of all copies.
func (p Part) Total() int64 { return p.Bytes * p.Count }

// Use is what a kernel takes of one memory of its core.
type Use struct {
	Space    jax.Space
	Parts    []Part
	Complete bool // nothing is missing from the parts; otherwise they are a lower bound
}

// Bytes is the size of all parts together.
func (u Use) Bytes() (n int64) {
	for _, p := range u.Parts {
		n += p.Total()
	}
	return n
}

// Of lists what the kernel of a site takes of VMEM, SMEM and VMEM_SHARED. It is nil for what runs inside another kernel or on no TPU.
func Of(s *infer.Site) []Use {
	if s == nil || s.Outer != nil || !s.Core.IsTPU() || s.API == "run_scoped" || s.API == "emit_pipeline" {
		return nil
	}
	var out []Use
	for _, space := range []jax.Space{jax.VMEM, jax.SMEM, jax.VMEMShared} {
		if u := use(s, space); len(u.Parts) > 0 || space == jax.VMEM && !u.Complete {
			out = append(out, u)
		}
	}
	return out
}

func use(s *infer.Site, space jax.Space) Use {
	u := Use{Space: space, Complete: s.Complete}
	add := func(k Kind, o *infer.Operand, b Buffer, known bool) {
		u.Complete = u.Complete && known && (b.Bytes == 0 || s.Core.IsSparseCore() || space != jax.VMEM || filled(o))
		if b.Bytes > 0 {
			u.Parts = append(u.Parts, Part{Name: nameOf(o), Kind: k, Bytes: b.Bytes, Count: b.Count, Loc: o.SpecLoc})
		}
	}
	for _, o := range s.Blocks() {
		b, known := window(s, o, space)
		kind := Whole
		if b.Moving {
			kind = Window
		}
		add(kind, o, b, known && (b.Bytes == 0 || counted(s, o)))
	}
	if space == jax.SMEM {
		for _, b := range prefetched(s) {
			add(Prefetch, b.Operand, b, true)
		}
	}
	for _, o := range s.Scratches {
		b, known := scratch(s, o, space)
		add(Scratch, o, b, known)
	}
	for _, k := range s.Kernels {
		inner(&u, k, add)
	}
	return u
}

// counted: it is known how many copies of an operand's block there are.
func counted(s *infer.Site, o *infer.Operand) bool {
	whole, known := o.Whole()
	if known && whole {
		return true
	}
	for _, g := range s.Grid {
		if _, ok := g.Known(); !ok {
			return false
		}
	}
	if o.Spec != nil && o.Spec.Mode != nil {
		m, isParams := o.Spec.Mode.(*infer.Params)
		if _, none := o.Spec.Mode.(infer.None); !none && !isParams {
			return false
		}
		if isParams {
			if _, ok := infer.AsInt(m.Call.Arg("buffer_count")).Known(); !ok {
				return false
			}
		}
	}
	return s.GridKnown && known
}

func nameOf(o *infer.Operand) string {
	if o.Param == "" && o.Ref != nil {
		return o.Ref.Name
	}
	return o.Param
}

// filled: the buffer's rows and tiles are full, so that the compiler adds no padding (jax/_src/pallas/mosaic, tiles of 8 rows by 128 lanes).
func filled(o *infer.Operand) bool {
	shape, dtype := o.BlockOf(), o.DType
	if o.Mem != nil {
		shape, dtype = o.Mem.Shape, o.Mem.DType
	}
	dims, ok := shape.Known()
	if !ok || len(dims) < 2 || dtype.Bits() == 0 {
		return false
	}
	return dims[len(dims)-1]%128 == 0 && dims[len(dims)-2]%8 == 0
}

// inner adds what the kernel's body allocates: of pipelines and of scopes each the largest, as those that follow one another may share.
func inner(u *Use, k *infer.Kernel, add func(Kind, *infer.Operand, Buffer, bool)) {
	type owned struct {
		o *infer.Operand
		b Buffer
	}
	largest := map[Kind][]owned{}
	sites := map[Kind]int{}
	for _, s := range k.Inner {
		kind, operands := Scoped, s.Scratches
		if s.API == "emit_pipeline" {
			kind, operands = Pipeline, s.Blocks()
		} else if s.API != "run_scoped" {
			continue
		}
		var list []owned
		for _, o := range operands {
			b, known := scratch(s, o, u.Space)
			if kind == Pipeline {
				b, known = pipelined(s, o, u.Space)
			}
			u.Complete = u.Complete && known
			if b.Bytes > 0 {
				list = append(list, owned{o, b})
			}
		}
		size := func(l []owned) (n int64) {
			for _, x := range l {
				n += x.b.Total()
			}
			return n
		}
		if len(list) > 0 {
			sites[kind]++
		}
		if size(list) > size(largest[kind]) {
			largest[kind] = list
		}
	}
	for _, kind := range []Kind{Pipeline, Scoped} {
		u.Complete = u.Complete && sites[kind] < 2
		for _, x := range largest[kind] {
			add(kind, x.o, x.b, true)
		}
	}
	for _, r := range k.Refs {
		if r.Role == infer.Scoped && r.Operand == nil && r.Spaces.Has(u.Space) {
			u.Complete = false
		}
	}
}

// Semaphores counts the semaphores that a site asks for, by type; complete is false when there are others that can't be counted.
func Semaphores(s *infer.Site) (n map[jax.DType]int64, complete bool) {
	n, complete = map[jax.DType]int64{}, s.Complete
	sites := []*infer.Site{s}
	for _, k := range s.Kernels {
		for _, i := range k.Inner {
			if i.API == "run_scoped" {
				sites = append(sites, i)
			}
		}
	}
	for _, one := range sites {
		for _, o := range one.Scratches {
			if o.Mem == nil || !o.Mem.Sem {
				complete = complete && o.Mem != nil
				continue
			}
			size, ok := o.Mem.Shape.Size()
			if !ok || o.Mem.DType == "" {
				complete = false
				continue
			}
			n[o.Mem.DType] += size
		}
	}
	return n, complete
}
