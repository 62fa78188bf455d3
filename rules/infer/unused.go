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
	roots, ok := callRoots(x)
	return ok && ip.pureRoots(fr, roots)
}

// callRoots are the names that the calls in an expression begin with, `jnp` in `jnp.linalg.norm(x)`; ok is false when one begins otherwise.
func callRoots(x parse.Expr) (roots []string, ok bool) {
	ok = true
	parse.Walk(x, func(n parse.Node) bool {
		if c, isCall := n.(*parse.Call); isCall {
			root, named := rootName(c.Func)
			roots, ok = append(roots, root), ok && named
		}
		return ok
	})
	return roots, ok
}

// rootName is the name that a chain of attributes begins with.
func rootName(x parse.Expr) (string, bool) {
	a, ok := x.(*parse.Attr)
	for ok {
		x = a.X
		if n, isName := x.(*parse.Name); isName {
			return n.ID, true
		}
		a, ok = x.(*parse.Attr)
	}
	return "", false
}

// pureRoots: the names are modules whose functions do nothing but compute.
func (ip *interp) pureRoots(fr *frame, roots []string) bool {
	for _, name := range roots {
		m, ok := ip.lookup(fr.env, name).(*Module)
		if !ok || m.Name != "jax.numpy" && m.Name != "jax.lax" && m.Name != "jax.nn" {
			return false
		}
	}
	return true
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
	b := ip.bodyReads(def)
	var assigns []*assignReads
	out := map[string]bool{}
	for i, a := range b.assigns {
		if ip.pureRoots(fr, a.roots) {
			assigns = append(assigns, &b.assigns[i])
		}
		addAll(out, a.names)
	}
	addAll(out, b.names)
	for size := -1; size != len(out); {
		size = len(out)
		next := map[string]bool{}
		addAll(next, b.names)
		for i := range b.assigns {
			if a := &b.assigns[i]; !slices.Contains(assigns, a) || slices.ContainsFunc(a.targets, func(t string) bool { return out[t] }) {
				addAll(next, a.names)
			}
		}
		out = next
	}
	if ip.readNames == nil {
		ip.readNames = map[*parse.FuncDef]map[string]bool{}
	}
	ip.readNames[def] = out
	return out
}

func addAll(set map[string]bool, names []string) {
	for _, n := range names {
		set[n] = true
	}
}

// bodyReads are the names that the body of a function reads: those of assignments to its local names, which may turn out to have no effect,
// apart from the others.
type bodyReads struct {
	names   []string
	assigns []assignReads
}

type assignReads struct{ targets, roots, names []string }

func (ip *interp) bodyReads(def *parse.FuncDef) *bodyReads {
	if b, known := ip.bodies.at(def); known {
		return b
	}
	b := &bodyReads{}
	targets := map[parse.Node]bool{}
	for _, s := range def.Body {
		parse.Walk(s, func(n parse.Node) bool {
			switch n := n.(type) {
			case *parse.Assign:
				if a, ok := readsOfAssign(def, n); ok {
					b.assigns = append(b.assigns, a)
					return false
				}
				for _, t := range n.Targets {
					targets[t] = true
				}
			case *parse.Name:
				if !targets[n] {
					b.names = append(b.names, n.ID)
				}
			}
			return true
		})
	}
	ip.bodies.now[def] = b
	return b
}

// readsOfAssign reads an assignment to local names; ok is false for any other, and for one whose value certainly does more than compute.
func readsOfAssign(def *parse.FuncDef, s *parse.Assign) (a assignReads, ok bool) {
	for _, t := range s.Targets {
		n, isName := t.(*parse.Name)
		if !isName || !def.Scope.Locals[n.ID] {
			return a, false
		}
		a.targets = append(a.targets, n.ID)
	}
	if a.roots, ok = callRoots(s.Value); !ok {
		return a, false
	}
	parse.Walk(s.Value, func(n parse.Node) bool {
		if n, isName := n.(*parse.Name); isName {
			a.names = append(a.names, n.ID)
		}
		return true
	})
	return a, true
}
