package infer

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

func init() {
	register(map[string]model{
		tpu + "async_copy":             startCopy,
		tpu + "make_async_copy":        makeCopy,
		tpu + "sync_copy":              syncCopy,
		tpu + "async_remote_copy":      startCopy,
		tpu + "make_async_remote_copy": makeCopy,
		pl + "semaphore_signal":        semOp(OpSemSignal),
		pl + "semaphore_wait":          semOp(OpSemWait),
		pl + "semaphore_read":          semOp(OpSemRead),
		tpu + "semaphore_signal":       semOp(OpSemSignal),
		tpu + "semaphore_wait":         semOp(OpSemWait),
		tpu + "semaphore_read":         semOp(OpSemRead),

		"jax.ref.get":       refGet,
		"jax.ref.set":       refSet,
		"jax.ref.swap":      refSet,
		"jax.ref.addupdate": refSet,
		tpu + "load":        viewLoad("pltpu.load"),
		tpu + "store":       viewStore("pltpu.store", 1),
		pl + "load":         indexedLoad,
		pl + "store":        indexedStore,
		pl + "swap":         indexedStore,

		plsc + "load_expanded":                  viewLoad("plsc.load_expanded"),
		plsc + "store_compressed":               viewStore("plsc.store_compressed", 1),
		plsc + "addupdate":                      viewStore("plsc.addupdate", 1),
		plsc + "addupdate_compressed":           viewStore("plsc.addupdate_compressed", 1),
		plsc + "load_gather":                    gatherLoad,
		plsc + "store_scatter":                  scatterStore,
		plsc + "addupdate_scatter":              scatterStore,
		plsc + "slice_subcore_vmem_from_shared": sliceShared,
		plsc + "Indices":                        indicesOf,
		pl + "select_ref":                       selectRef,
		plsc + "fetch_and_add":                  quietRef,
		tpu + "touch":                           quietRef,
		tpu + "has_memory_space":                quietRef,
	})
}

// newDesc makes the descriptor of a copy (jax/_src/pallas/mosaic/primitives.py AsyncCopyDescriptor). A remote copy's send semaphore is its
// source semaphore, its receive semaphore the destination's.
func newDesc(c *Call) *Desc {
	d := &Desc{Src: orUnknown(c.Arg("src_ref")), Dst: orUnknown(c.Arg("dst_ref")), Loc: c.Loc, Call: c, Started: &Cell{},
		Add: c.Arg("add"), Priority: c.Arg("priority")}
	d.Remote = c.Arg("device_id") != nil || c.API == tpu+"async_remote_copy" || c.API == tpu+"make_async_remote_copy"
	sem := func(name string) Value {
		if v := c.Arg(name); v != nil {
			return v
		}
		if c.Open {
			return Unknown
		}
		return None{}
	}
	if d.Remote {
		d.DstSem, d.SrcSem, d.Device = sem("recv_sem"), sem("send_sem"), c.Arg("device_id")
		return d
	}
	d.DstSem, d.SrcSem = sem("sem"), sem("src_sem")
	return d
}

func makeCopy(ip *interp, fr *frame, c *Call) Value { return newDesc(c) }

func startCopy(ip *interp, fr *frame, c *Call) Value {
	d := newDesc(c)
	ip.dma(OpDMAStart, d, "", c.Loc, c)
	ip.set(d.Started, Bool(true))
	return d
}

// syncCopy starts and waits at once (jax/_src/pallas/mosaic/helpers.py sync_copy). Its arguments may be trees of refs.
func syncCopy(ip *interp, fr *frame, c *Call) Value {
	src, dst := orUnknown(c.get("src_ref", 0)), orUnknown(c.get("dst_ref", 1))
	if c.Open {
		src, dst = Unknown, Unknown
	}
	ip.syncPair(c, src, dst)
	return None{}
}

func (ip *interp) syncPair(c *Call, src, dst Value) {
	a, ok1 := src.(*Tuple)
	b, ok2 := dst.(*Tuple)
	if ok1 && ok2 && a.Rest == nil && b.Rest == nil && len(elems(a)) == len(elems(b)) {
		for i := range elems(a) {
			ip.syncPair(c, elems(a)[i], elems(b)[i])
		}
		return
	}
	sem := &Ref{Alloc: &Alloc{Name: "", Role: Scoped, Spaces: jax.SpacesOf(jax.Semaphore), Shape: Scalar, DType: jax.DMASem, Loc: c.Loc, Kernel: ip.kernel}, View: Scalar, Type: jax.DMASem, Loc: c.Loc}
	d := &Desc{Src: src, Dst: dst, DstSem: sem, SrcSem: None{}, Sync: true, Add: c.Arg("add"), Loc: c.Loc, Call: c, Started: &Cell{v: Bool(true)}}
	ip.dma(OpDMAStart, d, "", c.Loc, c)
	ip.dma(OpDMAWait, d, "wait", c.Loc, c)
}

// dma records the start of a copy or a wait for one.
func (ip *interp) dma(op Op, d *Desc, which string, loc parse.Loc, c *Call) {
	slots := []Value{d.Src, d.Dst, d.DstSem, d.SrcSem}
	if which == "wait_send" || which == "wait_read" { // JAX waits on the source's semaphore by swapping the ends
		slots = []Value{d.Dst, d.Src, d.SrcSem, d.DstSem}
	}
	e := &Event{Op: op, Loc: loc, Slots: slots, Desc: d, Which: which, Via: c.API, Call: c, Refs: make([]*Ref, 4), Locs: make([]parse.Loc, 4)}
	for i, v := range slots {
		e.Refs[i] = asRef(v)
		e.Locs[i] = d.argLoc(i, which)
	}
	ip.event(e)
}

// argLoc is where an operand of the copy is written.
func (d *Desc) argLoc(i int, which string) parse.Loc {
	names := []string{"src_ref", "dst_ref", "sem", "src_sem"}
	if d.Remote {
		names = []string{"src_ref", "dst_ref", "recv_sem", "send_sem"}
	}
	if which == "wait_send" || which == "wait_read" {
		names[0], names[1], names[2], names[3] = names[1], names[0], names[3], names[2]
	}
	return d.Call.ArgLoc(names[i])
}

// asRef reads a value as the ref it is, or as one that stands for all the refs it may be; nil when it may be something else.
func asRef(v Value) *Ref {
	switch v := v.(type) {
	case *Ref:
		return v
	case *Union:
		var refs []*Ref
		for _, a := range v.Alts {
			switch a := a.(type) {
			case *Ref:
				refs = append(refs, a)
			case None:
			default:
				return nil
			}
		}
		if len(refs) > 0 {
			return mergeRefs(refs)
		}
	}
	return nil
}

func (ip *interp) descMethod(fr *frame, d *Desc, name string, args Args, at *callSite) Value {
	c := &Call{API: tpu + "AsyncCopyDescriptor." + name, Loc: at.loc, Func: at.fn, Args: args, Kernel: ip.kernel, Path: ip.path.conds(), Node: at.node, Bound: map[string]*Arg{}, Desc: d}
	ip.record(c)
	loc := methodLoc(at)
	switch name {
	case "start":
		if pos, _ := args.positional(); len(pos) > 0 {
			c.Bound["priority"] = pos[0]
			d.Priority = pos[0].Value
		}
		if a := args.named("priority"); a != nil {
			c.Bound["priority"] = a
			d.Priority = a.Value
		}
		if a := args.named("add"); a != nil {
			c.Bound["add"] = a
			d.Add = a.Value
		}
		ip.dmaAt(OpDMAStart, d, "", loc, c)
		ip.set(d.Started, Bool(true))
	case "wait":
		if !isNone(d.SrcSem) {
			ip.dmaAt(OpDMAWait, d, "wait_read", loc, c)
		}
		ip.dmaAt(OpDMAWait, d, "wait", loc, c)
	case "wait_recv", "wait_write":
		ip.dmaAt(OpDMAWait, d, name, loc, c)
	case "wait_send", "wait_read":
		ip.dmaAt(OpDMAWait, d, name, loc, c)
	default:
		return Unknown
	}
	return None{}
}

// dmaAt records an event of a descriptor; the operands are written where the descriptor was made.
func (ip *interp) dmaAt(op Op, d *Desc, which string, loc parse.Loc, c *Call) {
	ip.dma(op, d, which, loc, c)
}

// methodLoc is the place of a method call as Python's line numbers have it: from the method's name, where that is on a line of its own.
func methodLoc(at *callSite) parse.Loc {
	if at.node == nil {
		return at.loc
	}
	a, ok := at.node.Func.(*parse.Attr)
	if !ok {
		return at.loc
	}
	text := at.loc.Chunk.Text
	for i := at.loc.Start; i < a.NameSpan.Start && int(i) < len(text); i++ {
		if text[i] == '\n' {
			return parse.Loc{Chunk: at.loc.Chunk, Span: parse.Span{Start: a.NameSpan.Start, End: at.loc.End}}
		}
	}
	return at.loc
}

func semOp(op Op) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		v := c.Pos(0)
		if v == nil {
			v = orUnknown(c.Arg("sem_or_view"))
		}
		e := &Event{Op: op, Loc: c.Loc, Slots: []Value{v}, Refs: []*Ref{asRef(v)}, Locs: []parse.Loc{argAt(c, 0)}, Via: c.API, Call: c}
		if e.Refs[0] == nil {
			ip.blind()
		}
		ip.event(e)
		if op == OpSemRead {
			return &Array{Shape: Scalar, DType: jax.Int32, Traced: true, Lin: atom(ip.fresh("sem"))}
		}
		return None{}
	}
}

func argAt(c *Call, i int) parse.Loc {
	if i < len(c.Args) && c.Args[i].Loc.Valid() {
		return c.Args[i].Loc
	}
	return c.Loc
}

// refArg reads a ref argument; a .at view without brackets is no ref.
func (ip *interp) refArg(c *Call, names string, pos int) *Ref {
	v := c.Arg(names)
	if v == nil {
		v = c.Pos(pos)
	}
	r := asRef(orUnknown(v))
	if r == nil && ip.kernel != nil && (v == nil || isOpaque(v)) {
		ip.blur()
	}
	return r
}

func refGet(ip *interp, fr *frame, c *Call) Value {
	r := ip.refArg(c, "ref", 0)
	if r == nil {
		return Unknown
	}
	return ip.load(fr, r, valueItems(c.get("idx", 1)), false, c.Loc, c.Node, "")
}

func refSet(ip *interp, fr *frame, c *Call) Value {
	r := ip.refArg(c, "ref", 0)
	if r == nil {
		return Unknown
	}
	items := valueItems(c.get("idx", 1))
	var old Value = None{}
	if c.API == "jax.ref.swap" {
		old = ip.load(fr, r, items, false, c.Loc, c.Node, "")
	}
	ip.store(fr, r, items, false, c.Loc, c.Node, orUnknown(c.get("value", 2)), "")
	if c.API == "jax.ref.addupdate" {
		ip.lastEvent(c.API, c)
	}
	return old
}

// viewLoad loads all that a view selects.
func viewLoad(via string) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		r := ip.refArg(c, "ref", 0)
		if r == nil {
			return Unknown
		}
		v := ip.load(fr, r, valueItems(nil), false, c.Loc, c.Node, "")
		ip.lastEvent(via, c)
		return v
	}
}

func viewStore(via string, pos int) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		r := ip.refArg(c, "ref", 0)
		if r == nil {
			return Unknown
		}
		v := c.Pos(pos)
		for _, n := range []string{"val", "x"} {
			if a := c.Arg(n); a != nil {
				v = a
			}
		}
		ip.store(fr, r, valueItems(nil), false, c.Loc, c.Node, orUnknown(v), "")
		ip.lastEvent(via, c)
		return None{}
	}
}

func (ip *interp) lastEvent(via string, c *Call) {
	if ip.kernel == nil || len(ip.kernel.Events) == 0 {
		return
	}
	e := ip.kernel.Events[len(ip.kernel.Events)-1]
	e.Via, e.Call = via, c
}

// indexedLoad is pl.load(ref, idx) of earlier releases.
func indexedLoad(ip *interp, fr *frame, c *Call) Value {
	r := ip.refArg(c, "x_ref_or_view", 0)
	if r == nil {
		return Unknown
	}
	v := ip.load(fr, r, valueItems(c.get("idx", 1)), false, c.Loc, c.Node, "")
	ip.lastEvent("pl.load", c)
	return v
}

func indexedStore(ip *interp, fr *frame, c *Call) Value {
	r := ip.refArg(c, "x_ref_or_view", 0)
	if r == nil {
		return Unknown
	}
	ip.store(fr, r, valueItems(c.get("idx", 1)), false, c.Loc, c.Node, orUnknown(c.get("val", 2)), "")
	ip.lastEvent("pl.store", c)
	return Unknown
}

// gatherLoad is plsc.load_gather(ref, [indices...]): one element for each index.
func gatherLoad(ip *interp, fr *frame, c *Call) Value {
	r := ip.refArg(c, "ref", 0)
	if r == nil {
		return Unknown
	}
	out := &Array{DType: r.Type, Traced: true, Loc: c.Loc, Shape: ip.indicesShape(c.get("indices", 1))}
	ip.event(&Event{Op: OpGather, Loc: c.Loc, Node: c.Node, Refs: []*Ref{r}, Locs: []parse.Loc{argAt(c, 0)}, Result: out.Shape, RShape: out.Shape.Dims != nil, Value: out, Via: "plsc.load_gather", Call: c})
	return out
}

func (ip *interp) indicesShape(v Value) Shape {
	t, ok := ip.iterate(orUnknown(v)).(*Tuple)
	if !ok || t.Rest != nil || len(elems(t)) == 0 {
		return Shape{}
	}
	s, _, _ := typeOf(elems(t)[0])
	for _, v := range elems(t) {
		if other, _, _ := typeOf(v); !s.IsRank(1) || !other.IsRank(1) {
			return Shape{}
		}
	}
	return s
}

func scatterStore(ip *interp, fr *frame, c *Call) Value {
	r := ip.refArg(c, "ref", 0)
	if r == nil {
		return Unknown
	}
	shape := ip.indicesShape(c.get("indices", 1))
	ip.event(&Event{Op: OpScatter, Loc: c.Loc, Node: c.Node, Refs: []*Ref{r}, Locs: []parse.Loc{argAt(c, 0)}, Result: shape, RShape: shape.Dims != nil, Value: orUnknown(c.get("x", 2)), Via: "plsc.store_scatter", Call: c})
	return None{}
}

// sliceShared models SharedMemRefSliceTransform (jax/_src/pallas/mosaic/sc_core.py): the part of a VMEM_SHARED ref that is this subcore's own VMEM.
func sliceShared(ip *interp, fr *frame, c *Call) Value {
	r := ip.refArg(c, "ref", 0)
	if r == nil {
		return Unknown
	}
	a := *r.Alloc
	a.of = []*Alloc{r.Alloc}
	if r.Spaces.Only(jax.VMEMShared) {
		a.Spaces = jax.SpacesOf(jax.VMEM)
		a.Why = &Why{Loc: c.Loc, Reason: "this subcore's part of a VMEM_SHARED ref is in its VMEM", From: r.Why}
	}
	out := &Ref{Alloc: &a, Type: r.Type, Loc: c.Loc, Steps: append(r.Steps[:len(r.Steps):len(r.Steps)], Step{Kind: "slice_subcore", Loc: c.Loc})}
	if n, ok := r.View.Rank(); ok && n > 0 {
		dims := append([]*Int(nil), r.View.Dims...)
		dims[n-1] = nil
		if k, known := r.View.Dim(-1).Known(); known && k%ip.subcores == 0 {
			dims[n-1] = N(k / ip.subcores)
		}
		out.View = Shape{Dims: dims}
	}
	return out
}

func indicesOf(ip *interp, fr *frame, c *Call) Value { return orUnknown(c.Pos(0)) }

// selectRef is pl.select_ref(i, a, b, ...): one of several refs, chosen at run time.
func selectRef(ip *interp, fr *frame, c *Call) Value {
	var refs []Value
	for i := 1; i < len(c.Args); i++ {
		refs = append(refs, c.Args[i].Value)
	}
	if len(refs) == 0 || c.Open {
		return Unknown
	}
	u := unionOf(refs)
	if r := asRef(u); r != nil && len(refs) > 1 {
		m := *r
		a := *r.Alloc
		a.Selected, m.Alloc = true, &a
		return &m
	}
	return u
}

func quietRef(ip *interp, fr *frame, c *Call) Value { return Unknown }
