package infer

import (
	"maps"
	"strings"

	"pallas-lsp/parse"
)

// eval evaluates an expression. It never returns nil.
func (ip *interp) eval(fr *frame, x parse.Expr) Value {
	v := ip.expr(fr, x)
	if a, ok := v.(*Array); ok && ip.kernel == nil && !a.Traced && !a.NumPy && !a.untold {
		a.Outside = true
	}
	return v
}

func (ip *interp) expr(fr *frame, x parse.Expr) Value {
	if !ip.step() {
		ip.blind()
		return Unknown
	}
	switch x := x.(type) {
	case *parse.Name:
		v := ip.lookup(fr.env, x.ID)
		if v == Value(Unknown) {
			ip.outOfScope(fr, x)
		}
		return v
	case *parse.Const:
		return constant(x.Kind)
	case *parse.Int:
		if x.Big {
			return Unknown
		}
		return N(x.Value)
	case *parse.Float:
		if x.Imaginary {
			return Complex{}
		}
		return Float(x.Value)
	case *parse.Str:
		return ip.str(fr, x)
	case *parse.Attr:
		return ip.attrExpr(fr, x)
	case *parse.Call:
		return ip.callExpr(fr, x)
	case *parse.Index:
		return ip.indexExpr(fr, x)
	case *parse.Slice:
		return &SliceVal{Lo: ip.evalOpt(fr, x.Lo), Hi: ip.evalOpt(fr, x.Hi), Step: ip.evalOpt(fr, x.Step)}
	case *parse.Tuple:
		t := ip.display(fr, x.Elems)
		t.Node, t.Loc = x, fr.loc(x)
		return t
	case *parse.List:
		t := ip.display(fr, x.Elems)
		t.Node, t.Loc = x, fr.loc(x)
		return &List{cell: &Cell{v: t}, Node: x, Loc: fr.loc(x)}
	case *parse.Set:
		ip.display(fr, x.Elems)
		return Unknown
	case *parse.Dict:
		return ip.dict(fr, x)
	case *parse.Binary:
		l := ip.eval(fr, x.L)
		return ip.binary(fr, x.Op, l, ip.eval(fr, x.R), fr.loc(x))
	case *parse.Unary:
		return ip.unary(fr, x)
	case *parse.BoolOp:
		return ip.boolOp(fr, x)
	case *parse.Compare:
		return ip.compare(fr, x)
	case *parse.Lambda:
		return ip.lambda(fr, x)
	case *parse.IfExp:
		return ip.ifExp(fr, x)
	case *parse.Comp:
		return ip.comp(fr, x)
	case *parse.Starred:
		return ip.eval(fr, x.X)
	case *parse.Walrus:
		v := ip.eval(fr, x.Value)
		e := fr.env
		for e.comp && e.parent != nil {
			e = e.parent
		}
		ip.bind(e, x.Target.ID, v)
		return v
	case *parse.Await:
		ip.eval(fr, x.X)
	case *parse.Yield:
		switch {
		case x.From && fr.yields != nil:
			fr.yields.spread(ip.iterate(ip.eval(fr, x.X)))
		case x.X != nil:
			ip.yielded(fr, ip.eval(fr, x.X))
		}
	case *parse.UnknownExpr:
		ip.blind()
		for _, p := range x.Parts {
			ip.eval(fr, p)
		}
	}
	return Unknown
}

func (ip *interp) evalOpt(fr *frame, x parse.Expr) Value {
	if x == nil {
		return nil
	}
	return ip.eval(fr, x)
}

func constant(k parse.ConstKind) Value {
	switch k {
	case parse.ConstTrue:
		return Bool(true)
	case parse.ConstFalse:
		return Bool(false)
	case parse.ConstEllipsis:
		return Ellipsis{}
	}
	return None{}
}

func (ip *interp) str(fr *frame, x *parse.Str) Value {
	for _, p := range x.Parts {
		if v := ip.eval(fr, p); hasFormat(fr.chunk.Text, int(p.Span().End)) {
			ip.formatted(fr.loc(p), v)
		}
	}
	if x.F || x.Bytes {
		return Unknown
	}
	return Str(x.Value)
}

// hasFormat: behind the expression of an f-string, which ends here in the text, stands a literal format: `{x:.2f}`, and not `{x!r:>8}`.
func hasFormat(text string, end int) bool {
	if end > len(text) {
		return false
	}
	rest := strings.TrimLeft(text[end:], " \t)=")
	return len(rest) > 1 && rest[0] == ':' && rest[1] != '}' && rest[1] != '{'
}

// display evaluates the elements of a tuple or list, spreading starred ones.
func (ip *interp) display(fr *frame, xs []parse.Expr) *Tuple {
	b := seqBuilder{}
	for _, x := range xs {
		if st, ok := x.(*parse.Starred); ok {
			b.spread(ip.iterate(ip.eval(fr, st.X)))
			continue
		}
		b.add(ip.eval(fr, x))
	}
	return b.tuple()
}

// seqBuilder puts a sequence together whose middle may be of unknown length.
type seqBuilder struct {
	head, tail []Value
	rest       Value
}

func (b *seqBuilder) add(v Value) {
	if b.rest == nil {
		b.head = append(b.head, v)
		return
	}
	b.tail = append(b.tail, v)
}

func (b *seqBuilder) spread(v Value) {
	t, ok := v.(*Tuple)
	if !ok {
		t = &Tuple{Rest: Unknown}
	}
	for _, e := range t.Head {
		b.add(e)
	}
	if t.Rest != nil {
		if b.rest != nil { // two runs of unknown length: one run of everything between them
			for _, e := range b.tail {
				b.rest = join(b.rest, e)
			}
			b.tail = nil
		}
		b.rest = join(b.rest, t.Rest)
	}
	for _, e := range t.Tail {
		b.add(e)
	}
}

// len counts what was added one by one; a builder that is nil has nothing.
func (b *seqBuilder) len() int {
	if b == nil {
		return 0
	}
	return len(b.head) + len(b.tail)
}

func (b *seqBuilder) tuple() *Tuple {
	if len(b.head)+len(b.tail) > maxElems {
		return &Tuple{Rest: Unknown}
	}
	return &Tuple{Head: b.head, Rest: b.rest, Tail: b.tail}
}

func (ip *interp) newList(items []Value) *List {
	return &List{cell: &Cell{v: &Tuple{Head: append([]Value(nil), items...)}}}
}

func (ip *interp) dict(fr *frame, x *parse.Dict) Value {
	c := &dictContent{}
	for _, it := range x.Items {
		if it.Key == nil {
			ip.update(c, ip.eval(fr, it.Value))
			continue
		}
		k := ip.eval(fr, it.Key)
		c.put(k, ip.eval(fr, it.Value))
	}
	return &Dict{cell: &Cell{v: c}, Node: x, Loc: fr.loc(x)}
}

// put sets a key; a key that is not known opens the mapping.
func (c *dictContent) put(k, v Value) {
	if isOpaque(k) || isUnion(k) {
		c.open = true
		for i := range c.vals {
			c.vals[i] = join(c.vals[i], v)
		}
		return
	}
	for i, have := range c.keys {
		if same(have, k) {
			c.vals[i] = v
			if name, ok := k.(Str); ok {
				delete(c.passed, string(name))
			}
			return
		}
	}
	c.keys, c.vals = append(c.keys, k), append(c.vals, v)
}

func (c *dictContent) clone() *dictContent {
	return &dictContent{append([]Value(nil), c.keys...), append([]Value(nil), c.vals...), c.open, maps.Clone(c.passed)}
}

func (c *dictContent) get(k Value) (Value, bool) {
	for i, have := range c.keys {
		if same(have, k) {
			return c.vals[i], true
		}
	}
	return nil, false
}

func isUnion(v Value) bool { _, ok := v.(*Union); return ok }

func (ip *interp) update(c *dictContent, v Value) {
	d, ok := v.(*Dict)
	if !ok {
		c.open = true
		return
	}
	keys, vals, open := d.Items()
	for i := range keys {
		c.put(keys[i], vals[i])
	}
	c.open = c.open || open
}

func (ip *interp) lambda(fr *frame, x *parse.Lambda) Value {
	f := &Func{Name: "<lambda>", Params: x.Params, Lambda: x, Chunk: fr.chunk, env: fr.env, defaults: ip.defaults(fr, x.Params)}
	ip.pending = append(ip.pending, putOff[*Func]{f, ip.now()})
	return f
}

func (ip *interp) defaults(fr *frame, params []*parse.Param) map[string]Value {
	var out map[string]Value
	for _, p := range params {
		if p.Default == nil {
			continue
		}
		if out == nil {
			out = map[string]Value{}
		}
		out[p.Name] = ip.eval(fr, p.Default)
	}
	return out
}

func (ip *interp) ifExp(fr *frame, x *parse.IfExp) Value {
	known, value, t := ip.cond(fr, x.Cond)
	if known {
		if value {
			return ip.eval(fr, x.Then)
		}
		return ip.eval(fr, x.Else)
	}
	var a, b Value
	loc := fr.loc(x.Cond)
	ip.branch(fr, t, func() flow {
		ip.under(Cond{Kind: "if", Loc: loc, Test: t.identity()}, func() { a = ip.eval(fr, x.Then) })
		return goOn
	}, func() flow {
		ip.under(Cond{Kind: "else", Loc: loc, Test: t.identity()}, func() { b = ip.eval(fr, x.Else) })
		return goOn
	})
	v := join(a, b)
	if t != nil && ip.kernel == nil && (isUnion(v) || isOpaque(v) && !isOpaque(a) && !isOpaque(b)) {
		t.lossy = true
	}
	return v
}

func (ip *interp) boolOp(fr *frame, x *parse.BoolOp) Value {
	l := ip.eval(fr, x.L)
	b, known := ip.truth(l)
	if known && b == (x.Op == "or") {
		return l
	}
	if known {
		return ip.eval(fr, x.R)
	}
	ip.tracedBool(fr, x.L, l)
	var r Value
	ip.branch(fr, ip.testOf(fr, x.L, l), func() flow {
		if x.Op == "and" {
			r = ip.eval(fr, x.R)
		}
		return goOn
	}, func() flow {
		if x.Op == "or" {
			r = ip.eval(fr, x.R)
		}
		return goOn
	})
	if rb, ok := ip.truth(r); ok { // x and False is falsy whatever x is; x and True is as x
		if rb == (x.Op == "or") {
			if _, isBool := r.(Bool); isBool {
				return r
			}
		} else if _, isBool := r.(Bool); isBool {
			return l
		}
	}
	if kl, kr := condKey(l), condKey(r); kl != "" && kr != "" {
		return opaque("(" + kl + " " + x.Op + " " + kr + ")")
	}
	if x.Op == "or" { // `x or default`: a falsy x gives way
		if isOpaque(l) || isOpaque(r) {
			return Unknown
		}
	}
	return join(l, r)
}

func condKey(v Value) string {
	switch v := v.(type) {
	case *Opaque:
		return v.Key
	case *Int:
		return v.Key()
	}
	return ""
}

func (ip *interp) unary(fr *frame, x *parse.Unary) Value {
	v := ip.eval(fr, x.X)
	if x.Op == "not" {
		if b, known := ip.truth(v); known {
			return Bool(!b)
		}
		ip.tracedBool(fr, x.X, v)
		return negate(v)
	}
	return each(v, func(v Value) Value { return ip.unaryOp(fr, x.Op, v, fr.loc(x)) })
}

func (ip *interp) unaryOp(fr *frame, op string, v Value, loc parse.Loc) Value {
	switch v := v.(type) {
	case *Int:
		switch op {
		case "-":
			return N(0).Sub(v)
		case "+":
			return v
		}
		if k, ok := v.Known(); ok {
			return N(^k)
		}
	case Float:
		if op == "-" {
			return -v
		}
		return v
	case Complex:
		return v
	case Bool:
		return ip.unaryOp(fr, op, boolInt(v), loc)
	case *Array, *Ref:
		return withPred(ip.arrayUnary(fr, op, v, loc), negated(op, v))
	case *Opaque:
		if n := asInt(v); n != nil && op == "-" {
			return fromInt(N(0).Sub(n))
		}
	}
	return Unknown
}

func boolInt(b Bool) *Int {
	if b {
		return N(1)
	}
	return N(0)
}

// negate is `not v` of an undecided v.
func negate(v Value) Value {
	k := condKey(v)
	if k == "" {
		return Unknown
	}
	if rest, ok := strings.CutPrefix(k, "!"); ok {
		return opaque(rest)
	}
	return opaque("!" + k)
}

// asInt reads a value as an integer, by identity when it is not known; nil when it is not one or nothing is known.
func asInt(v Value) *Int {
	switch v := v.(type) {
	case *Int:
		return v
	case Bool:
		return boolInt(v)
	case *Array:
		if v.Shape.IsRank(0) || v.Shape.Dims == nil { // of unknown rank: by identity, as an opaque value
			return v.Lin
		}
	case *Opaque:
		if v.Lin != nil {
			return v.Lin
		}
		if v.Key != "" {
			return atom(v.Key)
		}
	case Float:
		return nil
	}
	return nil
}

// AsInt reads a value as an integer, by identity when it is not known; nil when it is not one or nothing is known.
func AsInt(v Value) *Int { return asInt(v) }

// fromInt wraps an integer computed from opaque operands: it may be of any type, but is equal to what has the same form.
func fromInt(n *Int) Value {
	if n == nil {
		return Unknown
	}
	if _, ok := n.Known(); ok {
		return n
	}
	return &Opaque{Key: n.Key(), Lin: n}
}

func (ip *interp) binary(fr *frame, op string, l, r Value, loc parse.Loc) Value {
	if format, ok := l.(Str); ok && op == "%" {
		ip.percent(string(format), r, loc)
		return Unknown
	}
	if ul, ok := l.(*Union); ok {
		var out Value
		for _, a := range ul.Alts {
			out = join(out, ip.binary(fr, op, a, r, loc))
		}
		return out
	}
	if ur, ok := r.(*Union); ok {
		var out Value
		for _, b := range ur.Alts {
			out = join(out, ip.binary(fr, op, l, b, loc))
		}
		return out
	}
	if v, ok := ip.overload(fr, op, l, r, loc); ok {
		return v
	}
	if v := ip.mapIndex(op, l, r); v != nil {
		return v
	}
	if isArrayLike(l) || isArrayLike(r) {
		return withPred(ip.arrayBinary(fr, op, l, r, loc), combined(op, l, r))
	}
	if v, ok := seqBinary(op, l, r); ok {
		return v
	}
	return numBinary(op, l, r)
}

// complexBinary is arithmetic with a complex number; what a comparison says is not known.
func complexBinary(op string) Value {
	switch op {
	case "+", "-", "*", "/", "**":
		return Complex{}
	}
	return Unknown
}

func numBinary(op string, l, r Value) Value {
	if (l == Value(Complex{}) || r == Value(Complex{})) && isPython(l) && isPython(r) {
		return complexBinary(op)
	}
	lf, lok := l.(Float)
	rf, rok := r.(Float)
	if lok || rok {
		return floatBinary(op, l, r, lf, rf, lok, rok)
	}
	if ls, ok := l.(Str); ok {
		if rs, ok := r.(Str); ok && op == "+" {
			return ls + rs
		}
		return Unknown
	}
	if op == "|" || op == "&" {
		if a, ok := l.(Bool); ok {
			if b, ok := r.(Bool); ok {
				return Bool(op == "|" && bool(a || b) || op == "&" && bool(a && b))
			}
		}
	}
	a, b := asInt(l), asInt(r)
	if a == nil || b == nil {
		return Unknown
	}
	n, ok := intBinary(op, a, b)
	if !ok {
		return quotient(op, a, b)
	}
	if n != nil && (isOpaque(l) || isOpaque(r)) { // may be an array of that value
		return &Opaque{Key: n.Key(), Lin: n}
	}
	if n == nil {
		return Unknown
	}
	return n
}

// quotient is the true division of two known integers.
func quotient(op string, a, b *Int) Value {
	x, ok1 := a.Known()
	y, ok2 := b.Known()
	if op != "/" || !ok1 || !ok2 || y == 0 {
		return Unknown
	}
	return Float(x) / Float(y)
}

// intBinary computes a op b; ok is false for operations whose result is no integer or not known.
func intBinary(op string, a, b *Int) (*Int, bool) {
	switch op {
	case "+":
		return a.Add(b), true
	case "-":
		return a.Sub(b), true
	case "*":
		return a.Mul(b), true
	case "//":
		return a.FloorDiv(b), true
	case "%":
		return a.Mod(b), true
	}
	x, ok1 := a.Known()
	y, ok2 := b.Known()
	if !ok1 || !ok2 {
		return opAtom(op, a, b), op != "/"
	}
	switch op {
	case "**":
		return power(x, y)
	case "<<":
		if y < 0 || y > 40 || mag(x) > maxMagnitude>>uint(y) {
			return nil, false
		}
		return N(x << uint(y)), true
	case ">>":
		if y < 0 {
			return nil, false
		}
		return N(x >> uint(min(y, 63))), true
	case "&":
		return N(x & y), true
	case "|":
		return N(x | y), true
	case "^":
		return N(x ^ y), true
	}
	return nil, false
}

func power(x, y int64) (*Int, bool) {
	if y < 0 {
		return nil, false
	}
	out := int64(1)
	for ; y > 0; y-- {
		if mag(out) > maxMagnitude/mag(x) {
			return nil, false
		}
		if out *= x; out == 0 || out == 1 && x == 1 {
			break
		}
	}
	return N(out), true
}

func floatBinary(op string, l, r Value, lf, rf Float, lok, rok bool) Value {
	num := func(v Value, f Float, ok bool) (Float, bool) {
		if ok {
			return f, true
		}
		if n := asInt(v); n != nil {
			if k, known := n.Known(); known {
				return Float(k), true
			}
		}
		return 0, false
	}
	a, ok1 := num(l, lf, lok)
	b, ok2 := num(r, rf, rok)
	if !ok1 || !ok2 {
		return Unknown
	}
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		if b != 0 {
			return a / b
		}
	}
	return Unknown
}

// seqBinary concatenates and repeats tuples and lists.
func seqBinary(op string, l, r Value) (Value, bool) {
	a, aList, ok1 := seqOf(l)
	b, bList, ok2 := seqOf(r)
	switch {
	case op == "+" && ok1 && ok2:
		s := seqBuilder{}
		s.spread(a)
		s.spread(b)
		return wrapSeq(s.tuple(), aList || bList), true
	case op == "+" && (ok1 && isOpaque(r) || ok2 && isOpaque(l)):
		s := seqBuilder{}
		if ok1 {
			s.spread(a)
			s.spread(Unknown)
		} else {
			s.spread(Unknown)
			s.spread(b)
		}
		return wrapSeq(s.tuple(), aList || bList), true
	case op == "*" && ok1:
		return repeat(a, aList, asInt(r)), true
	case op == "*" && ok2:
		return repeat(b, bList, asInt(l)), true
	}
	return nil, false
}

func seqOf(v Value) (t *Tuple, list, ok bool) {
	switch v := v.(type) {
	case *Tuple:
		return v, false, true
	case *List:
		t, ok := v.cell.v.(*Tuple)
		return t, true, ok
	}
	return nil, false, false
}

func wrapSeq(t *Tuple, list bool) Value {
	if list {
		return &List{cell: &Cell{v: t}}
	}
	return t
}

func repeat(t *Tuple, list bool, n *Int) Value {
	k, known := n.Known()
	if known && k <= 0 {
		return wrapSeq(&Tuple{}, list)
	}
	if known && t.Rest == nil && k*int64(len(t.Head)+len(t.Tail)) <= maxElems {
		s := seqBuilder{}
		for ; k > 0; k-- {
			s.spread(t)
		}
		return wrapSeq(s.tuple(), list)
	}
	var all Value
	for _, e := range elems(t) {
		all = join(all, e)
	}
	if t.Rest != nil {
		all = join(all, t.Rest)
	}
	if all == nil {
		return wrapSeq(&Tuple{}, list)
	}
	return wrapSeq(&Tuple{Rest: all}, list)
}

// comp evaluates a comprehension in a scope of its own.
func (ip *interp) comp(fr *frame, x *parse.Comp) Value {
	inner := *fr
	inner.env = newEnv(fr.env, fr.env.mod, nil)
	inner.env.comp = true
	inner.exits, inner.loops = nil, nil
	b := seqBuilder{}
	d := &dictContent{}
	ok := ip.clauses(&inner, x.Clauses, func(sure bool) {
		if x.Kind == parse.CompDict {
			k := ip.eval(&inner, x.Key)
			d.put(k, ip.eval(&inner, x.Elt))
			d.open = d.open || !sure
			return
		}
		v := ip.eval(&inner, x.Elt)
		if sure {
			b.add(v)
			return
		}
		b.spread(&Tuple{Rest: v})
	})
	_ = ok
	switch x.Kind {
	case parse.CompDict:
		return &Dict{cell: &Cell{v: d}}
	case parse.CompSet:
		return Unknown
	case parse.CompList:
		return &List{cell: &Cell{v: b.tuple()}, Loc: fr.loc(x)}
	}
	return b.tuple()
}

// clauses runs the for and if clauses and calls emit for each element; sure says that exactly one element comes of the call.
func (ip *interp) clauses(fr *frame, cs []parse.CompClause, emit func(sure bool)) bool {
	return ip.clause(fr, cs, true, emit)
}

func (ip *interp) clause(fr *frame, cs []parse.CompClause, sure bool, emit func(bool)) bool {
	if len(cs) == 0 {
		emit(sure)
		return true
	}
	c := cs[0]
	if c.Iter == nil {
		known, value, _ := ip.cond(fr, c.Cond)
		if known && !value {
			return true
		}
		return ip.clause(fr, cs[1:], sure && known, emit)
	}
	seq := ip.iterate(ip.eval(fr, c.Iter))
	t, ok := seq.(*Tuple)
	if !ok {
		t = &Tuple{Rest: Unknown}
	}
	if len(t.Head)+len(t.Tail) > maxUnroll*4 {
		t = &Tuple{Rest: ip.element(t)}
	}
	run := func(v Value, sure bool) {
		ip.assign(fr, c.Target, v)
		ip.clause(fr, cs[1:], sure, emit)
	}
	for _, v := range t.Head {
		run(v, sure)
	}
	if t.Rest != nil {
		run(t.Rest, false)
	}
	for _, v := range t.Tail {
		run(v, sure)
	}
	return true
}
