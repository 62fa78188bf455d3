package infer

import (
	"sort"
	"strconv"
	"strings"
)

// Int is an integer as a linear form: Const + sum of Coef * Atom. An atom is the identity of something unknown (a parameter,
// a dimension, a quotient), so that bm equals bm, and i*bm + bm - i*bm is bm.
type Int struct {
	Const int64
	Terms []Term // sorted by Atom, no zero coefficients
}

// Term is Coef times the unknown Atom.
type Term struct {
	Atom string
	Coef int64
	Of   *IntOp // what the atom was computed from; nil: nothing that is known
}

// IntOp is how an atom came about: an operation (*, //, %, cdiv), or the index of a loop from L up to R (loop).
type IntOp struct {
	Op   string
	L, R *Int
}

const maxTerms, maxMagnitude = 8, int64(1) << 46

// N makes a known integer.
func N(v int64) *Int { return &Int{Const: v} }

func atom(key string) *Int { return &Int{Terms: []Term{{Atom: key, Coef: 1}}} }

// Known returns the value of an integer without unknowns.
func (n *Int) Known() (int64, bool) {
	if n == nil || len(n.Terms) > 0 {
		return 0, false
	}
	return n.Const, true
}

// Is reports whether n is known and equal to v.
func (n *Int) Is(v int64) bool {
	k, ok := n.Known()
	return ok && k == v
}

// Key is the identity of the integer: equal keys mean equal values. The empty key says nothing.
func (n *Int) Key() string {
	if n == nil {
		return ""
	}
	if len(n.Terms) == 0 {
		return strconv.FormatInt(n.Const, 10)
	}
	if len(n.Terms) == 1 && n.Const == 0 && n.Terms[0].Coef == 1 {
		return n.Terms[0].Atom
	}
	var b strings.Builder
	b.WriteByte('(')
	for i, t := range n.Terms {
		if i > 0 {
			b.WriteByte('+')
		}
		if t.Coef != 1 {
			b.WriteString(strconv.FormatInt(t.Coef, 10))
			b.WriteByte('*')
		}
		b.WriteString(t.Atom)
	}
	if n.Const != 0 {
		b.WriteByte('+')
		b.WriteString(strconv.FormatInt(n.Const, 10))
	}
	b.WriteByte(')')
	return b.String()
}

// String shows the integer to a person: the number, or the expression of its unknowns.
func (n *Int) String() string {
	k := n.Key()
	if k == "" || strings.Contains(k, "\x00") {
		return "?"
	}
	if enclosed(k) {
		k = k[1 : len(k)-1]
	}
	return strings.ReplaceAll(k, "+-", "-")
}

// enclosed: the first parenthesis ends with the text.
func enclosed(text string) bool {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i > 0 && i == len(text)-1
		}
	}
	return false
}

// Equal compares two integers: yes, no, or not known.
func (n *Int) Equal(m *Int) (equal, known bool) {
	if n == nil || m == nil {
		return false, false
	}
	d := n.Sub(m)
	if d == nil {
		return false, false
	}
	if v, ok := d.Known(); ok {
		return v == 0, true
	}
	return false, false
}

// Add returns n+m; nil operands give nil.
func (n *Int) Add(m *Int) *Int { return n.combine(m, 1) }

// Sub returns n-m.
func (n *Int) Sub(m *Int) *Int { return n.combine(m, -1) }

func (n *Int) combine(m *Int, sign int64) *Int {
	if n == nil || m == nil {
		return nil
	}
	out := &Int{Const: n.Const + sign*m.Const}
	if out.Const > maxMagnitude || out.Const < -maxMagnitude {
		return nil
	}
	i, j := 0, 0
	for i < len(n.Terms) || j < len(m.Terms) {
		switch {
		case j == len(m.Terms) || i < len(n.Terms) && n.Terms[i].Atom < m.Terms[j].Atom:
			out.Terms = append(out.Terms, n.Terms[i])
			i++
		case i == len(n.Terms) || n.Terms[i].Atom > m.Terms[j].Atom:
			out.Terms = append(out.Terms, Term{m.Terms[j].Atom, sign * m.Terms[j].Coef, m.Terms[j].Of})
			j++
		default:
			if c := n.Terms[i].Coef + sign*m.Terms[j].Coef; c != 0 {
				out.Terms = append(out.Terms, Term{n.Terms[i].Atom, c, n.Terms[i].Of})
			}
			i++
			j++
		}
	}
	if len(out.Terms) > maxTerms {
		return nil
	}
	return out
}

// Mul returns n*m.
func (n *Int) Mul(m *Int) *Int {
	if n == nil || m == nil {
		return nil
	}
	if v, ok := m.Known(); ok {
		return n.scale(v)
	}
	if v, ok := n.Known(); ok {
		return m.scale(v)
	}
	return opAtom("*", n, m)
}

func (n *Int) scale(v int64) *Int {
	if v == 0 {
		return N(0)
	}
	if mag(n.Const) > maxMagnitude/mag(v) {
		return nil
	}
	out := &Int{Const: n.Const * v}
	for _, t := range n.Terms {
		if mag(t.Coef) > maxMagnitude/mag(v) {
			return nil
		}
		out.Terms = append(out.Terms, Term{t.Atom, t.Coef * v, t.Of})
	}
	return out
}

func mag(v int64) int64 {
	if v < 0 {
		v = -v
	}
	return max(v, 1)
}

// opAtom is an opaque result of an operation on unknowns, with the operation as identity.
func opAtom(op string, n, m *Int) *Int {
	a, b := n.Key(), m.Key()
	if len(a)+len(b) > 200 {
		return nil
	}
	if op == "*" && a > b {
		a, b = b, a
	}
	return &Int{Terms: []Term{{"(" + a + op + b + ")", 1, &IntOp{op, n, m}}}}
}

// FloorDiv returns n // m as Python does; nil when m is zero.
func (n *Int) FloorDiv(m *Int) *Int {
	if n == nil || m == nil || m.Is(0) {
		return nil
	}
	d, ok := m.Known()
	if !ok {
		if e, known := n.Equal(m); known && e {
			return N(1)
		}
		if len(n.Terms) == 1 && n.Const == 0 { // (a*b) // b
			if q, ok := cancel(n.Terms[0], m); ok {
				return q
			}
		}
		return opAtom("//", n, m)
	}
	if v, ok := n.Known(); ok {
		return N(floorDiv(v, d))
	}
	if n.divisible(d) {
		out := &Int{Const: n.Const / d}
		for _, t := range n.Terms {
			out.Terms = append(out.Terms, Term{t.Atom, t.Coef / d, t.Of})
		}
		return out
	}
	return opAtom("//", n, m)
}

func cancel(t Term, m *Int) (*Int, bool) {
	k := m.Key()
	if strings.HasPrefix(t.Atom, "("+k+"*") && strings.HasSuffix(t.Atom, ")") {
		rest := t.Atom[len(k)+2 : len(t.Atom)-1]
		if balanced(rest) {
			return &Int{Terms: []Term{{Atom: rest, Coef: t.Coef}}}, true
		}
	}
	if strings.HasSuffix(t.Atom, "*"+k+")") {
		rest := t.Atom[1 : len(t.Atom)-len(k)-2]
		if balanced(rest) {
			return &Int{Terms: []Term{{Atom: rest, Coef: t.Coef}}}, true
		}
	}
	return nil, false
}

func balanced(s string) bool {
	depth := 0
	for _, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		case '*', '/', '+', '%':
			if depth == 0 {
				return false
			}
		}
	}
	return depth == 0
}

func (n *Int) divisible(d int64) bool {
	if n.Const%d != 0 {
		return false
	}
	for _, t := range n.Terms {
		if t.Coef%d != 0 {
			return false
		}
	}
	return true
}

// Mod returns n % m as Python does; nil when m is zero.
func (n *Int) Mod(m *Int) *Int {
	if n == nil || m == nil || m.Is(0) {
		return nil
	}
	d, ok := m.Known()
	if !ok {
		return opAtom("%", n, m)
	}
	if v, ok := n.Known(); ok {
		return N(v - d*floorDiv(v, d))
	}
	if n.divisible(d) {
		return N(0)
	}
	return opAtom("%", n, m)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Atoms returns the identities of the unknowns, sorted.
func (n *Int) Atoms() []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, t := range n.Terms {
		out = append(out, t.Atom)
	}
	sort.Strings(out)
	return out
}
