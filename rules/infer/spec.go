package infer

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

func init() {
	register(map[string]model{
		pl + "BlockSpec":               newBlockSpec,
		pl + "GridSpec":                newGridSpec,
		tpu + "PrefetchScalarGridSpec": newGridSpec,
		tpu + "SemaphoreType.DMA":      semSpec,
		tpu + "SemaphoreType.REGULAR":  semSpec,
		tpu + "SemaphoreType.BARRIER":  semSpec,
		plsc + "VectorSubcoreMesh":     newMesh(jax.SCVectorSubcore),
		plsc + "ScalarSubcoreMesh":     newMesh(jax.SCScalarSubcore),
		tpu + "TensorCoreMesh":         newMesh(jax.TensorCore),
		tpu + "create_tensorcore_mesh": newMesh(jax.TensorCore),
		mgpu + "Mesh":                  newMesh(jax.MosaicGPU),
		pl + "Element":                 blockDimOf("element"),
		pl + "Blocked":                 blockDimOf("blocked"),
		pl + "BoundedSlice":            blockDimOf("bounded_slice"),
		pl + "Squeezed":                blockDimOf("squeezed"),
		pl + "Indirect":                blockDimOf("indirect"),
	})
}

// blockDimVal is pl.Element(n) and its like used as an entry of a block shape.
type blockDimVal struct {
	kind string
	size *Int
}

func blockDimOf(kind string) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		d := &blockDimVal{kind: kind}
		if v := c.Pos(0); v != nil {
			d.size = asInt(v)
		} else if v := c.Arg("block_size"); v != nil {
			d.size = asInt(v)
		}
		if kind == "squeezed" {
			d.size = N(1)
		}
		return d
	}
}

func newBlockSpec(ip *interp, fr *frame, c *Call) Value {
	s := &BlockSpec{Call: c, Loc: c.Loc, Block: c.Arg("block_shape"), IndexMap: c.Arg("index_map"), Space: c.Arg("memory_space"), Mode: c.Arg("pipeline_mode")}
	s.fill(ip, c.Open)
	return s
}

// fill works out what the fields mean.
func (s *BlockSpec) fill(ip *interp, open bool) {
	switch v := ip.resolve(orNone(s.Block)).(type) {
	case None:
		s.NoBlock = !open || s.Block != nil
		s.Dims = nil
	default:
		s.Dims = ip.blockDims(v)
	}
	if _, none := s.IndexMap.(None); none {
		s.IndexMap = nil
	}
	s.Spaces = ip.spacesOf(s.Space)
}

// spacesOf reads a memory_space argument; empty when absent or not known.
func (ip *interp) spacesOf(v Value) jax.Spaces {
	switch v := ip.resolve(v).(type) {
	case *SpaceVal:
		return jax.SpacesOf(v.Space)
	case *Union:
		out := ip.spacesOf(v.Alts[0])
		for _, a := range v.Alts[1:] {
			out = out.Join(ip.spacesOf(a))
		}
		return out
	}
	return 0
}

func (ip *interp) blockDims(v Value) []BlockDim {
	t, ok := ip.iterate(v).(*Tuple)
	if !ok || t.Rest != nil {
		return nil
	}
	out := []BlockDim{}
	for _, e := range elems(t) {
		out = append(out, ip.blockDim(e))
	}
	return out
}

func (ip *interp) blockDim(v Value) BlockDim {
	switch v := ip.resolve(v).(type) {
	case None:
		return BlockDim{Size: N(1), Kind: "squeezed", None: true}
	case *blockDimVal:
		return BlockDim{Size: v.size, Kind: v.kind}
	case *API:
		if strings.EqualFold(v.Name, pl+"squeezed") {
			return BlockDim{Size: N(1), Kind: "squeezed"}
		}
		return BlockDim{Kind: "unknown"}
	case *Int:
		return BlockDim{Size: v, Kind: "blocked"}
	case *Opaque:
		if v.Lin != nil {
			return BlockDim{Size: v.Lin, Kind: "blocked"}
		}
		if v.Key != "" && strings.HasSuffix(v.Key, "]") && strings.Contains(v.Key, ".shape[") {
			return BlockDim{Size: asInt(v), Kind: "blocked"}
		}
		return BlockDim{Size: asInt(v), Kind: "unknown"} // an int or None: the parameter may be squeezed
	}
	return BlockDim{Kind: "unknown"}
}

// refShape is the shape of the block that the kernel sees, squeezed dimensions left out.
func (s *BlockSpec) refShape() Shape {
	if s.Dims == nil {
		return Shape{}
	}
	out := Shape{Dims: []*Int{}}
	sure := true
	for _, d := range s.Dims {
		switch d.Kind {
		case "squeezed":
		case "unknown":
			if d.Size == nil {
				sure = false
			}
			out.Dims = append(out.Dims, d.Size)
		default:
			out.Dims = append(out.Dims, d.Size)
		}
	}
	if !sure {
		return Shape{}
	}
	return out
}

func blockSpecAttr(s *BlockSpec, name string) Value {
	switch name {
	case "block_shape":
		if s.NoBlock {
			return None{}
		}
		return orUnknown(s.Block)
	case "index_map":
		return orNone(s.IndexMap)
	case "memory_space":
		return orNone(s.Space)
	case "pipeline_mode":
		return orNone(s.Mode)
	case "replace":
		return &Partial{Fn: &API{Name: "dataclasses.replace"}, Arg: Args{{Value: s}}}
	}
	return Unknown
}

func (ip *interp) replaceSpec(s *BlockSpec, kw Args, c *Call) Value {
	out := *s
	out.Loc = s.Loc
	for _, a := range kw {
		setSpecField(&out, a.Name, a.Value)
	}
	out.fill(ip, kw.open())
	return &out
}

func setSpecField(s *BlockSpec, name string, v Value) {
	switch name {
	case "block_shape":
		s.Block = v
	case "index_map":
		s.IndexMap = v
	case "memory_space":
		s.Space = v
	case "pipeline_mode":
		s.Mode = v
	}
}

func (ip *interp) setSpecAttr(obj Value, name string, v Value) {
	switch o := obj.(type) {
	case *BlockSpec:
		setSpecField(o, name, v)
		o.fill(ip, false)
	case *GridSpec:
		o.fields[name] = v
	}
}

func newGridSpec(ip *interp, fr *frame, c *Call) Value {
	g := &GridSpec{Call: c, Loc: c.Loc, fields: map[string]Value{}}
	for name, a := range c.Bound {
		g.fields[name] = a.Value
	}
	if c.Open {
		g.fields["*"] = Unknown
	}
	return g
}

// spaceCall is how a memory space is called (jax/_src/pallas/core.py MemorySpace).
var spaceCall = &jax.Object{HasParams: true, Params: []jax.Param{{Name: "shape"}, {Name: "dtype"}}}

// memSpec is a memory space called with a shape and a dtype.
func (ip *interp) memSpec(s *SpaceVal, args Args, at *callSite) Value {
	c := &Call{API: "memory_space", Loc: at.loc, Func: at.fn, Args: args, Kernel: ip.kernel, Node: at.node, Path: ip.path.conds(), Guarded: ip.guarded > 0}
	c.bind(spaceCall, c.API)
	if s.Space != jax.ACC {
		c.lack(spaceCall.Params)
	}
	m := &MemSpec{Call: c, Loc: at.loc, Spaces: jax.SpacesOf(s.Space)}
	if s.Space == jax.ACC {
		return m
	}
	if v := c.Arg("shape"); v != nil {
		m.Shape = ip.shapeOf(v)
	}
	if v := c.Arg("dtype"); v != nil {
		d, _ := ip.dtypeOf(v)
		m.DType = wideDType(v, d)
		m.High, m.HiType = isHigh(v), ip.hiType(v)
	}
	c.Result = m
	ip.record(c)
	return m
}

// isHigh: the element type derives from HiType (jax/_src/hijax.py), so the ref is a high one.
func isHigh(v Value) bool {
	switch v := v.(type) {
	case *Class:
		return v.HiType
	case *Instance:
		return v.Class != nil && v.Class.HiType
	}
	return false
}

// spaceMethod is pltpu.VMEM.like(x) and pltpu.VMEM.from_type(t) (jax/_src/pallas/mosaic/core.py MemorySpace).
func (ip *interp) spaceMethod(s *SpaceVal, name string, args Args, at *callSite) Value {
	if len(args) != 1 || name != "like" && name != "from_type" {
		return Unknown
	}
	c := &Call{API: "memory_space." + name, Loc: at.loc, Func: at.fn, Args: args, Kernel: ip.kernel, Node: at.node, Path: ip.path.conds(), Bound: map[string]*Arg{}}
	m := &MemSpec{Call: c, Loc: at.loc, Spaces: jax.SpacesOf(s.Space)}
	m.Shape, m.DType, _ = typeOf(args[0].Value)
	m.High, m.HiType = isHigh(args[0].Value), ip.hiType(args[0].Value)
	return m
}

// typeOf is the shape and dtype of anything that has them.
func typeOf(v Value) (Shape, jax.DType, bool) {
	switch v := v.(type) {
	case *Array:
		return v.Shape, v.DType, true
	case *ShapeStruct:
		return v.Shape, v.DType, true
	case *Ref:
		return v.View, v.Type, true
	case *MemSpec:
		return v.Shape, v.DType, true
	case *Opaque:
		if v.Key != "" {
			return Shape{Key: v.Key + ".shape"}, "", true
		}
	case *Union:
		s, d, ok := typeOf(v.Alts[0])
		for _, a := range v.Alts[1:] {
			s2, d2, ok2 := typeOf(a)
			s, d, ok = joinShapes(s, s2), joinDTypes(d, d2), ok && ok2
		}
		return s, d, ok
	}
	return Shape{}, "", false
}

func memSpecAttr(m *MemSpec, name string) Value {
	switch name {
	case "shape":
		return shapeValue(m.Shape)
	case "dtype":
		return dtypeValue(m.DType)
	case "memory_space":
		if s := m.Spaces.One(); s != 0 {
			return &SpaceVal{Space: s}
		}
	}
	return Unknown
}

func semaphoreType(name string) (jax.DType, bool) {
	switch name {
	case tpu + "SemaphoreType.DMA":
		return jax.DMASem, true
	case tpu + "SemaphoreType.REGULAR":
		return jax.Sem, true
	case tpu + "SemaphoreType.BARRIER":
		return jax.BarrierSem, true
	}
	return "", false
}

func semSpec(ip *interp, fr *frame, c *Call) Value {
	d, _ := semaphoreType(c.API)
	m := &MemSpec{Call: c, Loc: c.Loc, Spaces: jax.SpacesOf(jax.Semaphore), DType: d, Sem: true, Shape: Scalar}
	if v := c.get("shape", 0); v != nil {
		m.Shape = ip.shapeOf(v)
	}
	return m
}

// toMem reads a scratch entry: a MemSpec, or a bare semaphore type.
func (ip *interp) toMem(v Value, loc parse.Loc) (*MemSpec, bool) {
	switch v := v.(type) {
	case *MemSpec:
		return v, true
	case *API:
		if d, ok := semaphoreType(v.Name); ok {
			return &MemSpec{Loc: loc, Spaces: jax.SpacesOf(jax.Semaphore), DType: d, Sem: true, Shape: Scalar}, true
		}
	case *ShapeStruct: // allowed where the mesh has a default memory space
		return &MemSpec{Loc: v.Loc, Spaces: v.Space, Shape: v.Shape, DType: v.DType}, true
	}
	return nil, false
}

func newMesh(core jax.Core) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		m := &Mesh{Call: c, Loc: c.Loc, Core: core, Axes: map[string]*Int{}}
		axis := func(name Value, size *Int) {
			if s, ok := name.(Str); ok {
				m.Axes[string(s)] = size
				m.Names = append(m.Names, string(s))
			}
		}
		switch core {
		case jax.SCVectorSubcore:
			axis(c.Arg("core_axis_name"), asInt(c.Arg("num_cores")))
			axis(c.Arg("subcore_axis_name"), asInt(c.Arg("num_subcores")))
		case jax.SCScalarSubcore:
			axis(c.Arg("axis_name"), asInt(c.Arg("num_cores")))
		case jax.TensorCore:
			axis(c.Arg("axis_name"), nil)
		}
		return m
	}
}

func meshAttr(m *Mesh, name string) Value {
	switch name {
	case "num_cores", "num_subcores":
		if v := m.Call.Arg(name); v != nil {
			return v
		}
	}
	return Unknown
}

// overload is an operator that a modelled class overloads: `spec @ mesh`, `SPACE @ mesh`.
func (ip *interp) overload(fr *frame, op string, l, r Value, loc parse.Loc) (Value, bool) {
	mesh, ok := r.(*Mesh)
	if op != "@" || !ok {
		return nil, false
	}
	switch x := l.(type) {
	case *MemSpec:
		out := *x
		out.Mesh = mesh
		return &out, true
	case *SpaceVal:
		return x, true
	}
	return nil, false
}
