package infer

import (
	"pallas-lsp/rules/jax"
)

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
		if a, isNum := ip.asOperand(v); isNum {
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
