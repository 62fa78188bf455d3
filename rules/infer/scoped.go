package infer

import (
	"pallas-lsp/rules/jax"
)

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
