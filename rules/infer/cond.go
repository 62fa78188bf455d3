package infer

import (
	"strings"

	"pallas-lsp/parse"
)

// cond evaluates a condition: its truth where known, else the test that stands for it.
func (ip *interp) cond(fr *frame, x parse.Expr) (known, value bool, t *test) {
	v := ip.eval(fr, x)
	if b, ok := ip.truth(v); ok {
		return true, b, nil
	}
	ip.tracedBool(fr, x, v)
	return false, false, ip.testOf(fr, x, v)
}

// testOf records that a condition was asked for and not known.
func (ip *interp) testOf(fr *frame, x parse.Expr, v Value) *test {
	k := condKey(v)
	if k == "" || strings.Contains(k, "\x00") {
		return nil
	}
	positive := strings.TrimPrefix(k, "!")
	t := ip.tests[positive]
	if t == nil {
		t = &test{key: positive, locs: map[parse.Loc]bool{}}
		ip.tests[positive] = t
	}
	if ip.kernel == nil {
		t.host = true
	} else {
		t.kernel = true
	}
	t.locs[fr.loc(x)] = true
	if eq := ip.equalities[positive]; eq != nil {
		t.assign = eq
	}
	if k != positive {
		return &test{key: k, locs: t.locs}
	}
	return t
}

// decided is the truth of a condition by its key, when it was assumed.
func (ip *interp) decided(k string) (value, known bool) {
	if k == "" {
		return false, false
	}
	if v, ok := ip.decide[k]; ok {
		return v, true
	}
	if rest, ok := strings.CutPrefix(k, "!"); ok {
		v, known := ip.decided(rest)
		return !v, known
	}
	v, ok := ip.decide["!"+k]
	return !v, ok
}

// truth is the truth value of v, when it is known.
func (ip *interp) truth(v Value) (value, known bool) {
	switch v := v.(type) {
	case None:
		return false, true
	case Bool:
		return bool(v), true
	case *Int:
		if k, ok := v.Known(); ok {
			return k != 0, true
		}
		return ip.decided(v.Key())
	case Float:
		return v != 0, true
	case Str:
		return v != "", true
	case *Tuple:
		if len(v.Head)+len(v.Tail) > 0 {
			return true, true
		}
		return false, v.Rest == nil
	case *List:
		if t, ok := v.cell.v.(*Tuple); ok {
			return ip.truth(t)
		}
		return false, false
	case *Dict:
		keys, _, open := v.Items()
		return len(keys) > 0, len(keys) > 0 || !open
	case *Opaque:
		if eq, ok := ip.equals[v.Key]; ok && v.Key != "" {
			return ip.truth(eq)
		}
		return ip.decided(v.Key)
	case *Union:
		first, known := ip.truth(v.Alts[0])
		for _, a := range v.Alts[1:] {
			b, ok := ip.truth(a)
			if !ok || b != first {
				return false, false
			}
		}
		return first, known
	case *Array, *Ref:
		return false, false
	case *Instance:
		return true, !v.Open && !v.Class.has("__bool__") && !v.Class.has("__len__")
	case Ellipsis, *Func, *API, *Module, *Class, *Partial, *Bound, *Method, *Wrapped, DTypeVal, *SpaceVal, *BlockSpec, *GridSpec,
		*MemSpec, *Mesh, *PallasFn, *Desc, *SliceVal, *Dynamic, *ShapeStruct:
		return true, true
	}
	return false, false
}

// tracedBool notes Python control flow on a value that JAX traces (jax/_src/core.py TracerBoolConversionError).
func (ip *interp) tracedBool(fr *frame, x parse.Expr, v Value) {
	if a, ok := v.(*Array); ok && a.Traced && ip.kernel != nil {
		ip.fault("traced-bool", fr.loc(x), "", v)
	}
	ip.refOperand(fr.loc(x), v, v)
}

func (ip *interp) compare(fr *frame, x *parse.Compare) Value {
	l := ip.eval(fr, x.First)
	var out Value
	for i, op := range x.Ops {
		r := ip.eval(fr, x.Rest[i])
		v := ip.compareOp(fr, op, l, r, fr.loc(x))
		if i == 0 {
			out = v
		} else {
			ip.tracedBool(fr, x, out)
			out = andValues(ip, out, v)
		}
		l = r
	}
	return out
}

func andValues(ip *interp, a, b Value) Value {
	av, ak := ip.truth(a)
	bv, bk := ip.truth(b)
	switch {
	case ak && !av:
		return a
	case ak:
		return b
	case bk && !bv:
		return b
	case bk:
		return a
	}
	if ka, kb := condKey(a), condKey(b); ka != "" && kb != "" {
		return opaque("(" + ka + " and " + kb + ")")
	}
	return join(a, b)
}

func (ip *interp) compareOp(fr *frame, op string, l, r Value, loc parse.Loc) Value {
	switch op {
	case "is", "==":
		if op == "==" && (isArrayLike(l) || isArrayLike(r)) {
			return withPred(ip.arrayCompare(fr, op, l, r, loc), compared(op, l, r))
		}
		if known, eq := ip.equalOrIs(op, l, r); known {
			return Bool(eq)
		}
		return ip.equality("==", l, r)
	case "is not", "!=":
		if op == "!=" && (isArrayLike(l) || isArrayLike(r)) {
			return withPred(ip.arrayCompare(fr, op, l, r, loc), compared(op, l, r))
		}
		v := ip.compareOp(fr, map[string]string{"is not": "is", "!=": "=="}[op], l, r, loc)
		if b, known := ip.truth(v); known {
			return Bool(!b)
		}
		return negate(v)
	case "in", "not in":
		if t, ok := ip.iterate(r).(*Tuple); ok && len(t.Head) > 0 {
			ip.tracedOrder(loc, l, t.Head[0])
		}
		return ip.contains(op, l, r)
	}
	if isArrayLike(l) || isArrayLike(r) {
		return withPred(ip.arrayCompare(fr, op, l, r, loc), compared(op, l, r))
	}
	return ip.order(op, l, r)
}

// equality is an undecided l == r, with what it means when it holds.
func (ip *interp) equality(op string, l, r Value) Value {
	kl, kr := valueKey(l), valueKey(r)
	if kl == "" || kr == "" {
		return Unknown
	}
	if isConst(l) && !isConst(r) {
		l, r, kl, kr = r, l, kr, kl
	}
	key := "(" + kl + op + kr + ")"
	if isConst(r) && len(key) <= 400 {
		ip.equalities[key] = &equality{kl, r}
	}
	return opaque(key)
}

func isConst(v Value) bool {
	switch v := v.(type) {
	case None, Bool, Str, Float:
		return true
	case *Int:
		_, ok := v.Known()
		return ok
	case DTypeVal:
		return v.DType != ""
	}
	return false
}

// valueKey is the identity of a value for conditions.
func valueKey(v Value) string {
	switch v := v.(type) {
	case *Opaque:
		return v.Key
	case *Int:
		return v.Key()
	case None:
		return "None"
	case Bool:
		if v {
			return "True"
		}
		return "False"
	case Str:
		return "'" + string(v) + "'"
	case DTypeVal:
		return string(v.DType)
	case *API:
		return v.Name
	case *Class:
		if v.Def != nil && v.Chunk != nil {
			return v.Chunk.Path + ":" + itoa(int(v.Def.Span().Start)) + ":" + v.Name
		}
	case *SpaceVal:
		return v.Space.String()
	}
	return ""
}

func (ip *interp) equalOrIs(op string, l, r Value) (known, eq bool) {
	if op == "is" {
		_, ln := l.(None)
		_, rn := r.(None)
		switch {
		case ln && rn:
			return true, true
		case ln && definite(r), rn && definite(l):
			return true, false
		}
	}
	return ip.equal(l, r)
}

// definite: the value is known to be something, so it is not None.
func definite(v Value) bool {
	switch v := v.(type) {
	case *Opaque, None:
		return false
	case *Union:
		for _, a := range v.Alts {
			if !definite(a) {
				return false
			}
		}
	}
	return true
}

// equal compares two values as Python's == does for what is not an array.
func (ip *interp) equal(l, r Value) (known, eq bool) {
	l, r = ip.resolve(l), ip.resolve(r)
	if ul, ok := l.(*Union); ok {
		return ip.equalAny(ul.Alts, r)
	}
	if ur, ok := r.(*Union); ok {
		return ip.equalAny(ur.Alts, l)
	}
	if isOpaque(l) || isOpaque(r) {
		return same(l, r), same(l, r)
	}
	a, b := asInt(l), asInt(r)
	if a != nil && b != nil {
		e, k := a.Equal(b)
		return k, e
	}
	switch x := l.(type) {
	case *Tuple:
		if y, ok := r.(*Tuple); ok {
			return ip.equalTuples(x, y)
		}
	case *List:
		y, ok := r.(*List)
		if !ok {
			break
		}
		xt, ok1 := x.cell.v.(*Tuple)
		yt, ok2 := y.cell.v.(*Tuple)
		if ok1 && ok2 {
			return ip.equalTuples(xt, yt)
		}
		return false, false
	case DTypeVal:
		if y, ok := ip.dtypeOf(r); ok {
			return x.DType != "" && y != "", x.DType == y
		}
	case Str:
		switch y := r.(type) {
		case Str:
			return true, x == y
		case DTypeVal:
			return ip.equal(r, l)
		}
	case *Instance:
		return ip.equalObjects(x, r)
	case Float, Bool, None, *SpaceVal, *API, *Func, *Class, *Module, Ellipsis:
	default:
		return same(l, r), same(l, r)
	}
	switch r.(type) {
	case Float, Bool, None, *SpaceVal, *API, *Func, *Class, *Module, Ellipsis, Str, *Int, *Tuple, *List, DTypeVal, *BlockSpec, *MemSpec:
		return true, same(l, r)
	}
	return same(l, r), same(l, r)
}

// equalObjects: dataclasses are equal by their fields, in order, unless they say how they compare.
func (ip *interp) equalObjects(x *Instance, r Value) (known, eq bool) {
	y, ok := r.(*Instance)
	if x == r {
		return true, true
	}
	if !ok || x.Class != y.Class || !x.Class.byValue() || x.Open || y.Open {
		return false, false
	}
	return ip.equalTuples(x.inOrder(), y.inOrder())
}

// inOrder are the fields of a dataclass in the order in which it lists them.
func (x *Instance) inOrder() *Tuple {
	t := &Tuple{}
	for _, f := range x.Class.Fields {
		v := Value(Unknown)
		if c := x.fields[f.Name]; c != nil {
			v = orUnknown(c.v)
		}
		t.Head = append(t.Head, v)
	}
	return t
}

func (ip *interp) equalAny(alts []Value, r Value) (known, eq bool) {
	for i, a := range alts {
		k, e := ip.equal(a, r)
		if !k || i > 0 && e != eq {
			return false, false
		}
		eq = e
	}
	return true, eq
}

func (ip *interp) equalTuples(x, y *Tuple) (known, eq bool) {
	if x.Rest != nil || y.Rest != nil {
		return false, false
	}
	a, b := elems(x), elems(y)
	if len(a) != len(b) {
		return true, false
	}
	known = true
	for i := range a {
		k, e := ip.equal(a[i], b[i])
		if k && !e {
			return true, false
		}
		known = known && k
	}
	return known, known
}

// resolve replaces an opaque value by what it was assumed to equal.
func (ip *interp) resolve(v Value) Value {
	if o, ok := v.(*Opaque); ok && o.Key != "" {
		if eq, ok := ip.equals[o.Key]; ok {
			return eq
		}
	}
	return v
}

// order is <, <=, > or >= of numbers.
func (ip *interp) order(op string, l, r Value) Value {
	if lf, ok := number(l); ok {
		if rf, ok := number(r); ok {
			switch op {
			case "<":
				return Bool(lf < rf)
			case "<=":
				return Bool(lf <= rf)
			case ">":
				return Bool(lf > rf)
			case ">=":
				return Bool(lf >= rf)
			}
		}
	}
	a, b := asInt(ip.resolve(l)), asInt(ip.resolve(r))
	if d := a.Sub(b); d != nil {
		if k, ok := d.Known(); ok {
			return Bool(op == "<" && k < 0 || op == "<=" && k <= 0 || op == ">" && k > 0 || op == ">=" && k >= 0)
		}
	}
	kl, kr := valueKey(l), valueKey(r)
	if kl == "" || kr == "" {
		return Unknown
	}
	return opaque("(" + kl + op + kr + ")")
}

func number(v Value) (float64, bool) {
	switch v := v.(type) {
	case Float:
		return float64(v), true
	case *Int:
		k, ok := v.Known()
		return float64(k), ok
	case Bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func (ip *interp) contains(op string, l, r Value) Value {
	var items []Value
	complete := false
	switch r := r.(type) {
	case *Tuple:
		items, complete = elems(r), r.Rest == nil
	case *List:
		if t, ok := r.cell.v.(*Tuple); ok {
			items, complete = elems(t), t.Rest == nil
		}
	case *Dict:
		keys, _, open := r.Items()
		items, complete = keys, !open
	case Str:
		if s, ok := l.(Str); ok {
			return Bool(strings.Contains(string(r), string(s)) == (op == "in"))
		}
	}
	allKnown := complete
	for _, it := range items {
		known, eq := ip.equal(l, it)
		if known && eq {
			return Bool(op == "in")
		}
		allKnown = allKnown && known
	}
	if allKnown {
		return Bool(op != "in")
	}
	return Unknown
}

func isNone(v Value) bool { _, ok := v.(None); return ok }

// identity is the key of a condition that could not be decided; empty when it has none.
func (t *test) identity() string {
	if t == nil {
		return ""
	}
	return t.key
}

// tracedInt notes that Python needs an integer where JAX traces a value (jax/_src/core.py TracerIntegerConversionError).
func (ip *interp) tracedInt(what string, v Value, loc parse.Loc) bool {
	a, ok := v.(*Array)
	if !ok || !a.Traced || ip.kernel == nil {
		return false
	}
	ip.fault("traced-int", loc, what, v)
	return true
}

// refOperand notes that Python computes with a ref as with a number.
func (ip *interp) refOperand(loc parse.Loc, vs ...Value) {
	if len(vs) < 2 || ip.kernel == nil {
		return
	}
	for _, v := range vs {
		if r, ok := v.(*Ref); ok {
			ip.fault("ref-as-array", loc, "", append([]Value{r}, vs...)...)
			return
		}
	}
}

// tracedOrder notes that Python compares with a value that JAX traces, and decides by it.
func (ip *interp) tracedOrder(loc parse.Loc, vs ...Value) {
	if len(vs) < 2 || ip.kernel == nil {
		return
	}
	for _, v := range vs {
		if a, ok := v.(*Array); ok && a.Traced {
			ip.fault("traced-bool", loc, "", v)
			return
		}
	}
}
