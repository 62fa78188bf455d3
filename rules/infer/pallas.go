package infer

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

func init() {
	register(map[string]model{
		pl + "pallas_call":                     callPallasCall,
		pl + "kernel":                          callKernel,
		mgpu + "kernel":                        callKernel,
		pl + "core_map":                        callCoreMap,
		pl + "run_scoped":                      callRunScoped,
		pl + "with_scoped":                     callWithScoped,
		tpu + "emit_pipeline":                  callEmitPipeline,
		tpu + "emit_pipeline_with_allocations": callPipelineWithAllocations,
		mgpu + "emit_pipeline":                 callEmitPipeline,
		tpu + "with_memory_space_constraint":   callConstraint,
		"jax.ref.empty_ref":                    callEmptyRef,
		"jax.ref.new_ref":                      callNewRef,
		"jax.ref.freeze":                       callFreeze,
		pl + "empty_ref_like":                  callEmptyRefLike,
		pl + "get_global":                      callGetGlobal,
		pl + "run_state":                       callRunState,
		tpu + "get_barrier_semaphore":          callBarrierSemaphore,
	})
}

// apiSite names the kind of a site as `inspect` prints it.
func apiSite(api string) string {
	switch {
	case strings.HasSuffix(api, "emit_pipeline_with_allocations"):
		return "emit_pipeline"
	case strings.HasSuffix(api, "with_scoped"):
		return "run_scoped"
	}
	return api[strings.LastIndexByte(api, '.')+1:]
}

func (ip *interp) newSite(c *Call, core jax.Core) *Site {
	c.Open = c.Open || len(c.Extra) > 0 // Python refuses the call: what it would mean is not known
	s := &Site{API: apiSite(c.API), Call: c, Loc: c.Loc, Core: core, Open: c.Open, Outer: ip.kernel, Prefetch: 0}
	c.Site = s
	return s
}

func (ip *interp) newPallasFn(s *Site) *PallasFn {
	s.freeze()
	f := &PallasFn{Site: s}
	ip.sites = append(ip.sites, f)
	return f
}

// callPallasCall models jax/_src/pallas/pallas_call.py pallas_call.
func callPallasCall(ip *interp, fr *frame, c *Call) Value {
	s := ip.newSite(c, ip.backend(c))
	s.Kernel = orUnknown(c.Arg("kernel"))
	s.OutShape = c.Arg("out_shape")
	s.Params, s.Interpret, s.Aliases = c.Arg("compiler_params"), ip.settled(c.Arg("interpret")), c.Arg("input_output_aliases")
	field := c.Arg
	if g := ip.resolve(orNone(c.Arg("grid_spec"))); !isNone(g) {
		spec, ok := g.(*GridSpec)
		if !ok {
			s.Open = true
			s.Prefetch = -1
			field = func(string) Value { return Unknown }
		} else {
			field = func(name string) Value { return spec.fields[name] }
			s.Prefetch = prefetchCount(spec)
			_, open := spec.fields["*"]
			s.Open = s.Open || open
		}
	}
	s.InSpecs, s.OutSpecs, s.Scratch = field("in_specs"), field("out_specs"), field("scratch_shapes")
	if s.Open { // what is not seen may be among what could not be read
		s.InSpecs, s.OutSpecs, s.Scratch = orUnknown(s.InSpecs), orUnknown(s.OutSpecs), orUnknown(s.Scratch)
	}
	ip.setGrid(s, field("grid"))
	return ip.newPallasFn(s)
}

func prefetchCount(g *GridSpec) int {
	if g.Call.API != tpu+"PrefetchScalarGridSpec" {
		return 0
	}
	if n, ok := asInt(orUnknown(g.fields["num_scalar_prefetch"])).Known(); ok && n >= 0 && n < 1000 {
		return int(n)
	}
	return -1
}

// settled is the truth of a condition that this world assumes, in place of the condition.
func (ip *interp) settled(v Value) Value {
	if o, ok := v.(*Opaque); ok {
		if b, known := ip.truth(o); known {
			return Bool(b)
		}
	}
	return v
}

func (ip *interp) setGrid(s *Site, v Value) {
	s.GridArg = v
	switch v := ip.resolve(orNone(v)).(type) {
	case None:
		s.GridKnown = !s.Open
		s.Grid = []*Int{}
	case *Int:
		s.Grid, s.GridKnown = []*Int{v}, true
	case *Tuple, *List:
		t, ok := ip.iterate(v).(*Tuple)
		if !ok || t.Rest != nil {
			return
		}
		s.GridKnown = true
		s.Grid = []*Int{}
		for _, e := range elems(t) {
			if named, ok := e.(*Tuple); ok && len(named.Head) == 2 { // ("axis", size)
				e = named.Head[1]
			}
			s.Grid = append(s.Grid, asInt(e))
		}
	}
}

// backend decides for what a pallas_call is lowered: by its compiler parameters, else by what the file imports.
func (ip *interp) backend(c *Call) jax.Core {
	switch p := c.Arg("compiler_params").(type) {
	case *API:
		return coreOfParams(p.Name)
	case *Params:
		return coreOfParams(p.API)
	}
	return ip.defaultCore
}

func coreOfParams(name string) jax.Core {
	switch {
	case strings.HasPrefix(name, tpu), strings.HasPrefix(name, plsc):
		return jax.TensorCore
	case strings.HasPrefix(name, mgpu):
		return jax.MosaicGPU
	case strings.HasPrefix(name, "jax.experimental.pallas.triton."):
		return jax.Triton
	}
	return jax.CoreUnknown
}

// callKernel models pl.kernel (jax/_src/pallas/helpers.py kernel, jax/_src/pallas/mpmd.py mpmd_map) and plgpu.kernel.
func callKernel(ip *interp, fr *frame, c *Call) Value {
	s := ip.newSite(c, jax.CoreUnknown)
	s.OutShape, s.Scratch = c.Arg("out_type"), c.Arg("scratch_types")
	if s.OutShape == nil {
		s.OutShape = c.Arg("out_shape")
	}
	if s.Scratch == nil {
		s.Scratch = c.Arg("scratch_shapes")
	}
	s.Params, s.Interpret = c.Arg("compiler_params"), ip.settled(c.Arg("interpret"))
	ip.setMesh(s, c.Arg("mesh"))
	if strings.HasPrefix(c.API, mgpu) {
		s.Core = jax.MosaicGPU
	}
	s.GridKnown = false
	body := c.Arg("body")
	if body == nil && !c.Open {
		return &kernelDecorator{s}
	}
	s.Kernel = orUnknown(body)
	if seq, ok := ip.iterate(s.Kernel).(*Tuple); ok {
		return ip.mpmd(s, seq)
	}
	return ip.newPallasFn(s)
}

// kernelDecorator is pl.kernel(...) without a body, to be applied to one.
type kernelDecorator struct{ site *Site }

func (ip *interp) setMesh(s *Site, v Value) {
	switch m := ip.resolve(orNone(v)).(type) {
	case *Mesh:
		s.Mesh, s.Core = m, m.Core
	case *Tuple, *List:
		s.Core = jax.CoreUnknown
	}
}

// mpmd is pl.kernel with a list of bodies and a list of meshes: one kernel each.
func (ip *interp) mpmd(s *Site, bodies *Tuple) Value {
	s.API = "mpmd_map"
	meshes, ok := ip.iterate(orUnknown(s.Call.Arg("mesh"))).(*Tuple)
	f := ip.newPallasFn(s)
	for i, b := range elems(bodies) {
		part := *s
		part.Kernel = b
		part.Core, part.Mesh = jax.CoreUnknown, nil
		if ok && i < len(elems(meshes)) {
			ip.setMesh(&part, elems(meshes)[i])
		}
		f.parts = append(f.parts, &part)
	}
	return f
}

// callCoreMap models pl.core_map (jax/_src/pallas/core.py core_map): a decorator that runs the body at once.
func callCoreMap(ip *interp, fr *frame, c *Call) Value {
	s := ip.newSite(c, jax.CoreUnknown)
	ip.setMesh(s, c.Arg("mesh"))
	s.Scratch = c.Arg("scratch_shapes")
	s.Params, s.Interpret = c.Arg("compiler_params"), ip.settled(c.Arg("interpret"))
	s.freeze()
	return &coreMapDecorator{s}
}

type coreMapDecorator struct{ site *Site }

// runCoreMap runs the body of a core_map, whose refs are those it closes over and its scratch.
func (ip *interp) runCoreMap(fr *frame, s *Site) {
	k := ip.newKernel(s)
	args := ip.scratchArgs(s)
	s.Complete = !args.open()
	ip.addSite(s)
	ip.enterKernel(fr, k, s.Kernel, args)
}

// Params are options: the call of a class such as CompilerParams, InterpretParams, Buffered or CostEstimate.
type Params struct {
	API  string
	Call *Call
}

// callPallas runs the kernel of a site on operands.
func (ip *interp) callPallas(fr *frame, f *PallasFn, args Args, at *callSite) Value {
	s := f.Site
	if f.calls > 0 {
		again := *s
		again.Kernels, again.Inputs, again.Outputs, again.Scratches = nil, nil, nil, nil
		s = &again
	}
	f.calls++
	s.Called, s.Operands, s.CallLoc, s.Under = true, args.frozen(), at.loc, ip.transforms[:len(ip.transforms):len(ip.transforms)]
	if ip.interpret > 0 {
		s.Interpret = Bool(true)
	}
	if len(f.parts) > 0 {
		for _, p := range f.parts {
			part := *p
			part.Called, part.Operands, part.CallLoc, part.Under = true, args, at.loc, s.Under
			part.Interpret = s.Interpret
			ip.runSite(fr, &part)
		}
		return ip.outputs(s)
	}
	if s.API == "emit_pipeline" {
		ip.runPipeline(fr, s, args)
		return None{}
	}
	ip.runSite(fr, s)
	return ip.outputs(s)
}

// outputs is what a call of a site returns: arrays of the structure of out_shape.
func (ip *interp) outputs(s *Site) Value {
	return ip.mapTree(orUnknown(s.OutShape), func(v Value) Value {
		if _, none := v.(None); none {
			return v
		}
		if shape, d, ok := typeOf(v); ok {
			if _, isOp := v.(*Opaque); isOp {
				return Unknown
			}
			return &Array{Shape: shape, DType: d, Outside: true, Loc: s.Loc}
		}
		return Unknown
	})
}

// mapTree applies f to the leaves of a pytree of tuples, lists, dicts and records, keeping the structure.
func (ip *interp) mapTree(v Value, f func(Value) Value) Value {
	switch v := v.(type) {
	case *Tuple:
		out := &Tuple{Class: v.Class, Names: v.Names, Node: v.Node, Loc: v.Loc}
		for _, e := range v.Head {
			out.Head = append(out.Head, ip.mapTree(e, f))
		}
		for _, e := range v.Tail {
			out.Tail = append(out.Tail, ip.mapTree(e, f))
		}
		if v.Rest != nil {
			out.Rest = ip.mapTree(v.Rest, f)
		}
		return out
	case *List:
		if t, ok := v.cell.v.(*Tuple); ok {
			return &List{cell: &Cell{ip.mapTree(t, f)}, Node: v.Node, Loc: v.Loc}
		}
		return Unknown
	case *Dict:
		c, ok := v.cell.v.(*dictContent)
		if !ok {
			return Unknown
		}
		n := &dictContent{keys: c.keys, open: c.open}
		for _, e := range c.vals {
			n.vals = append(n.vals, ip.mapTree(e, f))
		}
		return &Dict{cell: &Cell{n}}
	case *Instance:
		if !v.Class.Dataclass || v.Open || isHiValue(v) {
			return f(v)
		}
		out := &Instance{Class: v.Class, fields: map[string]*Cell{}, Key: v.Key}
		for _, fd := range v.Class.Fields {
			if c := v.fields[fd.Name]; c != nil && c.v != nil {
				out.fields[fd.Name] = &Cell{c.v}
				if !fd.Static {
					out.fields[fd.Name].v = ip.mapTree(c.v, f)
				}
			}
		}
		return out
	case *Iter:
		return Unknown
	case None:
		return v
	}
	return f(v)
}

// runSite runs the kernel of pallas_call or pl.kernel.
func (ip *interp) runSite(fr *frame, s *Site) {
	k := ip.newKernel(s)
	args := ip.kernelArgs(s, k)
	ip.addSite(s)
	ip.enterKernel(fr, k, s.Kernel, args)
	ip.runMaps(fr, s, args[:min(len(args), max(s.Prefetch, 0))])
}

func (ip *interp) newKernel(s *Site) *Kernel {
	k := &Kernel{Core: s.Core, Site: s, Outer: s.Outer, Loc: s.Loc, Name: "kernel"}
	if k.Outer != nil {
		k.level = k.Outer.level + 1
	}
	if f := kernelFunc(s.Kernel); f != nil {
		k.Fn, k.Name, k.Loc = f, f.Name, f.Loc()
	}
	if k.Core == jax.CoreUnknown && s.Outer != nil {
		k.Core = s.Outer.Core
		s.Core = k.Core
	}
	s.Kernels = append(s.Kernels, k)
	ip.world.Kernels = append(ip.world.Kernels, k)
	return k
}

// kernelFunc is the Python function inside partials, wrappers and bound methods.
func kernelFunc(v Value) *Func {
	switch v := v.(type) {
	case *Func:
		return v
	case *Partial:
		return kernelFunc(v.Fn)
	case *Bound:
		return kernelFunc(v.Fn)
	case *Wrapped:
		return kernelFunc(v.Fn)
	case *Instance:
		if v.Class != nil {
			return kernelFunc(v.Class.lookup("__call__"))
		}
	}
	return nil
}

// enterKernel calls a kernel function with its refs.
func (ip *interp) enterKernel(fr *frame, k *Kernel, fn Value, args Args) Value {
	if k.level > maxKernels { // it makes itself
		k.Blind, k.Hidden = true, true
		return Unknown
	}
	for _, a := range args {
		ip.own(k, a.Value)
	}
	k.Args = args
	saved := ip.suspend()
	ip.kernel = k
	if k.Outer != nil {
		ip.path = saved.path
		ip.unrolling = saved.unrolling
	}
	k.Body = &Body{Fn: fn}
	v := ip.runBody(fr, k.Body, args, &callSite{loc: k.Site.Loc, fn: k.Site.Loc})
	ip.resume(saved)
	return v
}

// own lists the refs among the arguments as the kernel's.
func (ip *interp) own(k *Kernel, v Value) {
	switch v := v.(type) {
	case *Ref:
		if v.Alloc.Kernel == nil && !v.Alloc.Many {
			v.Alloc.Kernel = k
			k.Refs = append(k.Refs, v)
		}
	case *Tuple:
		for _, e := range elems(v) {
			ip.own(k, e)
		}
		if v.Rest != nil {
			ip.own(k, v.Rest)
		}
	case *List:
		ip.own(k, v.cell.v)
	case *Dict:
		_, vals, _ := v.Items()
		for _, e := range vals {
			ip.own(k, e)
		}
	case *Instance:
		for _, f := range v.Class.Fields {
			if c := v.fields[f.Name]; c != nil {
				ip.own(k, c.v)
			}
		}
	case *Union:
		for _, a := range v.Alts {
			ip.own(k, a)
		}
	case *Homogeneous:
		ip.own(k, v.Leaf)
	}
}

// kernelArgs makes the refs that a kernel is called with: prefetched scalars, inputs, outputs, scratch (jax/_src/pallas/core.py
// get_grid_mapping).
func (ip *interp) kernelArgs(s *Site, k *Kernel) Args {
	var args Args
	args = append(args, ip.inputArgs(s)...)
	args = append(args, ip.outputArgs(s)...)
	args = append(args, ip.scratchArgs(s)...)
	s.Complete = !args.open() && !s.Open
	return args
}

// inputArgs are the refs of the prefetched scalars and the operands.
func (ip *interp) inputArgs(s *Site) Args {
	var operands []Value
	open := false
	if s.Called {
		pos, isOpen := s.Operands.positional()
		for _, a := range pos {
			operands = append(operands, ip.resolve(a.Value))
		}
		open = isOpen
	}
	if open || !s.Called {
		return ip.unknownInputs(s)
	}
	var out Args
	specs := ip.specTree(s.InSpecs)
	i := 0
	for n, v := range operands {
		prefetch := n < s.Prefetch
		var spec Value = noSpec{}
		if s.Prefetch < 0 {
			spec = Unknown
		} else if !prefetch {
			spec = specs.child(n - s.Prefetch)
		}
		out = append(out, Arg{Value: ip.inputTree(s, v, spec, prefetch, &i, n), Loc: s.Loc})
	}
	return out
}

// unknownInputs are the refs of operands that are not known: as many as in_specs has, else any number.
func (ip *interp) unknownInputs(s *Site) Args {
	var out Args
	i := 0
	if s.Prefetch < 0 {
		return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
	}
	for n := 0; n < s.Prefetch; n++ {
		out = append(out, Arg{Value: ip.inputTree(s, Unknown, noSpec{}, true, &i, n), Loc: s.Loc})
	}
	t, ok := s.InSpecs.(*Tuple)
	if l, isList := s.InSpecs.(*List); isList {
		t, ok = l.cell.v.(*Tuple)
	}
	if b, isSpec := s.InSpecs.(*BlockSpec); isSpec {
		t, ok = &Tuple{Head: []Value{b}}, true
	}
	if !ok {
		rest := Value(Unknown)
		if s.InSpecs == nil && !s.Open {
			o := &Operand{Index: -1}
			r := ip.operandRef(s, o, Input, noSpec{})
			r.Alloc.Many = true
			rest = r
		}
		return append(out, Arg{Star: 1, Value: rest, Loc: s.Loc})
	}
	spec := func(v Value) Value { return ip.inputTree(s, Unknown, v, false, &i, i) }
	for _, e := range t.Head {
		out = append(out, Arg{Value: spec(e), Loc: s.Loc})
	}
	if t.Rest != nil {
		out = append(out, Arg{Star: 1, Value: many(spec(t.Rest)), Loc: s.Loc})
	}
	for _, e := range t.Tail {
		out = append(out, Arg{Value: spec(e), Loc: s.Loc})
	}
	return out
}

// many marks a ref that stands for a run of unknown length.
func many(v Value) Value {
	if r, ok := v.(*Ref); ok {
		r.Alloc.Many = true
	}
	return v
}

// noSpec stands for an operand without a BlockSpec.
type noSpec struct{}

// specNode walks a tree of specs beside a tree of operands.
type specNode struct{ v Value }

func (ip *interp) specTree(v Value) specNode {
	if v == nil {
		return specNode{noSpec{}}
	}
	return specNode{ip.resolve(v)}
}

// child is the spec of the i-th element; a spec above a subtree holds for all of it only where JAX broadcasts, which it does not,
// so anything else is unknown.
func (s specNode) child(i int) Value {
	switch v := s.v.(type) {
	case noSpec:
		return v
	case *Tuple:
		return tupleAt(v, i)
	case *List:
		if t, ok := v.cell.v.(*Tuple); ok {
			return tupleAt(t, i)
		}
	case *BlockSpec:
		if i == 0 {
			return v
		}
	}
	return Unknown
}

func tupleAt(t *Tuple, i int) Value {
	switch {
	case i < len(t.Head):
		return t.Head[i]
	case t.Rest == nil && i < len(t.Head)+len(t.Tail):
		return t.Tail[i-len(t.Head)]
	case t.Rest != nil && len(t.Tail) == 0:
		return t.Rest
	}
	return Unknown
}

// inputTree makes the refs of one operand: a leaf, or a tree of the form that the operand or its specs have.
func (ip *interp) inputTree(s *Site, v, spec Value, prefetch bool, i *int, n int) Value {
	return ip.zipTree(v, spec, func(v, spec Value) Value {
		if isNone(spec) && !prefetch {
			return None{} // a None among the specs stands for a None among the operands
		}
		return ip.inputLeaf(s, v, spec, prefetch, i)
	})
}

// zipTree walks a tree of operands beside the tree of their specs; where only one of the two is known, its form is taken.
func (ip *interp) zipTree(v, spec Value, leaf func(v, spec Value) Value) Value {
	if h, ok := spec.(*Homogeneous); ok {
		if isOpaque(v) {
			return &Homogeneous{leaf(v, h.Leaf)}
		}
		return ip.zipTree(v, h.Leaf, leaf)
	}
	switch x := v.(type) {
	case *Tuple, *List:
		t, ok := ip.iterate(x).(*Tuple)
		if !ok || t.Rest != nil {
			return Unknown
		}
		out := &Tuple{Class: t.Class, Names: t.Names}
		for k, e := range elems(t) {
			out.Head = append(out.Head, ip.zipTree(e, specNode{spec}.child(k), leaf))
		}
		return out
	case *Dict, *Instance:
		return ip.zipRecord(x, spec, leaf)
	case None:
		return None{}
	case *Union:
		if opt, ok := optional(x); ok {
			return unionOf([]Value{ip.zipTree(opt, dropNone(spec), leaf), None{}})
		}
	case *Opaque:
		switch sp := spec.(type) {
		case *Tuple, *List:
			t, ok := ip.iterate(sp).(*Tuple)
			if !ok || t.Rest != nil {
				return Unknown
			}
			out := &Tuple{Class: t.Class, Names: t.Names}
			for k, e := range elems(t) {
				out.Head = append(out.Head, ip.zipTree(x.child(itoa(k)), e, leaf))
			}
			return out
		case *Dict, *Instance:
			return ip.mapRecord(sp, func(name string, e Value) Value { return ip.zipTree(x.child(name), e, leaf) })
		}
	}
	if u, ok := spec.(*Union); ok {
		if opt, ok := optional(u); ok {
			return unionOf([]Value{ip.zipTree(v, opt, leaf), None{}})
		}
	}
	return leaf(v, spec)
}

// child is a part of an opaque tree.
func (o *Opaque) child(name string) Value {
	if o.Key == "" {
		return Unknown
	}
	return opaque(o.Key + "." + name)
}

// zipRecord walks a dict or dataclass of operands beside its specs of the same form.
func (ip *interp) zipRecord(v, spec Value, leaf func(v, spec Value) Value) Value {
	parts := map[string]Value{}
	ip.mapRecord(spec, func(name string, e Value) Value { parts[name] = e; return e })
	_, none := spec.(noSpec)
	if _, single := v.(*Instance); single && !ip.isRecord(v) {
		return leaf(v, spec)
	}
	ip.inRecord++
	defer func() { ip.inRecord-- }()
	return ip.mapRecord(v, func(name string, e Value) Value {
		sp, ok := parts[name]
		switch {
		case none:
			sp = spec
		case !ok:
			sp = Unknown
		}
		return ip.zipTree(e, sp, leaf)
	})
}

// isRecord: a pytree with fields, as opposed to a leaf.
func (ip *interp) isRecord(v Value) bool {
	switch v := v.(type) {
	case *Dict:
		_, _, open := v.Items()
		return !open
	case *Instance:
		return v.Class != nil && v.Class.Dataclass && !v.Open && !isHiValue(v)
	}
	return false
}

// mapRecord makes a record of the same form with other values; anything else is Unknown.
func (ip *interp) mapRecord(v Value, f func(name string, e Value) Value) Value {
	if !ip.isRecord(v) {
		return Unknown
	}
	switch v := v.(type) {
	case *Dict:
		keys, vals, _ := v.Items()
		c := &dictContent{keys: keys}
		for i, e := range vals {
			c.vals = append(c.vals, f(valueKey(keys[i]), e))
		}
		return &Dict{cell: &Cell{c}}
	case *Instance:
		out := &Instance{Class: v.Class, fields: map[string]*Cell{}, Key: v.Key}
		for _, fd := range v.Class.Fields {
			if c := v.fields[fd.Name]; c != nil && c.v != nil {
				out.fields[fd.Name] = &Cell{c.v}
				if !fd.Static {
					out.fields[fd.Name].v = f(fd.Name, c.v)
				}
			}
		}
		return out
	}
	return Unknown
}

// Homogeneous is a pytree of unknown form of which every leaf is known to be like Leaf.
type Homogeneous struct{ Leaf Value }

func dropNone(v Value) Value {
	if u, ok := v.(*Union); ok {
		if x, ok := optional(u); ok {
			return x
		}
	}
	return v
}

// optional is the other value of a union of None and something.
func optional(u *Union) (Value, bool) {
	if len(u.Alts) != 2 {
		return nil, false
	}
	if isNone(u.Alts[0]) {
		return u.Alts[1], true
	}
	if isNone(u.Alts[1]) {
		return u.Alts[0], true
	}
	return nil, false
}

func (ip *interp) inputLeaf(s *Site, v, spec Value, prefetch bool, i *int) Value {
	o := &Operand{Index: *i, Value: v}
	*i++
	o.Array, o.DType, _ = typeOf(v)
	role := Input
	if prefetch {
		role = Prefetch
	}
	s.Inputs = append(s.Inputs, o)
	r := ip.operandRef(s, o, role, spec)
	if ref, ok := v.(*Ref); ok && isRefOperand(s) {
		r.High, r.HiType = ref.High, ref.HiType
	}
	return r
}

func isRefOperand(s *Site) bool { return s.API == "emit_pipeline" }

// operandRef makes the ref that a kernel gets for an operand or output.
func (ip *interp) operandRef(s *Site, o *Operand, role Role, spec Value) *Ref {
	a := &Alloc{Role: role, Operand: o, DType: o.DType, Shape: o.Array, Loc: s.Loc}
	if inst, ok := o.Value.(*Instance); ok {
		a.High, a.HiType = isHiValue(inst), ip.hiType(inst)
	}
	switch sp := spec.(type) {
	case *BlockSpec:
		o.Spec, o.SpecLoc = sp, sp.Loc
		ip.specRef(s, a, sp)
	case noSpec:
		ip.defaultSpace(s, a, role)
		if ref, ok := o.Value.(*Ref); ok && !ref.Default { // a ref stays where it was made
			a.Spaces, a.Why, a.Default = ref.Spaces, ref.Why, false
		}
	case *Union:
		ip.eitherSpec(s, a, sp)
	default:
		a.Shape = Shape{}
		a.Why = &Why{Loc: s.Loc, Reason: "the specs of this call are not known"}
		if role != Prefetch {
			a.Spaces = 0
		}
	}
	if role == Prefetch {
		a.Spaces = jax.SpacesOf(jax.SMEM)
		a.Shape = o.Array
		a.Why = &Why{Loc: s.Loc, Reason: "scalar prefetch operands are in SMEM"}
	}
	if arr, ok := o.Value.(*Array); ok && arr.Space.Known() && role == Input {
		ip.constrained(s, a, arr, spec)
	}
	if ref, ok := o.Value.(*Ref); ok && role == Input {
		ip.placed(s, a, ref, spec)
	}
	_, blocked := spec.(*BlockSpec)
	a.Guess = ip.inRecord > 0 || isOpaque(o.Value) && !blocked
	r := &Ref{Alloc: a, View: a.Shape, Type: a.DType, Loc: a.Loc}
	o.Ref = r
	return r
}

// placed: the operand is a ref that was made in a memory of its own choice, jax.new_ref(x, memory_space=...), and stays there.
func (ip *interp) placed(s *Site, a *Alloc, ref *Ref, spec Value) {
	if _, none := spec.(noSpec); none && s.API != "pallas_call" && !ref.Default {
		a.Spaces, a.Default = ref.Spaces, false
		a.Why = ref.Why
	}
}

// constrained: the operand was put into a memory by pltpu.with_memory_space_constraint, which a call without a spec follows; with ANY it may.
func (ip *interp) constrained(s *Site, a *Alloc, arr *Array, spec Value) {
	if _, none := spec.(noSpec); none && s.API == "kernel" {
		a.Spaces, a.Default = arr.Space, false
		a.Why = &Why{Loc: arr.Loc, Reason: "pltpu.with_memory_space_constraint puts it in " + arr.Space.String()}
		return
	}
	if a.Spaces.Has(jax.ANY) || a.Default {
		a.Spaces = 0
	}
}

// eitherSpec applies what several BlockSpecs agree on, of which one is the spec of a ref.
func (ip *interp) eitherSpec(s *Site, a *Alloc, u *Union) {
	var out *Alloc
	for _, alt := range u.Alts {
		sp, ok := alt.(*BlockSpec)
		if !ok {
			a.Shape, a.Spaces = Shape{}, 0
			a.Why = &Why{Loc: s.Loc, Reason: "the specs of this call are not known"}
			return
		}
		one := *a
		one.Operand = &Operand{}
		ip.specRef(s, &one, sp)
		if out == nil {
			out = &one
			continue
		}
		out.Spaces, out.Shape = out.Spaces.Join(one.Spaces), joinShapes(out.Shape, one.Shape)
	}
	a.Spaces, a.Shape, a.Why, a.either = out.Spaces, out.Shape, out.Why, true
	a.Operand.SpecLoc = u.Alts[0].(*BlockSpec).Loc
}

// specRef applies a BlockSpec to a ref.
func (ip *interp) specRef(s *Site, a *Alloc, sp *BlockSpec) {
	switch {
	case sp.NoBlock:
	case sp.Dims != nil:
		a.Shape = sp.refShape()
		for _, d := range sp.Dims {
			if d.Kind == "squeezed" {
				a.Operand.Squeezed++
			}
		}
	default:
		a.Shape = Shape{}
	}
	if sp.Spaces.Known() {
		a.Spaces = sp.Spaces
		a.Why = &Why{Loc: sp.Loc, Reason: "its BlockSpec puts it in " + sp.Spaces.String()}
		if s.Core.IsTPU() && sp.Spaces.Only(jax.INDEX, jax.KEY, jax.ERROR) { // jax/_src/pallas/mosaic/core.py
			a.Spaces = jax.SpacesOf(jax.SMEM)
			a.Why.Reason += ", which is SMEM on a TPU"
		}
		return
	}
	if sp.Space == nil || isNone(sp.Space) {
		if !sp.Call.Open {
			ip.defaultSpace(s, a, a.Role)
			a.Why = &Why{Loc: sp.Loc, Reason: "its BlockSpec names no memory space" + byDefault(a.Spaces)}
		}
		return
	}
	if api, ok := sp.Space.(*API); ok && api.Name == pl+"MemorySpace.DEFAULT" {
		ip.defaultSpace(s, a, a.Role)
	}
}

// defaultSpace is where a ref is when nobody says.
func (ip *interp) defaultSpace(s *Site, a *Alloc, role Role) {
	a.Default = true
	switch s.API {
	case "pallas_call":
		switch s.Core {
		case jax.TensorCore:
			a.Spaces = jax.SpacesOf(jax.VMEM)
		case jax.MosaicGPU:
			a.Spaces = jax.SpacesOf(jax.GMEM)
		}
		a.Why = &Why{Loc: s.Loc, Reason: "a pallas_call without a memory space for it" + byDefault(a.Spaces)}
	case "emit_pipeline":
		if s.Core.IsTPU() {
			a.Spaces = jax.SpacesOf(jax.VMEM)
		} else if s.Core == jax.MosaicGPU {
			a.Spaces = jax.SpacesOf(jax.SMEM)
		}
		if a.Spaces.Known() {
			a.Why = &Why{Loc: s.Loc, Reason: "a pipeline's blocks are in " + a.Spaces.String()}
		}
	case "kernel", "mpmd_map":
		if s.Core == jax.TensorCore && s.API == "kernel" {
			a.Spaces = jax.SpacesOf(jax.ANY)
			a.Why = &Why{Loc: s.Loc, Reason: "operands and outputs of pl.kernel on a TensorCoreMesh stay where they are: ANY"}
			return
		}
		if s.Core.IsTPU() || s.API == "mpmd_map" {
			a.Spaces = jax.SpacesOf(jax.HBM)
		} else if s.Core == jax.MosaicGPU {
			a.Spaces = jax.SpacesOf(jax.GMEM)
		}
		if !a.Spaces.Known() {
			return
		}
		what := "operands"
		if role == Output {
			what = "outputs"
		}
		reason := what + " of pl.kernel stay in " + a.Spaces.String()
		if s.Mesh != nil {
			reason = what + " of pl.kernel on a " + meshName(s.Mesh.Core) + " stay in " + a.Spaces.String()
		}
		a.Why = &Why{Loc: s.Loc, Reason: reason}
	}
}

func byDefault(s jax.Spaces) string {
	if !s.Known() {
		return ""
	}
	return ": " + s.String() + " by default"
}

func meshName(c jax.Core) string {
	switch c {
	case jax.SCVectorSubcore:
		return "VectorSubcoreMesh"
	case jax.SCScalarSubcore:
		return "ScalarSubcoreMesh"
	case jax.TensorCore:
		return "TensorCoreMesh"
	}
	return "mesh"
}

// outputArgs are the refs of the outputs: the elements of out_shape when it is a tuple or list.
func (ip *interp) outputArgs(s *Site) Args {
	v := s.OutShape
	if v == nil {
		if s.Call.Open {
			return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
		}
		return nil
	}
	i := 0
	specs := ip.specTree(s.OutSpecs)
	switch x := ip.resolve(v).(type) {
	case *Tuple, *List:
		t, ok := ip.iterate(x).(*Tuple)
		if !ok {
			break
		}
		var out Args
		for n, e := range t.Head {
			out = append(out, Arg{Value: ip.outputTree(s, e, specs.child(n), &i), Loc: s.Loc})
		}
		if t.Rest != nil {
			out = append(out, Arg{Star: 1, Value: many(ip.outputTree(s, t.Rest, specs.child(len(t.Head)), &i)), Loc: s.Loc})
		}
		for n, e := range t.Tail {
			sp := specs.child(len(t.Head) + n)
			if t.Rest != nil {
				sp = specs.last(len(t.Tail) - n)
			}
			out = append(out, Arg{Value: ip.outputTree(s, e, sp, &i), Loc: s.Loc})
		}
		return out
	case None: // a tree without a leaf, which is no tuple: the kernel gets it as it is (jax/_src/pallas/pallas_call.py)
		if s.API != "pallas_call" {
			return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
		}
		return Args{{Value: None{}, Loc: s.Loc}}
	case *Union:
		return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
	case *Opaque:
		if t, ok := specSeq(specs.v); ok { // as many outputs as specs
			var out Args
			for _, e := range elems(t) {
				out = append(out, Arg{Value: ip.outputTree(s, Unknown, e, &i), Loc: s.Loc})
			}
			return out
		}
		if _, single := specs.v.(*BlockSpec); !single {
			if _, none := specs.v.(noSpec); !none || x.Key == "" || !strings.Contains(x.Key, ".") {
				return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
			}
			return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
		}
	}
	return Args{{Value: ip.outputTree(s, ip.resolve(v), specs.v, &i), Loc: s.Loc}}
}

func specSeq(v Value) (*Tuple, bool) {
	switch v := v.(type) {
	case *Tuple:
		return v, v.Rest == nil
	case *List:
		t, ok := v.cell.v.(*Tuple)
		return t, ok && t.Rest == nil
	}
	return nil, false
}

// last is the spec n places from the end.
func (s specNode) last(n int) Value {
	var t *Tuple
	switch v := s.v.(type) {
	case noSpec:
		return v
	case *Tuple:
		t = v
	case *List:
		t, _ = v.cell.v.(*Tuple)
	}
	if t == nil || n > len(t.Tail) {
		return Unknown
	}
	return t.Tail[len(t.Tail)-n]
}

func (ip *interp) outputTree(s *Site, v, spec Value, i *int) Value {
	return ip.zipTree(v, spec, func(v, spec Value) Value { return ip.outputLeaf(s, v, spec, i) })
}

func (ip *interp) outputLeaf(s *Site, v, spec Value, i *int) Value {
	if _, none := v.(None); none {
		return v
	}
	o := &Operand{Index: *i, Value: v}
	*i++
	o.Array, o.DType, _ = typeOf(v)
	if isOpaque(v) {
		o.Array = Shape{}
	}
	s.Outputs = append(s.Outputs, o)
	r := ip.operandRef(s, o, Output, spec)
	ip.typedSpace(r, v)
	if m, ok := ip.toMem(v, s.Loc); ok && m.Sem {
		r.Alloc.DType, r.Type = m.DType, m.DType
		r.Alloc.Shape, r.View = m.Shape, m.Shape
		if !r.Spaces.Known() || r.Alloc.Default {
			r.Alloc.Spaces = jax.SpacesOf(jax.Semaphore)
		}
	}
	return r
}

// typedSpace: an output type may name its own memory space (pltpu.HBM(shape, dtype)).
func (ip *interp) typedSpace(r *Ref, v Value) {
	if !r.Alloc.Default {
		return
	}
	switch v := v.(type) {
	case *MemSpec:
		r.Alloc.Spaces = v.Spaces
		r.Alloc.Why = &Why{Loc: v.Loc, Reason: "the output's type puts it in " + v.Spaces.String()}
		r.Alloc.Default = false
	case *ShapeStruct:
		if v.Space.Known() {
			r.Alloc.Spaces = v.Space
		}
	}
}

// scratchArgs are the refs of the scratch: by position for a sequence, by keyword for a dict.
func (ip *interp) scratchArgs(s *Site) Args {
	i := 0
	switch v := ip.resolve(orNone(s.Scratch)).(type) {
	case None:
		if s.Call.Open && s.Scratch == nil {
			return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
		}
		return nil
	case *Dict:
		var out Args
		keys, vals, open := v.Items()
		for n, k := range keys {
			name, ok := k.(Str)
			if !ok {
				open = true
				continue
			}
			out = append(out, Arg{Name: string(name), Value: ip.scratchTree(s, vals[n], &i), Loc: s.Loc})
		}
		if open {
			out = append(out, Arg{Star: 2, Value: Unknown, Loc: s.Loc})
		}
		return out
	case *Tuple, *List:
		if t, ok := ip.iterate(v).(*Tuple); ok {
			if t.Class != nil {
				break
			}
			var out Args
			for _, e := range t.Head {
				out = append(out, Arg{Value: ip.scratchTree(s, e, &i), Loc: s.Loc})
			}
			if t.Rest != nil {
				out = append(out, Arg{Star: 1, Value: many(ip.scratchTree(s, t.Rest, &i)), Loc: s.Loc})
			}
			for _, e := range t.Tail {
				out = append(out, Arg{Value: ip.scratchTree(s, e, &i), Loc: s.Loc})
			}
			return out
		}
	case *MemSpec, *API, *Instance:
	default:
		return Args{{Star: 1, Value: Unknown, Loc: s.Loc}}
	}
	return Args{{Value: ip.scratchTree(s, ip.resolve(s.Scratch), &i), Loc: s.Loc}}
}

func (ip *interp) scratchTree(s *Site, v Value, i *int) Value {
	if m, ok := ip.toMem(v, s.Loc); ok {
		return ip.scratchLeaf(s, m, i)
	}
	switch x := v.(type) {
	case *Tuple, *List, *Dict, *Instance:
		return ip.mapTree(x, func(leaf Value) Value {
			if m, ok := ip.toMem(leaf, s.Loc); ok {
				return ip.scratchLeaf(s, m, i)
			}
			return Unknown
		})
	case *Union:
		var refs []Value
		for _, a := range x.Alts {
			refs = append(refs, ip.scratchTree(s, a, i))
		}
		return unionOf(refs)
	case *BufferedRef:
		return x
	case None:
		return v
	}
	return Unknown
}

func (ip *interp) scratchLeaf(s *Site, m *MemSpec, i *int) Value {
	o := &Operand{Index: *i, Mem: m, SpecLoc: m.Loc}
	*i++
	o.Array, o.DType = m.Shape, m.DType
	s.Scratches = append(s.Scratches, o)
	role := Scratch
	if s.API == "run_scoped" {
		role = Scoped
	}
	r := allocate(m, role, m.Loc)
	r.Alloc.Operand = o
	o.Ref = r
	return r
}

// allocate makes a ref of requested memory.
func allocate(m *MemSpec, role Role, loc parse.Loc) *Ref {
	a := &Alloc{Role: role, Spaces: m.Spaces, Shape: m.Shape, DType: m.DType, Loc: loc, Mem: m, High: m.High, HiType: m.HiType}
	if m.Spaces.Known() {
		a.Why = &Why{Loc: m.Loc, Reason: "allocated in " + m.Spaces.String() + " here"}
	}
	return &Ref{Alloc: a, View: m.Shape, Type: m.DType, Loc: loc}
}

// callRunScoped models pl.run_scoped (jax/_src/pallas/primitives.py run_scoped): it allocates and calls at once.
func callRunScoped(ip *interp, fr *frame, c *Call) Value {
	if len(c.Args) == 0 || c.Args[0].Star != 0 {
		ip.blind()
		return Unknown
	}
	var fn Value
	s := ip.newSite(c, coreOf(ip.kernel))
	var args Args
	i := 0
	for n := range c.Args {
		a := &c.Args[n]
		switch {
		case a.Name == "f" || fn == nil && a.Name == "" && a.Star == 0:
			fn = a.Value
		case a.Name == "collective_axes":
		default:
			v := ip.scratchTree(s, a.Value, &i)
			if a.Star != 0 {
				v = Unknown
			}
			args = append(args, Arg{Name: a.Name, Value: v, Loc: a.Loc, Star: a.Star})
		}
	}
	if fn == nil { // used as a decorator through partial, the function comes last
		ip.blind()
		return Unknown
	}
	return ip.runScoped(fr, s, fn, args)
}

func coreOf(k *Kernel) jax.Core {
	if k == nil {
		return jax.CoreUnknown
	}
	return k.Core
}

// runScoped runs a function with scoped refs. Inside a kernel its events belong to the kernel around it.
func (ip *interp) runScoped(fr *frame, s *Site, fn Value, args Args) Value {
	s.Kernel = fn
	s.Complete = !args.open()
	ip.addSite(s)
	outer := ip.kernel
	if outer == nil {
		return ip.enterKernel(fr, ip.newKernel(s), fn, args)
	}
	for _, a := range args {
		ip.own(outer, a.Value)
		if r, ok := a.Value.(*Ref); ok {
			ip.event(&Event{Op: OpAlloc, Loc: r.Alloc.Loc, Refs: []*Ref{r}, Via: "pl.run_scoped"})
		}
	}
	s.Body = &Body{Fn: fn}
	v := ip.runBody(fr, s.Body, args, &callSite{loc: s.Loc, fn: s.Loc})
	outer.leaveScope(s.Body)
	return v
}

// callWithScoped models pl.with_scoped (jax/_src/pallas/helpers.py with_scoped).
func callWithScoped(ip *interp, fr *frame, c *Call) Value { return &scopedDecorator{c} }

type scopedDecorator struct{ call *Call }

// scopedFn is a function under pl.with_scoped: called with arguments, it gets the allocations after them.
type scopedFn struct {
	call *Call
	fn   Value
}

func (ip *interp) callScoped(fr *frame, f *scopedFn, args Args, at *callSite) Value {
	s := ip.newSite(f.call, coreOf(ip.kernel))
	i := 0
	all := append(Args(nil), args...)
	for _, a := range f.call.Args {
		if a.Name == "collective_axes" {
			continue
		}
		all = append(all, Arg{Name: a.Name, Value: ip.scratchTree(s, a.Value, &i), Loc: a.Loc, Star: a.Star})
	}
	return ip.runScoped(fr, s, f.fn, all)
}

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
	return &Tuple{Head: []Value{callEmitPipeline(ip, fr, c), Unknown}}
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
	ip.pipelineCopies(s, s.Inputs, Input)
	faults := len(ip.world.Faults)
	ip.enterKernel(fr, k, s.Kernel, body)
	if len(ip.world.Faults) == faults { // else JAX stops before it
		ip.pipelineCopies(s, s.Outputs, Output)
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
		return out
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
func (ip *interp) pipelineCopies(s *Site, operands []*Operand, role Role) {
	loc := s.CallLoc
	if !loc.Valid() {
		loc = s.Loc
	}
	for _, o := range operands {
		operand, ok := o.Value.(*Ref)
		if !ok || !s.Core.IsTPU() || o.Direct {
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

// addSite lists a site, also with the kernel that it stands in.
func (ip *interp) addSite(s *Site) {
	ip.world.Sites = append(ip.world.Sites, s)
	if s.Outer != nil {
		s.Outer.Inner = append(s.Outer.Inner, s)
	}
}

// callEmptyRef models jax.empty_ref(type, memory_space=...) (jax/_src/core.py empty_ref).
func callEmptyRef(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	if v == Value(Unknown) && len(c.Args) > 0 && c.Args[0].Star == 0 {
		v = c.Args[0].Value
	}
	return ip.makeRef(c, v, c.Arg("memory_space"))
}

// callNewRef models jax.new_ref(x): an array of memory of its own, in no space that is named.
func callNewRef(ip *interp, fr *frame, c *Call) Value {
	return ip.makeRef(c, orUnknown(c.Pos(0)), c.Arg("memory_space"))
}

func (ip *interp) makeRef(c *Call, v, space Value) Value {
	shape, d, ok := typeOf(v)
	if !ok && !isHigh(v) {
		if a, isNum := toArray(v); isNum {
			shape, d = a.Shape, a.DType
		}
	}
	a := &Alloc{Role: Captured, Shape: shape, DType: d, Loc: c.Loc, High: isHigh(v), HiType: ip.hiType(v)}
	switch {
	case space != nil && !isNone(space):
		a.Spaces = ip.spacesOf(space)
		a.Why = &Why{Loc: c.Loc, Reason: "made in " + a.Spaces.String() + " here"}
	case !c.Open && ip.kernel == nil:
		a.Spaces = jax.SpacesOf(jax.HBM)
		a.Default = true
		a.Why = &Why{Loc: c.Loc, Reason: "made outside the kernel, without a memory space: HBM"}
	}
	r := &Ref{Alloc: a, View: shape, Type: d, Loc: c.Loc}
	if ip.kernel != nil {
		a.Role, a.Kernel = Scoped, ip.kernel
		ip.kernel.Refs = append(ip.kernel.Refs, r)
		ip.event(&Event{Op: OpAlloc, Loc: c.Loc, Refs: []*Ref{r}, Via: c.API, Call: c})
	}
	return r
}

// callRunState models pl.run_state(f) (jax/_src/state/discharge.py run_state): a function that calls f with refs of what it is given.
func callRunState(ip *interp, fr *frame, c *Call) Value {
	f := orUnknown(c.Pos(0))
	return &decorator{call: c, run: func(ip *interp, fr *frame, init Value, at *callSite) Value {
		refs := ip.mapTree(init, func(v Value) Value {
			shape, d, _ := typeOf(v)
			a := &Alloc{Role: Captured, Shape: shape, DType: d, Loc: at.loc, High: isHigh(v), HiType: ip.hiType(v)}
			return &Ref{Alloc: a, View: shape, Type: d, Loc: at.loc}
		})
		ip.call(fr, f, Args{{Value: refs, Loc: at.loc}}, at)
		return ip.mapTree(init, func(v Value) Value {
			shape, d, ok := typeOf(v)
			if !ok {
				return Unknown
			}
			return &Array{Shape: shape, DType: d, Outside: true, Loc: at.loc}
		})
	}}
}

func callEmptyRefLike(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	if m, ok := v.(*MemSpec); ok && ip.kernel != nil {
		r := allocate(m, Scoped, c.Loc)
		r.Alloc.Kernel = ip.kernel
		ip.kernel.Refs = append(ip.kernel.Refs, r)
		return r
	}
	return Unknown
}

func callFreeze(ip *interp, fr *frame, c *Call) Value {
	if r, ok := c.Pos(0).(*Ref); ok {
		return &Array{Shape: r.View, DType: r.Type, Loc: c.Loc}
	}
	return Unknown
}

func callGetGlobal(ip *interp, fr *frame, c *Call) Value {
	if m, ok := ip.toMem(orUnknown(c.Pos(0)), c.Loc); ok {
		r := allocate(m, Captured, c.Loc)
		ip.event(&Event{Op: OpAlloc, Loc: c.Loc, Refs: []*Ref{r}, Via: "pl.get_global"})
		return r
	}
	return Unknown
}

func callBarrierSemaphore(ip *interp, fr *frame, c *Call) Value {
	a := &Alloc{Role: Captured, Spaces: jax.SpacesOf(jax.Semaphore), Shape: Scalar, DType: jax.BarrierSem, Loc: c.Loc,
		Why: &Why{Loc: c.Loc, Reason: "the barrier semaphore of the kernel"}}
	return &Ref{Alloc: a, View: Scalar, Type: jax.BarrierSem, Loc: c.Loc}
}

// BufferedRef is a pipeline's own buffer (jax/_src/pallas/mosaic/pipeline.py BufferedRef).
type BufferedRef struct {
	Spec *BlockSpec
	Call *Call
}

// callConstraint models pltpu.with_memory_space_constraint (jax/_src/pallas/mosaic/primitives.py).
func callConstraint(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	out := &Array{Loc: c.Loc}
	if a, ok := v.(*Array); ok {
		*out = *a
		out.Loc = c.Loc
	} else {
		out.Shape, out.DType, _ = typeOf(v)
	}
	out.Space = ip.spacesOf(c.get("memory_space", 1))
	if !out.Space.Known() {
		return Unknown
	}
	return out
}
