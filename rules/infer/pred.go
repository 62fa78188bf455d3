package infer

import "strings"

// Pred is what a truth value that is known only when the kernel runs says of integers: L op R, or a combination of A and B.
type Pred struct {
	Op   string // == != < <= > >=, and, or, not
	L, R *Int
	A, B *Pred
}

// Holds is the truth of the predicate where the integers that it speaks of have the values of env.
func (p *Pred) Holds(env Values) (holds, known bool) {
	if p == nil {
		return false, false
	}
	switch p.Op {
	case "not":
		holds, known = p.A.Holds(env)
		return !holds, known
	case "and", "or":
		a, ok1 := p.A.Holds(env)
		b, ok2 := p.B.Holds(env)
		decisive := p.Op == "or"
		if ok1 && a == decisive || ok2 && b == decisive {
			return decisive, true
		}
		return !decisive, ok1 && ok2
	}
	l, ok1 := p.L.Eval(env)
	r, ok2 := p.R.Eval(env)
	return compareInts(p.Op, l, r), ok1 && ok2
}

func compareInts(op string, l, r int64) bool {
	switch op {
	case "==":
		return l == r
	case "!=":
		return l != r
	case "<":
		return l < r
	case "<=":
		return l <= r
	case ">":
		return l > r
	}
	return l >= r
}

// Values gives unknowns a value, by their atoms.
type Values func(atom string) (int64, bool)

// Eval is the integer where its unknowns have the values of env.
func (n *Int) Eval(env Values) (int64, bool) {
	if n == nil {
		return 0, false
	}
	sum := n.Const
	for _, t := range n.Terms {
		v, ok := env(t.Atom)
		if !ok {
			v, ok = t.Of.eval(env)
		}
		if !ok || mag(v) > maxMagnitude/mag(t.Coef) {
			return 0, false
		}
		sum += t.Coef * v
	}
	return sum, true
}

func (o *IntOp) eval(env Values) (int64, bool) {
	if o == nil || o.Op == "loop" {
		return 0, false
	}
	l, ok1 := o.L.Eval(env)
	r, ok2 := o.R.Eval(env)
	switch {
	case !ok1 || !ok2:
		return 0, false
	case o.Op == "*":
		return l * r, mag(l) < maxMagnitude/mag(r)
	case r == 0:
		return 0, false
	case o.Op == "//":
		return floorDiv(l, r), true
	case o.Op == "%":
		return l - r*floorDiv(l, r), true
	case o.Op == "cdiv":
		return -floorDiv(-l, r), true
	}
	return 0, false
}

// Range is a closed range of integers.
type Range struct{ Lo, Hi int64 }

// Ranges gives unknowns a range, by their atoms.
type Ranges func(atom string) (Range, bool)

// Range is the range that a sum of unknowns takes, each of them by itself: both ends are reached. It is not known for what is computed
// from unknowns in another way.
func (n *Int) Range(env Ranges) (Range, bool) {
	if n == nil {
		return Range{}, false
	}
	out := Range{n.Const, n.Const}
	for _, t := range n.Terms {
		r, ok := env(t.Atom)
		if !ok {
			r, ok = t.Of.loopRange(env)
		}
		if !ok || mag(r.Lo) > maxMagnitude/mag(t.Coef) || mag(r.Hi) > maxMagnitude/mag(t.Coef) {
			return Range{}, false
		}
		a, b := t.Coef*r.Lo, t.Coef*r.Hi
		out.Lo += min(a, b)
		out.Hi += max(a, b)
	}
	return out, true
}

// loopRange is the range of a loop's index, when its bounds are numbers and it runs at all.
func (o *IntOp) loopRange(env Ranges) (Range, bool) {
	if o == nil || o.Op != "loop" {
		return Range{}, false
	}
	lo, ok1 := o.L.Known()
	hi, ok2 := o.R.Known()
	return Range{lo, hi - 1}, ok1 && ok2 && lo < hi
}

// compared is what l op r says.
func compared(op string, l, r Value) *Pred {
	if !scalar(l) || !scalar(r) {
		return nil
	}
	a, b := linOf(l), linOf(r)
	if a == nil || b == nil {
		return nil
	}
	return &Pred{Op: op, L: a, R: b}
}

func scalar(v Value) bool {
	a, ok := v.(*Array)
	return !ok || a.Shape.IsRank(0)
}

func predOf(v Value) *Pred {
	if a, ok := v.(*Array); ok {
		return a.Pred
	}
	return nil
}

// combined is what l & r and l | r say of truth values.
func combined(op string, l, r Value) *Pred {
	a, b := predOf(l), predOf(r)
	word := map[string]string{"&": "and", "|": "or"}[op]
	if word == "" || a == nil && b == nil || !scalar(l) || !scalar(r) {
		return nil
	}
	return &Pred{Op: word, A: a, B: b}
}

func negated(op string, v Value) *Pred {
	if p := predOf(v); p != nil && op == "~" {
		return &Pred{Op: "not", A: p}
	}
	return nil
}

// predicates are the functions that compare or combine, by the name that jax.numpy and jax.lax have for them.
var predicates = map[string]string{"equal": "==", "eq": "==", "not_equal": "!=", "ne": "!=", "less": "<", "lt": "<", "less_equal": "<=",
	"le": "<=", "greater": ">", "gt": ">", "greater_equal": ">=", "ge": ">=", "logical_and": "&", "bitwise_and": "&", "logical_or": "|",
	"bitwise_or": "|", "logical_not": "~", "bitwise_not": "~", "invert": "~"}

// pred is what a call that compares scalars or combines truth values says.
func (c *Call) pred() *Pred {
	name, numpy := strings.CutPrefix(c.API, "jax.numpy.")
	if !numpy {
		name, _ = strings.CutPrefix(c.API, "jax.lax.")
	}
	op := predicates[name]
	if op == "" || c.Pos(0) == nil {
		return nil
	}
	if op == "~" {
		return negated(op, c.Pos(0))
	}
	if c.Pos(1) == nil {
		return nil
	}
	if op == "&" || op == "|" {
		return combined(op, c.Pos(0), c.Pos(1))
	}
	return compared(op, c.Pos(0), c.Pos(1))
}

// withPred is the truth value with what it says.
func withPred(v Value, p *Pred) Value {
	a, ok := v.(*Array)
	if !ok || p == nil || !a.Shape.IsRank(0) {
		return v
	}
	out := *a
	out.Pred = p
	return &out
}
