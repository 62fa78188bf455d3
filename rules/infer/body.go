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
