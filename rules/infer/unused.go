package infer

import (
	"slices"

	"pallas-lsp/parse"
)

// marks are the numbers of events and calls of the kernel at some time.
type marks struct{ events, calls int }

func (ip *interp) mark() marks {
	if ip.kernel == nil {
		return marks{}
	}
	return marks{len(ip.kernel.Events), len(ip.kernel.Calls)}
}

// unusedLoads marks the loads since from as unused: they are parts of x, which has no effect and whose value reaches nothing. JAX drops
// such loads before it lowers a pallas_call (jax/_src/interpreters/partial_eval.py dce_jaxpr).
func (ip *interp) unusedLoads(fr *frame, x parse.Expr, from marks) {
	if ip.kernel == nil {
		return
	}
	ip.unusedCalls(from)
	if from.events >= len(ip.kernel.Events) || !ip.pure(fr, x) {
		return
	}
	for _, e := range ip.kernel.Events[from.events:] {
		if _, ok := e.Node.(*parse.Index); ok && e.Op == OpLoad {
			e.Unused = true
		}
	}
}

// unusedCalls marks the calls since from as unused, when nothing since then had an effect.
func (ip *interp) unusedCalls(from marks) {
	for _, e := range ip.kernel.Events[from.events:] {
		if e.Op != OpLoad {
			return
		}
	}
	calls := ip.kernel.Calls[from.calls:]
	if slices.ContainsFunc(calls, hasEffect) {
		return
	}
	for _, c := range calls {
		c.Unused = true
	}
}

// hasEffect: the call is there for something else than its result, as what gives None is.
func hasEffect(c *Call) bool {
	_, none := c.Result.(None)
	return none || c.API == "jax.experimental.io_callback"
}

// pure: evaluating the expression does nothing but compute, as far as its calls go.
func (ip *interp) pure(fr *frame, x parse.Expr) bool {
	ok := true
	parse.Walk(x, func(n parse.Node) bool {
		if c, isCall := n.(*parse.Call); isCall {
			ok = ok && ip.pureCall(fr, c)
		}
		return ok
	})
	return ok
}

func (ip *interp) pureCall(fr *frame, c *parse.Call) bool {
	root := c.Func
	for {
		a, isAttr := root.(*parse.Attr)
		if !isAttr {
			break
		}
		root = a.X
	}
	name, ok := root.(*parse.Name)
	if !ok || root == c.Func {
		return false
	}
	m, ok := ip.lookup(fr.env, name.ID).(*Module)
	return ok && (m.Name == "jax.numpy" || m.Name == "jax.lax" || m.Name == "jax.nn")
}

// unread: all targets are names of the function that nothing in it reads.
func (ip *interp) unread(fr *frame, targets []parse.Expr) bool {
	if fr.fn == nil || fr.fn.Def == nil {
		return false
	}
	for _, t := range targets {
		n, ok := t.(*parse.Name)
		if !ok || !fr.fn.Def.Scope.Locals[n.ID] || ip.reads(fr)[n.ID] {
			return false
		}
	}
	return true
}

// reads are the names that the function of a frame reads anywhere, nested functions included, but for what only names are computed of that
// nothing reads in turn.
func (ip *interp) reads(fr *frame) map[string]bool {
	def := fr.fn.Def
	if out := ip.readNames[def]; out != nil {
		return out
	}
	out := ip.readBeside(fr, nil)
	for size := -1; size != len(out); {
		size = len(out)
		out = ip.readBeside(fr, out)
	}
	if ip.readNames == nil {
		ip.readNames = map[*parse.FuncDef]map[string]bool{}
	}
	ip.readNames[def] = out
	return out
}

// readBeside are the names that are read, but for assignments to names that are not among those read before; nil: all are.
func (ip *interp) readBeside(fr *frame, before map[string]bool) map[string]bool {
	out, targets := map[string]bool{}, map[parse.Node]bool{}
	for _, s := range fr.fn.Def.Body {
		parse.Walk(s, func(n parse.Node) bool {
			switch n := n.(type) {
			case *parse.Assign:
				for _, t := range n.Targets {
					targets[t] = true
				}
				return before == nil || !ip.deadAssign(fr, n, before)
			case *parse.Name:
				if !targets[n] {
					out[n.ID] = true
				}
			}
			return true
		})
	}
	return out
}

// deadAssign: an assignment to local names that nothing reads, of a value that has no effect.
func (ip *interp) deadAssign(fr *frame, s *parse.Assign, read map[string]bool) bool {
	for _, t := range s.Targets {
		n, ok := t.(*parse.Name)
		if !ok || !fr.fn.Def.Scope.Locals[n.ID] || read[n.ID] {
			return false
		}
	}
	return ip.pure(fr, s.Value)
}
