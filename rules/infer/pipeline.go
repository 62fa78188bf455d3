package infer

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// callEmitPipeline models pltpu.emit_pipeline (jax/_src/pallas/mosaic/pipeline.py emit_pipeline).
func callEmitPipeline(ip *interp, fr *frame, c *Call) Value {
	s := ip.newSite(c, coreOf(ip.kernel))
	s.Kernel = orUnknown(c.Arg("body"))
	s.InSpecs, s.OutSpecs = specsOr(c, "in_specs"), specsOr(c, "out_specs")
	ip.setGrid(s, c.Arg("grid"))
	return ip.newPallasFn(s)
}

func specsOr(c *Call, name string) Value {
	v := c.Arg(name)
	if v == nil && !c.Open {
		return &Tuple{}
	}
	return orUnknown(v)
}

func callPipelineWithAllocations(ip *interp, fr *frame, c *Call) Value {
	return &Tuple{Head: []Value{callEmitPipeline(ip, fr, c), &API{Name: makeAllocations}}}
}

// runPipeline runs the body of a pipeline on the refs it is given.
func (ip *interp) runPipeline(fr *frame, s *Site, args Args) {
	if s.Core == jax.CoreUnknown {
		s.Core = coreOf(ip.kernel)
	}
	s.Outer = ip.kernel
	k := ip.newKernel(s)
	ins, outs := specList(ip, s.InSpecs), specList(ip, s.OutSpecs)
	pos, open := args.positional()
	var operands []Value
	for _, a := range pos {
		operands = append(operands, ip.resolve(a.Value))
	}
	s.Operands = args
	var body Args
	if explicit, _ := ip.truth(orNone(s.Call.Arg("_explicit_indices"))); explicit {
		body = append(body, Arg{Value: Unknown})
	}
	if ins == nil || outs == nil || open {
		body = append(body, Arg{Star: 1, Value: Unknown, Loc: s.Loc})
	} else {
		i := 0
		for n, spec := range append(append([]Value(nil), ins...), outs...) {
			v := Value(Unknown)
			if n < len(operands) {
				v = operands[n]
			} else if s.Called {
				continue
			}
			role := Input
			if n >= len(ins) {
				role = Output
			}
			body = append(body, Arg{Value: ip.pipelineTree(s, v, spec, role, &i), Loc: s.Loc})
		}
		s.Complete = true
	}
	if a := args.named("scratches"); a != nil {
		t, ok := ip.iterate(a.Value).(*Tuple)
		if !ok || t.Rest != nil {
			body = append(body, Arg{Star: 1, Value: Unknown, Loc: s.Loc})
		} else {
			for _, e := range elems(t) {
				body = append(body, Arg{Value: e, Loc: a.Loc})
			}
		}
	}
	ip.addSite(s)
	buffers := ip.pipelineBuffers(args, len(s.Inputs)+len(s.Outputs))
	ip.pipelineCopies(fr, s, s.Inputs, buffers[:len(s.Inputs)], Input)
	faults := len(ip.world.Faults)
	ip.enterKernel(fr, k, s.Kernel, body)
	if len(ip.world.Faults) == faults { // else JAX stops before it
		ip.pipelineCopies(fr, s, s.Outputs, buffers[len(s.Inputs):], Output)
	}
	ip.runMaps(fr, s, nil)
}

func specList(ip *interp, v Value) []Value {
	switch v := ip.resolve(v).(type) {
	case *BlockSpec:
		return []Value{v}
	case *Tuple, *List:
		t, ok := ip.iterate(v).(*Tuple)
		if ok && t.Rest == nil {
			return append([]Value{}, elems(t)...)
		}
	}
	return nil
}

// pipelineTree makes the ref of one block of a pipeline; specs and operands may be trees of one structure.
func (ip *interp) pipelineTree(s *Site, v, spec Value, role Role, i *int) Value {
	switch sp := spec.(type) {
	case *Tuple, *List:
		t, ok := ip.iterate(sp).(*Tuple)
		if !ok || t.Rest != nil {
			return Unknown
		}
		out := &Tuple{Class: t.Class, Names: t.Names}
		for n, e := range elems(t) {
			out.Head = append(out.Head, ip.pipelineTree(s, specNode{v}.child(n), e, role, i))
		}
		return likeThat(sp, out)
	case *Union:
		if opt, ok := optional(sp); ok {
			return unionOf([]Value{ip.pipelineTree(s, v, opt, role, i), None{}})
		}
		return Unknown
	case None:
		return v
	case *BlockSpec:
		return ip.pipelineLeaf(s, v, sp, role, i)
	}
	return Unknown
}

func (ip *interp) pipelineLeaf(s *Site, v Value, sp *BlockSpec, role Role, i *int) Value {
	o := &Operand{Index: *i, Value: v, Spec: sp, SpecLoc: sp.Loc}
	*i++
	o.Array, o.DType, _ = typeOf(v)
	if role == Input {
		s.Inputs = append(s.Inputs, o)
	} else {
		s.Outputs = append(s.Outputs, o)
	}
	r := ip.operandRef(s, o, role, sp)
	ref, isRef := v.(*Ref)
	local := isRef && s.Core == jax.TensorCore && ref.Alloc.promised() && ref.Spaces.Only(jax.VMEM) && r.Spaces.Only(jax.VMEM)
	if isRef && (local || sp.Spaces.Only(jax.ANY, jax.HBM)) { // no buffer: the body gets a part of the operand itself
		r.Alloc.Spaces, r.Alloc.of = ref.Spaces, []*Alloc{ref.Alloc}
		o.Direct = true
		r.base = ref
		r.at = []item{{value: Unknown}}
		if sp.NoBlock {
			r.View = ref.View
		}
		return r
	}
	if isRef {
		ip.bothSlots(s, r)
	}
	if !sp.Spaces.Known() && (sp.Space == nil || isNone(sp.Space)) && s.Core.IsTPU() {
		r.Alloc.Spaces = jax.SpacesOf(jax.VMEM)
		r.Alloc.Why = &Why{Loc: sp.Loc, Reason: "a block of a pipeline is in VMEM unless its BlockSpec names another space"}
	}
	return r
}

// promised: the type of the ref names its space. That of an operand in its default space does not; the buffers of a pipeline are made in theirs.
func (a *Alloc) promised() bool {
	return !a.Default && !a.either || a.Kernel != nil && a.Kernel.Site != nil && a.Kernel.Site.API == "emit_pipeline"
}

// pipelineCopies are the copies that a pipeline makes of the blocks of its operands.
func (ip *interp) pipelineCopies(fr *frame, s *Site, operands []*Operand, buffers []Value, role Role) {
	loc := s.CallLoc
	if !loc.Valid() {
		loc = s.Loc
	}
	for i, o := range operands {
		operand, ok := o.Value.(*Ref)
		if !ok || !s.Core.IsTPU() || o.Direct {
			continue
		}
		if buffers[i] != Value(pipelineBuffer{}) {
			ip.ownCopies(fr, s, o, buffers[i], role)
			continue
		}
		r := o.Ref
		block := &Ref{Alloc: r.Alloc, View: raggedShape(o), Type: r.Type, Loc: loc}
		outer := &Ref{Alloc: operand.Alloc, View: block.View, Type: operand.Type, Loc: loc, Steps: append(operand.Steps[:len(operand.Steps):len(operand.Steps)], Step{Kind: "at", Loc: loc})}
		sem := &Ref{Alloc: &Alloc{Spaces: jax.SpacesOf(jax.Semaphore), Shape: Scalar, DType: jax.DMASem, Loc: loc, Kernel: ip.kernel}, View: Scalar, Type: jax.DMASem, Loc: loc}
		refs := []*Ref{outer, block, sem, nil}
		if role == Output {
			refs = []*Ref{block, outer, sem, nil}
		}
		for _, op := range []Op{OpDMAStart, OpDMAWait} {
			ip.event(&Event{Op: op, Loc: loc, Refs: refs, Locs: []parse.Loc{loc, loc, loc, loc}, Via: s.Call.API, Implicit: true})
		}
	}
}

// raggedShape is the shape of the copies of an operand's blocks: not known along dimensions that the block does not divide.
func raggedShape(o *Operand) Shape {
	out := Shape{Dims: append([]*Int(nil), o.Ref.View.Dims...)}
	if o.Ref.View.Dims == nil || o.Spec == nil || len(o.Spec.Dims) != len(o.Array.Dims) {
		return Shape{}
	}
	k := 0
	for i, d := range o.Spec.Dims {
		if d.Kind == "squeezed" {
			continue
		}
		n, ok1 := o.Array.Dims[i].Known()
		b, ok2 := d.Size.Known()
		if k < len(out.Dims) && (!ok1 || !ok2 || b == 0 || n%b != 0) {
			out.Dims[k] = nil
		}
		k++
	}
	return out
}

// bothSlots: the slots of a one-dimensional block are one buffer, of which the body gets a part (jax/_src/pallas/mosaic/pipeline.py
// BufferedRef.create).
func (ip *interp) bothSlots(s *Site, r *Ref) {
	if n, ok := r.View.Rank(); !ok || n != 1 || !s.Core.IsTPU() {
		return
	}
	trivial, known := s.trivialWindow(r.Alloc.Operand)
	if trivial {
		return
	}
	whole := *r
	whole.View = Shape{Dims: []*Int{r.View.Dims[0].Mul(N(2))}}
	if !known || r.Alloc.Operand.Spec.Mode != nil {
		whole.View = Shape{Dims: []*Int{nil}}
	}
	r.base, r.at = &whole, []item{{value: &Dynamic{Start: Unknown, Size: dimValue(r.View.Dims[0])}}}
}

// trivialWindow: the block is the whole array at every step, as far as that shows before the index map has run
// (jax/_src/pallas/mosaic/pipeline.py _spec_has_trivial_windowing).
func (s *Site) trivialWindow(o *Operand) (trivial, known bool) {
	if o.Spec.NoBlock {
		return true, true
	}
	same, ok := o.BlockOf().Equal(o.Array)
	for _, d := range o.Spec.Dims {
		if d.Kind != "blocked" {
			return false, d.Kind != "unknown"
		}
	}
	if !ok || !same {
		return false, ok
	}
	one := s.GridKnown
	for _, g := range s.Grid {
		one = one && g.Is(1)
	}
	if one || o.Spec.IndexMap == nil && !o.Spec.Call.Open {
		return true, true
	}
	return false, false
}
