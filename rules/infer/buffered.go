package infer

import (
	"slices"

	"pallas-lsp/rules/jax"
)

// makeAllocations stands for the second result of emit_pipeline_with_allocations.
const makeAllocations = "make_allocations"

func init() {
	plain := func(ip *interp, fr *frame, c *Call) Value { return pipelineBuffer{} }
	register(map[string]model{
		makeAllocations:                   plain,
		tpu + "BufferedRef.create":        plain,
		tpu + "BufferedRef.input":         plain,
		tpu + "BufferedRef.output":        plain,
		tpu + "BufferedRef.input_output":  plain,
		tpu + "make_pipeline_allocations": plain,
	})
}

// pipelineBuffer is a buffer that a pipeline fills and empties by itself, or a tree of them (jax/_src/pallas/mosaic/pipeline.py BufferedRef).
type pipelineBuffer struct{}

func isPipelineBuffer(v Value) bool {
	if o, ok := v.(*Instance); ok {
		return o.Class.isBuffer()
	}
	return v == Value(pipelineBuffer{})
}

// isBuffer: the class derives from BufferedRef.
func (c *Class) isBuffer() bool {
	own := func(c *Class) bool {
		return slices.ContainsFunc(c.Bases, func(b Value) bool {
			a, ok := b.(*API)
			return ok && a.Name == tpu+"BufferedRef"
		})
	}
	return c != nil && (own(c) || slices.ContainsFunc(c.above, own))
}

// pipelineBuffers are the buffers of n operands: those of allocations=, else the pipeline's own.
func (ip *interp) pipelineBuffers(args Args, n int) []Value {
	out := make([]Value, n)
	given := args.named("allocations")
	all := Value(pipelineBuffer{})
	if given != nil && !isNone(given.Value) {
		all = ip.resolve(given.Value)
	}
	list, known := Elements(all)
	for i := range out {
		switch {
		case all == Value(pipelineBuffer{}):
			out[i] = all
		case known && i < len(list):
			out[i] = list[i]
		default:
			out[i] = Unknown
		}
	}
	return out
}

// ownCopies runs the methods by which a buffer of the author's own kind fills or empties its window. What another does is not known.
func (ip *interp) ownCopies(fr *frame, s *Site, o *Operand, buffer Value, role Role) {
	ip.hide()
	mine, ok := buffer.(*Instance)
	if !ok || !mine.Class.isBuffer() {
		return
	}
	self := ip.windowed(s, o, mine)
	grid := &Tuple{}
	for i := range s.Grid {
		grid.Head = append(grid.Head, ip.gridScalar("grid index "+itoa(i), s.Loc))
	}
	methods := []string{"copy_in", "wait_in"}
	if role == Output {
		methods = []string{"copy_out", "wait_out"}
	}
	ip.under(Cond{Kind: "for", Loc: s.Loc}, func() {
		for _, name := range methods {
			if m, ok := mine.Class.lookup(name).(*Func); ok {
				ip.callFunc(m, Args{{Value: self}, {Value: o.Value}, {Value: grid}}, &callSite{loc: s.CallLoc, fn: s.CallLoc})
			}
		}
	})
}

// windowed is a buffer with what the base class gives it: its window, as many blocks as it has slots, and the semaphores of its copies.
func (ip *interp) windowed(s *Site, o *Operand, mine *Instance) *Instance {
	out := &Instance{Class: mine.Class, fields: map[string]*Cell{}, Open: true}
	for name, c := range mine.fields {
		out.fields[name] = &Cell{v: c.v}
	}
	window := &Alloc{Role: Scoped, Spaces: o.Ref.Spaces, DType: o.Ref.Type, Loc: s.Loc, Kernel: ip.kernel}
	if d := o.Ref.View.Dims; d != nil {
		window.Shape = Shape{Dims: append([]*Int{nil}, d...)}
	}
	sems := &Alloc{Role: Scoped, Spaces: jax.SpacesOf(jax.Semaphore), Shape: Shape{Dims: []*Int{nil}}, DType: jax.DMASem, Loc: s.Loc, Kernel: ip.kernel}
	ref := func(a *Alloc, name string) Value {
		a.Name = name
		return &Ref{Alloc: a, View: a.Shape, Type: a.DType, Loc: s.Loc}
	}
	for name, v := range map[string]Value{
		"window_ref": ref(window, "window_ref"), "sem_recvs": ref(sems, "sem_recvs"), "sem_sends": ref(sems, "sem_sends"),
		"current_copy_in_slot": ip.index32(nil, nil, s.Loc), "current_wait_in_slot": ip.index32(nil, nil, s.Loc),
		"current_copy_out_slot": ip.index32(nil, nil, s.Loc), "current_wait_out_slot": ip.index32(nil, nil, s.Loc),
	} {
		out.fields[name] = &Cell{v: v}
	}
	return out
}
