package infer

import (
	"slices"

	"pallas-lsp/parse"
)

// reachesRefs: code that is given the value may use a ref or a copy of the kernel through it.
func (ip *interp) reachesRefs(v Value, depth int) bool {
	if depth > 6 {
		return true
	}
	any := func(vs ...Value) bool {
		for _, v := range vs {
			if v != nil && ip.reachesRefs(v, depth+1) {
				return true
			}
		}
		return false
	}
	switch v := v.(type) {
	case *Ref, *Desc, *Homogeneous, *decorator:
		return true
	case *Func:
		return ip.closesOverRefs(v, depth)
	case *Bound:
		return any(v.Fn, v.Self)
	case *Method:
		return any(v.Self)
	case *Wrapped:
		return any(v.Fn)
	case *Partial:
		return any(v.Fn) || any(argValues(v.Arg)...)
	case *PallasFn:
		return any(v.Site.Kernel)
	case *Tuple:
		return any(v.Rest) || any(elems(v)...)
	case *List:
		return any(v.cell.v)
	case *Dict:
		_, vals, _ := v.Items()
		return any(vals...)
	case *Instance:
		for _, c := range v.fields {
			if any(c.v) {
				return true
			}
		}
	case *Iter:
		return any(v.seq)
	case *Union:
		return any(v.Alts...)
	}
	return false
}

func argValues(args Args) []Value {
	out := make([]Value, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}

// closesOverRefs: one of the names that the function reads stands for something through which refs are reached.
func (ip *interp) closesOverRefs(f *Func, depth int) (found bool) {
	parse.Walk(f.node(), func(n parse.Node) bool {
		name, ok := n.(*parse.Name)
		if !ok || found {
			return !found
		}
		if c := f.env.nearby(name.ID); c != nil && c.v != Value(f) {
			found = ip.reachesRefs(c.v, depth+1)
		}
		return !found
	})
	return found
}

// ofArray: what is called, though not known, is by its name a method of an array or of a view of a ref.
func (ip *interp) ofArray(callee parse.Expr) bool {
	a, ok := callee.(*parse.Attr)
	if !ok {
		return false
	}
	if at, ok := a.X.(*parse.Index); ok { // x.at[i].set(y)
		inner, ok := at.X.(*parse.Attr)
		return ok && inner.Name == "at"
	}
	_, other := methodAPI[a.Name]
	return other || a.Name == "bitcast" || apis["jax.numpy."+a.Name] != nil
}

// rebound notes that the name of an output is given a value that is no ref.
func (ip *interp) rebound(fr *frame, t *parse.Name, v Value) {
	if ip.kernel == nil {
		return
	}
	c := fr.env.vars[t.ID]
	if c == nil {
		return
	}
	r, ok := c.v.(*Ref)
	if !ok || r.Role != Output || len(r.Steps) > 0 {
		return
	}
	switch v.(type) {
	case *Array, *Int, Float, Bool:
		ip.kernel.Rebinds = append(ip.kernel.Rebinds, &Rebind{r, fr.loc(t)})
	}
}

// loopIndex is the index of a loop from lo up to hi.
func loopIndex(key string, lo, hi Value) *Int {
	n := atom(key)
	if l, h := linOf(lo), linOf(hi); l != nil && h != nil {
		n.Terms[0].Of = &IntOp{"loop", l, h}
	}
	return n
}

// linOf is a number as a linear form; nil: not known.
func linOf(v Value) *Int {
	if a, ok := v.(*Array); ok {
		return a.Lin
	}
	if v == nil {
		return nil
	}
	return asInt(v)
}

// stepped is the index of a loop that goes by steps: JAX counts from zero and multiplies (jax/_src/pallas/helpers.py loop).
func stepped(i *Int, lo, hi, step Value) *Int {
	if step == nil {
		return i
	}
	by, low, high := linOf(step), linOf(lo), linOf(hi)
	k, ok := by.Known()
	if !ok || k < 1 || low == nil || high == nil {
		return &Int{Terms: []Term{{Atom: i.Terms[0].Atom, Coef: 1}}}
	}
	n := &Int{Terms: []Term{{Atom: i.Terms[0].Atom, Coef: 1, Of: &IntOp{"loop", N(0), high.Sub(low).Add(N(k - 1)).FloorDiv(by)}}}}
	return low.Add(n.scale(k))
}

// skipped notes the memory that statements mention which are not run.
func (ip *interp) skipped(fr *frame, body []parse.Stmt) {
	if ip.kernel == nil {
		return
	}
	for _, s := range body {
		for _, name := range ip.mentioned(s) {
			if c := fr.env.nearby(name); c != nil {
				markSkipped(c.v, 0)
			}
		}
	}
}

// mentioned are the names that stand in a statement.
func (ip *interp) mentioned(s parse.Stmt) []string {
	if names, known := ip.mentions.at(s); known {
		return names
	}
	var names []string
	parse.Walk(s, func(n parse.Node) bool {
		if name, ok := n.(*parse.Name); ok && !slices.Contains(names, name.ID) {
			names = append(names, name.ID)
		}
		return true
	})
	ip.mentions.now[s] = names
	return names
}

func markSkipped(v Value, depth int) {
	if depth > 3 {
		return
	}
	switch v := v.(type) {
	case *Ref:
		for _, a := range v.Alloc.Roots() {
			a.Skipped = true
		}
	case *Desc:
		for _, end := range []Value{v.DstSem, v.SrcSem, v.Src, v.Dst} {
			markSkipped(end, depth+1)
		}
	case *Tuple:
		for _, e := range elems(v) {
			markSkipped(e, depth+1)
		}
	case *List:
		markSkipped(v.cell.v, depth+1)
	case *Union:
		for _, a := range v.Alts {
			markSkipped(a, depth+1)
		}
	case *Func:
		for _, c := range v.env.vars {
			if _, fn := c.v.(*Func); !fn {
				markSkipped(c.v, depth+1)
			}
		}
	}
}

// nearby is the cell that a name means in the functions around, nil when none of them binds it. Modules hold no refs of a kernel.
func (e *env) nearby(name string) *Cell {
	for p := e; p != nil && p != p.mod.env; p = p.parent {
		if c := p.vars[name]; c != nil && c.v != nil && !p.class {
			return c
		}
	}
	return nil
}
