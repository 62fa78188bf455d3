package infer

import "pallas-lsp/parse"

// Body is a function that something runs in place: the kernel of a site, the body of pl.when, pl.loop, lax.fori_loop and their like.
type Body struct {
	Fn      Value
	Func    *Func // inside partials and wrappers; nil: not in the workspace
	Args    Args
	Result  Value
	Returns []parse.Loc // of its return statements that were reached and give a value
}

// runBody calls a body and notes what it returns.
func (ip *interp) runBody(fr *frame, b *Body, args Args, at *callSite) Value {
	outer := ip.body
	b.Func, b.Args = kernelFunc(b.Fn), args
	ip.body = b
	b.Result = ip.call(fr, b.Fn, args, at)
	ip.body = outer
	return b.Result
}

// runs calls a function that an API was given, in place.
func (c *Call) runs(ip *interp, fr *frame, fn Value, args Args, at *callSite) Value {
	b := &Body{Fn: fn}
	c.Bodies = append(c.Bodies, b)
	return ip.runBody(fr, b, args, at)
}

// returned notes a return statement of the innermost body.
func (ip *interp) returned(fr *frame, s *parse.Return) {
	b := ip.body
	if b == nil || b.Func == nil || fr.fn != b.Func || s.X == nil {
		return
	}
	if _, none := fr.result.(None); !none {
		b.Returns = append(b.Returns, fr.loc(s))
	}
}

// leaveScope remembers the names that run_scoped gave to its allocations, which end with the function.
func (k *Kernel) leaveScope(b *Body) {
	if b.Func == nil {
		return
	}
	if k.scoped == nil {
		k.scoped = map[string]*Func{}
	}
	for _, p := range b.Func.Params {
		k.scoped[p.Name] = b.Func
	}
}

// outOfScope notes the use of a name that is a parameter of a function that run_scoped has run, and nothing else.
func (ip *interp) outOfScope(fr *frame, x *parse.Name) {
	if ip.kernel == nil || ip.kernel.scoped[x.ID] == nil || ip.find(fr.env, x.ID) != nil || len(fr.env.mod.stars) > 0 {
		return
	}
	for e := fr.env; e != nil; e = e.parent {
		if e.scope != nil && e.scope.Locals[x.ID] {
			return
		}
	}
	ip.fault("out-of-scope", fr.loc(x), x.ID, ip.kernel.scoped[x.ID])
}

// Holds reports whether a place is inside the text of the function.
func (b *Body) Holds(loc parse.Loc) bool {
	if b.Func == nil || loc.Chunk != b.Func.Chunk {
		return false
	}
	span := b.Func.node().Span()
	return loc.Span.Start >= span.Start && loc.Span.End <= span.End
}
