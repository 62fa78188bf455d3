package infer

import (
	"strconv"
	"strings"
	"testing"

	"pallas-lsp/rules/jax"
)

// sizes are what the symbols of the partial inputs stand for.
var symbolSizes = map[string]int64{"B": 8, "C": 128, "D": 4}

// partial are the ways in which less is known of the inputs. What is still concluded must be true of the real ones.
var partial = map[string]func(a *Array){
	"symbolic dimensions": func(a *Array) {
		for i, d := range a.Shape.Dims {
			for name, n := range symbolSizes {
				if d.Is(n) {
					a.Shape.Dims[i] = atom(name)
				}
			}
		}
	},
	"unknown dimensions": func(a *Array) {
		for i := range a.Shape.Dims {
			a.Shape.Dims[i] = nil
		}
	},
	"unknown rank":         func(a *Array) { a.Shape = Shape{} },
	"unknown type":         func(a *Array) { a.DType, a.Weak = "", false },
	"unknown":              func(a *Array) { a.Shape, a.DType, a.Weak = Shape{}, "", false },
	"unknown, not traced":  func(a *Array) { a.Shape, a.DType, a.Weak, a.Traced = Shape{}, "", false, false },
	"first dimension only": func(a *Array) { forget(a, 1) },
}

func forget(a *Array, from int) {
	for i := from; i < len(a.Shape.Dims); i++ {
		a.Shape.Dims[i] = nil
	}
}

// TestArrayOpsPartial holds what is concluded from inputs of which less is known against JAX's answers for the real ones.
func TestArrayOpsPartial(t *testing.T) {
	if testing.Short() {
		t.Skip("45,000 evaluations")
	}
	table := readOps(t, jax.Newest().Version)
	exprs := make([]string, len(table.Rows))
	for i, r := range table.Rows {
		exprs[i] = r.expr
	}
	for name, change := range partial {
		t.Run(name, func(t *testing.T) {
			ev := newEvaluator(jax.Newest().Version, exprs)
			ev.inputs = map[string]Value{}
			for name, text := range table.Inputs {
				a := parseArray(text)
				change(a)
				ev.inputs[name] = a
			}
			ev.run(func(i int, v Value, calls []*Call, faults []*Fault) { checkPartial(t, table.Rows[i], v, faults) })
		})
	}
	t.Run("opaque", func(t *testing.T) {
		ev := newEvaluator(jax.Newest().Version, exprs)
		ev.inputs = map[string]Value{}
		for name := range table.Inputs {
			ev.inputs[name] = opaque(name)
		}
		ev.run(func(i int, v Value, calls []*Call, faults []*Fault) {
			if _, isInt := v.(*Int); isInt { // x // x is taken for 1, as of an int: numBinary's doing, not an array's
				return
			}
			checkPartial(t, table.Rows[i], v, faults)
		})
	})
}

func checkPartial(t *testing.T, row opRow, v Value, faults []*Fault) {
	if text, ok := row.want.(string); ok && strings.HasPrefix(text, "!") {
		return
	}
	if len(faults) > 0 {
		t.Errorf("%s: fault %s %s, but JAX gives %v", row.expr, faults[0].Kind, faults[0].Detail, row.want)
	}
	if !consistentWith(v, row.want) {
		t.Errorf("%s: %v, but JAX gives %v", row.expr, showKnown(v), row.want)
	}
}

// consistentWith reports whether what is known of a value is true of JAX's answer.
func consistentWith(v Value, want any) bool {
	if list, ok := want.([]any); ok {
		return consistentList(v, list)
	}
	text := want.(string)
	switch v := v.(type) {
	case *Array:
		numpy := strings.HasPrefix(text, "numpy ")
		if strings.Contains(text, " ") && !numpy {
			return false
		}
		return (!v.NumPy || numpy) && consistentArray(v, parseArray(strings.TrimPrefix(text, "numpy ")))
	case *Int:
		n, ok := evalInt(v)
		return !ok || text == "value "+strconv.FormatInt(n, 10)
	case DTypeVal:
		return text == "dtype "+string(v.DType)
	case *Tuple:
		return v.Rest != nil || strings.HasPrefix(text, "value [") || consistentDims(v, text)
	case *Union:
		for _, a := range v.Alts {
			if consistentWith(a, want) {
				return true
			}
		}
		return false
	}
	return true
}

func consistentList(v Value, list []any) bool {
	if l, ok := v.(*List); ok {
		v = l.Content()
	}
	t, ok := v.(*Tuple)
	if !ok {
		_, isArray := v.(*Array)
		return !isArray
	}
	if t.Rest != nil {
		return true
	}
	items := elems(t)
	if len(items) != len(list) {
		return false
	}
	for i := range items {
		if !consistentWith(items[i], list[i]) {
			return false
		}
	}
	return true
}

// consistentDims compares a tuple of ints with "value (8, 128)".
func consistentDims(t *Tuple, text string) bool {
	parts := strings.Split(strings.Trim(strings.TrimPrefix(text, "value "), "(),"), ", ")
	items := elems(t)
	if parts[0] == "" {
		parts = nil
	}
	if len(parts) != len(items) {
		return false
	}
	for i, it := range items {
		if n, ok := evalInt(asInt(it)); ok && strconv.FormatInt(n, 10) != parts[i] {
			return false
		}
	}
	return true
}

func consistentArray(v, want *Array) bool {
	if v.DType != "" && (v.DType != want.DType || v.Weak != want.Weak && v.DType != jax.Bool) {
		return false
	}
	if v.Shape.Dims == nil {
		return true
	}
	if len(v.Shape.Dims) != len(want.Shape.Dims) {
		return false
	}
	for i, d := range v.Shape.Dims {
		if n, ok := evalInt(d); ok && !want.Shape.Dims[i].Is(n) {
			return false
		}
	}
	return true
}

// evalInt is the number that an integer stands for under symbolSizes.
func evalInt(n *Int) (int64, bool) {
	if n == nil {
		return 0, false
	}
	sum := n.Const
	for _, t := range n.Terms {
		v, ok := evalAtom(t.Atom)
		if !ok {
			return 0, false
		}
		sum += t.Coef * v
	}
	return sum, true
}

// evalAtom evaluates what opAtom writes: B, (B*C), ((B*C)//8), (2*B+3).
func evalAtom(s string) (int64, bool) {
	if v, ok := symbolSizes[s]; ok {
		return v, true
	}
	if k, err := strconv.ParseInt(s, 10, 64); err == nil {
		return k, true
	}
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return 0, false
	}
	in := s[1 : len(s)-1]
	for _, op := range []string{"+", "%", "//", "*"} {
		depth := 0
		for i := len(in) - 1; i > 0; i-- {
			switch {
			case in[i] == ')':
				depth++
			case in[i] == '(':
				depth--
			case depth == 0 && strings.HasPrefix(in[i:], op):
				return apply(op, in[:i], in[i+len(op):])
			}
		}
	}
	return 0, false
}

func apply(op, l, r string) (int64, bool) {
	a, ok1 := evalAtom(wrapped(l))
	b, ok2 := evalAtom(wrapped(r))
	if !ok1 || !ok2 || b == 0 && op != "*" && op != "+" {
		return 0, false
	}
	switch op {
	case "+":
		return a + b, true
	case "*":
		return a * b, true
	case "//":
		return floorDiv(a, b), true
	}
	return a - b*floorDiv(a, b), true
}

// wrapped puts parentheses around an operation that has none.
func wrapped(s string) string {
	if strings.ContainsAny(s, "+*/%") && !(strings.HasPrefix(s, "(") && balanced(s[1:len(s)-1])) {
		return "(" + s + ")"
	}
	return s
}
