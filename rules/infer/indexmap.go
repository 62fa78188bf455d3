package infer

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// MapRun is an index map as a site runs it for one operand (jax/_src/pallas/core.py BlockSpec.to_block_mapping): with one traced
// index for each grid axis, then the prefetched scalars.
type MapRun struct {
	Operand *Operand
	Kernel  *Kernel // where its calls and faults were noted; no kernel of the site
	Func    *Func   // the index map; nil: not in the workspace
	Args    Args
	Result  Value
	Returns []parse.Loc // of the return statements that were reached
	Faults  []*Fault    // in World.Faults too
}

// Values are the components of the result: JAX takes a list for a tuple, and anything else for a tuple of one. It is nil when their
// number is not known.
func (m *MapRun) Values() []Value {
	switch v := m.Result.(type) {
	case *Tuple:
		if v.Rest == nil {
			return elems(v)
		}
		return nil
	case *List:
		if t, ok := v.cell.v.(*Tuple); ok && t.Rest == nil {
			return elems(t)
		}
		return nil
	case *Opaque:
		if !isStaticInt(v) {
			return nil
		}
	case *Union, nil:
		return nil
	}
	return []Value{m.Result}
}

// runMaps runs the index maps of a site. They are traced apart from the kernel: what they load is no access of the kernel, and their
// conditions ask for no worlds.
func (ip *interp) runMaps(fr *frame, s *Site, prefetched Args) {
	if s.OwnBuffers() || !s.GridKnown || s.Prefetch < 0 || len(prefetched) != s.Prefetch || prefetched.open() {
		return
	}
	saved, tests := ip.suspend(), ip.tests
	ip.tests = map[string]*test{}
	for _, os := range [][]*Operand{s.Inputs, s.Outputs} {
		for _, o := range os {
			if o.Spec != nil && callable(o.Spec.IndexMap) {
				ip.runMap(fr, s, o, prefetched)
			}
		}
	}
	ip.tests = tests
	ip.resume(saved)
}

// callable: it is certain which function it is.
func callable(v Value) bool {
	switch v.(type) {
	case *Func, *Partial, *Bound, *Wrapped:
		return true
	}
	return false
}

func (ip *interp) runMap(fr *frame, s *Site, o *Operand, prefetched Args) {
	m := &MapRun{Operand: o, Func: kernelFunc(o.Spec.IndexMap)}
	m.Kernel = &Kernel{Name: "index map", Loc: o.Spec.Loc, Fn: m.Func, Core: s.Core, Site: s, Map: o, X64: ip.wide()}
	o.Map = m
	for i := range s.Grid {
		m.Args = append(m.Args, Arg{Value: &Array{Shape: Scalar, DType: jax.Int32, Traced: true, Lin: atom("grid index " + itoa(i)), Loc: s.Loc}})
	}
	m.Args = append(m.Args, prefetched...)
	ip.kernel, ip.path = m.Kernel, nil
	faults, depth := len(ip.world.Faults), ip.depth
	b := &Body{Fn: o.Spec.IndexMap}
	ip.runBody(fr, b, m.Args, &callSite{loc: o.Spec.Loc, fn: o.Spec.Loc})
	m.Result, m.Returns = b.Result, b.Returns
	m.Faults = ip.world.Faults[faults:len(ip.world.Faults):len(ip.world.Faults)]
	ip.depth = depth
}

// mapIndex is arithmetic of an index map on an index of the grid and a name of which nothing is known: JAX takes nothing but integers for
// the result, so the name stands for one. nil: it is another operation.
func (ip *interp) mapIndex(op string, l, r Value) Value {
	if ip.kernel == nil || ip.kernel.Map == nil || op == "/" || isOpaque(l) == isOpaque(r) {
		return nil
	}
	a, ok := l.(*Array)
	if !ok {
		a, ok = r.(*Array)
	}
	n, m := linOf(l), linOf(r)
	if !ok || !a.Shape.IsRank(0) || n == nil || m == nil {
		return nil
	}
	v, ok := intBinary(op, n, m)
	if !ok || v == nil {
		return nil
	}
	return &Array{Shape: Scalar, DType: a.DType, Traced: true, Lin: v, Loc: a.Loc}
}
