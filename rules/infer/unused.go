package infer

import "pallas-lsp/parse"

// mark is the number of events of the kernel so far.
func (ip *interp) mark() int {
	if ip.kernel == nil {
		return 0
	}
	return len(ip.kernel.Events)
}

// unusedLoads marks the loads since from as unused: they are parts of x, which has no effect and whose value reaches nothing. JAX drops
// such loads before it lowers a pallas_call (jax/_src/interpreters/partial_eval.py dce_jaxpr).
func (ip *interp) unusedLoads(fr *frame, x parse.Expr, from int) {
	if ip.kernel == nil || from >= len(ip.kernel.Events) || !ip.pure(fr, x) {
		return
	}
	for _, e := range ip.kernel.Events[from:] {
		if _, ok := e.Node.(*parse.Index); ok && e.Op == OpLoad {
			e.Unused = true
		}
	}
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
		if !ok || !fr.fn.Def.Scope.Locals[n.ID] || ip.reads(fr.fn.Def)[n.ID] {
			return false
		}
	}
	return true
}

// reads are the names that a function reads anywhere, nested functions included.
func (ip *interp) reads(def *parse.FuncDef) map[string]bool {
	if out := ip.readNames[def]; out != nil {
		return out
	}
	targets := map[parse.Node]bool{}
	out := map[string]bool{}
	for _, s := range def.Body {
		parse.Walk(s, func(n parse.Node) bool {
			switch n := n.(type) {
			case *parse.Assign:
				for _, t := range n.Targets {
					targets[t] = true
				}
			case *parse.Name:
				if !targets[n] {
					out[n.ID] = true
				}
			}
			return true
		})
	}
	if ip.readNames == nil {
		ip.readNames = map[*parse.FuncDef]map[string]bool{}
	}
	ip.readNames[def] = out
	return out
}
