package infer

import (
	"slices"
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
	c.Open = c.Open || len(c.Extra) > 0 || c.lacks() // Python refuses the call: what it would mean is not known
	s := &Site{API: apiSite(c.API), Call: c, Loc: c.Loc, Core: core, Open: c.Open, Outer: ip.kernel, Prefetch: 0}
	c.Site = s
	return s
}

// lacks: an argument is missing without which Python does not make the call; without a mesh the rest still means what it says.
func (c *Call) lacks() bool {
	return slices.ContainsFunc(c.Missing, func(p jax.Param) bool { return p.Name != "mesh" })
}

func (ip *interp) newPallasFn(s *Site) *PallasFn {
	s.freeze()
	f := &PallasFn{Site: s}
	ip.sites = append(ip.sites, putOff[*PallasFn]{f, ip.now()})
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
			return &List{cell: &Cell{v: ip.mapTree(t, f)}, Node: v.Node, Loc: v.Loc}
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
		return &Dict{cell: &Cell{v: n}}
	case *Instance:
		if !v.Class.Dataclass || v.Open || isHiValue(v) {
			return f(v)
		}
		out := &Instance{Class: v.Class, fields: map[string]*Cell{}, Key: v.Key}
		for _, fd := range v.Class.Fields {
			if c := v.fields[fd.Name]; c != nil && c.v != nil {
				out.fields[fd.Name] = &Cell{v: c.v}
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
	k := &Kernel{Core: s.Core, Site: s, Outer: s.Outer, Loc: s.Loc, Name: "kernel", X64: ip.wide()}
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
		k.Blind, k.Hidden, k.Lost = true, true, true
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
	if isPipelineBuffer(v) {
		return v
	}
	switch x := v.(type) {
	case *Tuple, *List, *Dict, *Instance:
		return ip.mapTree(x, func(leaf Value) Value {
			if m, ok := ip.toMem(leaf, s.Loc); ok {
				return ip.scratchLeaf(s, m, i)
			}
			if isPipelineBuffer(leaf) {
				return leaf
			}
			return Unknown
		})
	case *Union:
		var refs []Value
		for _, a := range x.Alts {
			refs = append(refs, ip.scratchTree(s, a, i))
		}
		return unionOf(refs)
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

// addSite lists a site, also with the kernel that it stands in.
func (ip *interp) addSite(s *Site) {
	ip.world.Sites = append(ip.world.Sites, s)
	if s.Outer != nil {
		s.Outer.Inner = append(s.Outer.Inner, s)
	}
}
