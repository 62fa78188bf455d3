package infer

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// operatorAPI is the function of jax.numpy that an operator on arrays calls (jax/_src/numpy/array_methods.py).
var operatorAPI = map[string]string{
	"+": "add", "-": "subtract", "*": "multiply", "/": "true_divide", "//": "floor_divide", "%": "remainder", "**": "power",
	"@": "matmul", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "left_shift", ">>": "right_shift",
	"==": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal",
}

var unaryAPI = map[string]string{"-": "negative", "+": "positive", "~": "invert", "abs": "abs"}

// sameElementwise are functions whose entry in the table is that of another name.
var sameElementwise = map[string]string{
	"jax.numpy.true_divide": "jax.numpy.divide", "jax.numpy.divide": "jax.numpy.true_divide", "jax.numpy.mod": "jax.numpy.remainder",
	"jax.numpy.remainder": "jax.numpy.mod", "jax.numpy.absolute": "jax.numpy.abs", "jax.numpy.abs": "jax.numpy.absolute",
}

// byHand are functions of the table that have a model of their own.
var byHand = map[string]bool{"jax.nn.gelu": true, "jax.numpy.power": true, "jax.numpy.pow": true, "jax.numpy.ldexp": true, "jax.lax.pow": true}

func init() {
	m := map[string]arrayModel{}
	for line := range strings.Lines(elementwiseText) {
		names, rest, _ := strings.Cut(line, "\t")
		form, _, _ := strings.Cut(rest, "\t")
		for name := range strings.SplitSeq(names, ",") {
			switch {
			case byHand[name]:
			case form == "a":
				m[name] = func(t *tracing) Value { return t.unary(name) }
			case form == "aa":
				m[name] = func(t *tracing) Value { return t.binary(name) }
			}
		}
	}
	m["jax.numpy.power"] = powerOf
	m["jax.numpy.pow"] = powerOf
	m["jax.lax.pow"] = laxPow
	m["jax.lax.integer_pow"] = integerPow
	arrays(m)
}

func (ip *interp) arrayUnary(fr *frame, op string, v Value, loc parse.Loc) Value {
	name := "jax.numpy." + unaryAPI[op]
	return ip.operator(fr, name, func(t *tracing) Value { return t.unary(name) }, loc, v)
}

func (ip *interp) arrayBinary(fr *frame, op string, l, r Value, loc parse.Loc) Value {
	name := "jax.numpy." + operatorAPI[op]
	f := func(t *tracing) Value { return t.binary(name) }
	switch op {
	case "@":
		f = matmul
	case "**":
		f = powerOf
	}
	return ip.operator(fr, name, f, loc, l, r)
}

// mirrored are the operators that Python tries on the right operand when the left one has none for arrays.
var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

func (ip *interp) arrayCompare(fr *frame, op string, l, r Value, loc parse.Loc) Value {
	a, isArray := l.(*Array)
	b, alsoArray := r.(*Array)
	if alsoArray && (!isArray || a.NumPy && !b.NumPy) && !isOpaque(l) {
		return ip.arrayBinary(fr, mirrored[op], r, l, loc)
	}
	return ip.arrayBinary(fr, op, l, r, loc)
}

// lookup finds the program of a function under its own name or an alias.
func lookupElementwise(name, form string, d jax.DType, weak bool) (*program, bool) {
	if narrow := d.Canonical(); narrow != d {
		p, ok := lookupElementwise(name, form, narrow, weak)
		if !ok || !p.widens() {
			return nil, false
		}
		return p, true
	}
	if p, ok := elementwise(name, form, d, weak); ok {
		return p, true
	}
	return elementwise(sameElementwise[name], form, d, weak)
}

// widens: the program is the same for the 64-bit type of the kind.
func (p *program) widens() bool {
	for _, s := range p.steps {
		if !s.same && s.dtype != jax.Bool || s.name == "?" {
			return false
		}
	}
	return true
}

// unary models an elementwise function of one array.
func (t *tracing) unary(name string) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	return t.apply1(name, x)
}

// first is the first argument as an array, whatever its name.
func (t *tracing) first() (*Array, bool) {
	pos, open := t.call.Args.positional()
	if len(pos) > 0 && pos[0].Star == 0 {
		return t.operand(pos[0].Value)
	}
	if open || len(t.call.Args) == 0 {
		return nil, false
	}
	for _, n := range []string{"x", "a", "arr", "operand", "array"} {
		if a := t.call.Bound[n]; a != nil {
			return t.operand(a.Value)
		}
	}
	return nil, false
}

func (t *tracing) apply1(name string, x *Array) Value {
	if len(t.call.Args) > 1 && !t.onlyStatic(1) {
		return t.unknown(x)
	}
	if t.numpy {
		return t.numpyUnary(name, x)
	}
	p, ok := lookupElementwise(name, "a", x.DType, x.Weak)
	if !ok {
		out := t.result(x.Shape, t.always(name, "a"), false, x)
		out.Lin = linUnary(name, x, out)
		return out
	}
	if p.rejects {
		t.fault("op-dtype", string(x.DType), x)
		return Unknown
	}
	if len(t.call.Args) > 1 { // an option may change what is bound, not the type
		p = &program{steps: []progStep{{name: "?", dtype: p.resultDType(x.DType), weak: p.resultWeak(x.Weak)}}, result: "0"}
	}
	out := t.follow(name, p, x, map[string]*Array{"a": x})
	out.Lin = linUnary(name, x, out)
	t.checkWeak(name, out)
	return out
}

// onlyStatic: the arguments from the n-th on are Python constants that do not change the shape.
func (t *tracing) onlyStatic(n int) bool {
	for _, a := range t.call.Args[n:] {
		switch a.Value.(type) {
		case *Int, Bool, Float, None, Str, *Tuple:
		default:
			return false
		}
		if a.Star != 0 || a.Name == "dtype" || a.Name == "out" {
			return false
		}
	}
	return true
}

// always is the result type of a function whatever its operands: bool for comparisons; empty where it depends.
func (t *tracing) always(name, form string) jax.DType {
	for _, d := range []jax.DType{jax.Float32, jax.Int32} {
		p, ok := lookupElementwise(name, form, d, false)
		if !ok || p.rejects || p.resultDType(d) != jax.Bool {
			return ""
		}
	}
	return jax.Bool
}

func (p *program) resultDType(d jax.DType) jax.DType {
	if p.result == "a" || p.result == "b" || len(p.steps) == 0 {
		return d
	}
	if s := p.steps[len(p.steps)-1]; !s.same {
		return s.dtype
	}
	return d
}

func (p *program) resultWeak(weak bool) bool {
	if p.result == "a" || p.result == "b" || len(p.steps) == 0 {
		return weak
	}
	if s := p.steps[len(p.steps)-1]; !s.same {
		return s.weak
	}
	return weak
}

// isLiteral: the operand is a Python or numpy scalar, which JAX writes into the program and binds nothing for.
func isLiteral(a *Array) bool {
	return !a.Traced && a.Shape.IsRank(0) && (a.NumPy || a.Weak || a.DType == jax.Bool && a.Fill != nil)
}

// formOf is how the table writes an operand: i and f for Python's int and float, a for arrays.
func formOf(v Value) string {
	switch v := v.(type) {
	case *Int:
		return "i"
	case Float:
		return "f"
	case *Opaque:
		if isStaticInt(v) {
			return "i"
		}
	}
	return "a"
}

// binary models an elementwise function of two arrays.
func (t *tracing) binary(name string) Value {
	pos, open := t.call.Args.positional()
	if open || len(pos) < 2 {
		pos = t.named([2]string{"x1", "x2"}, [2]string{"x", "y"})
	}
	if len(pos) < 2 {
		return t.unknown()
	}
	l, r := t.ip.resolve(pos[0].Value), t.ip.resolve(pos[1].Value)
	in, ok := t.operands(l, r)
	if !ok {
		return Unknown
	}
	if len(t.call.Args) > 2 && !t.onlyStatic(2) {
		return t.unknown(in...)
	}
	return t.apply2(name, l, r, in[0], in[1])
}

// named are two arguments that were given by name.
func (t *tracing) named(pairs ...[2]string) []*Arg {
	for _, p := range pairs {
		a, b := t.call.Bound[p[0]], t.call.Bound[p[1]]
		if a != nil && b != nil {
			return []*Arg{a, b}
		}
	}
	return nil
}

// apply2 is a function of the table for two operands, l and r as Python sees them.
func (t *tracing) apply2(name string, l, r Value, a, b *Array) Value {
	shape, fits := t.broadcastOf(a, b)
	if !fits {
		return Unknown
	}
	if t.numpy {
		return t.numpyBinary(name, shape, l, r, a, b)
	}
	form := formOf(l) + formOf(r)
	if !strings.Contains(form, "a") {
		form = "aa"
	}
	like := &Array{Shape: shape}
	switch form {
	case "aa":
		like.DType, like.Weak = t.ip.promote(a.DType, b.DType, a.Weak, b.Weak)
	case "ai", "af":
		like.DType, like.Weak = a.DType, a.Weak
	default:
		like.DType, like.Weak = b.DType, b.Weak
	}
	if like.DType == "" {
		return t.unknownBinary(name, shape, a, b)
	}
	strict := strings.HasPrefix(name, "jax.lax.")
	if strict && form == "aa" {
		like.Weak = a.Weak && b.Weak
	}
	p, ok := lookupElementwise(name, form, like.DType, like.Weak)
	if form != "aa" && !ok {
		_, ok = lookupElementwise(name, "aa", like.DType, like.Weak)
		p = &program{rejects: true}
	}
	switch {
	case strict && ranksDiffer(a, b):
		t.fault("broadcast", shapesText([]*Array{a, b}), a, b)
		return Unknown
	case strict && form == "aa" && a.DType != b.DType, ok && p.rejects:
		t.fault("op-dtype", string(a.DType)+", "+string(b.DType), a, b)
		return Unknown
	case !ok:
		return t.unknownBinary(name, shape, a, b)
	}
	if form == "aa" && !strict && !p.converts() {
		a, b = t.convert(a, like.DType, like.Weak), t.convert(b, like.DType, like.Weak)
	}
	a, b = t.toRank(a, b)
	out := t.follow(name, p, like, map[string]*Array{"a": a, "b": b})
	out.Lin = linBinary(name, out, a, b)
	t.checkWeak(name, out)
	return out
}

// checkWeak drops a type of which an older release may say otherwise.
func (t *tracing) checkWeak(name string, out *Array) {
	if v, ok := weakSince[name]; ok && out.Weak && !t.ip.rel.AtLeast(v) {
		out.DType, out.Weak = "", false
	}
}

// ranksDiffer: jax.lax takes operands of one rank, or scalars.
func ranksDiffer(a, b *Array) bool {
	n, ok1 := a.Shape.Rank()
	m, ok2 := b.Shape.Rank()
	return ok1 && ok2 && n != m && n > 0 && m > 0
}

// converts: the program begins with a conversion of each operand.
func (p *program) converts() bool {
	return len(p.steps) > 2 && p.steps[0].name == "convert_element_type" && p.steps[1].name == "convert_element_type" &&
		p.steps[0].in[0] == "a" && p.steps[1].in[0] == "b"
}

// unknownBinary is a result of which the type depends on an operand whose type is not known.
func (t *tracing) unknownBinary(name string, shape Shape, a, b *Array) Value {
	if !jax.Promotable(a.DType, b.DType, a.Weak, b.Weak) {
		t.fault("promotion", string(a.DType)+", "+string(b.DType), a, b)
		return Unknown
	}
	out := t.result(shape, t.always(name, "aa"), false, a, b)
	out.Lin = linBinary(name, out, a, b)
	return out
}

// convert changes the type of an operand, binding convert_element_type where JAX does (jax/_src/lax/lax.py _convert_element_type).
func (t *tracing) convert(a *Array, d jax.DType, weak bool) *Array {
	if a.DType == d && a.Weak == weak || d == "" {
		return a
	}
	out := *a
	out.DType, out.Weak = d, weak
	out.Lin, out.Index64 = convertLin(a, d), IndexNot64
	if isLiteral(a) || t.numpy && !a.Traced {
		return &out
	}
	out.NumPy = false
	if t.ip.kernel != nil {
		out.Traced = true
	}
	return t.bind("convert_element_type", &out, map[string]Value{"new_dtype": DTypeVal{d}, "weak_type": Bool(weak)}, a)
}

// toRank gives operands of different rank the same, scalars excepted (jax/_src/numpy/util.py promote_shapes).
func (t *tracing) toRank(a, b *Array) (*Array, *Array) {
	n, ok1 := a.Shape.Rank()
	m, ok2 := b.Shape.Rank()
	if !ok1 || !ok2 {
		return a, b
	}
	if n == 0 || m == 0 || n == m {
		return a, b
	}
	return t.rankOf(a, max(n, m)), t.rankOf(b, max(n, m))
}

// rankOf adds leading dimensions of size 1.
func (t *tracing) rankOf(a *Array, rank int) *Array {
	n := len(a.Shape.Dims)
	if n >= rank {
		return a
	}
	out := *a
	out.Shape = Shape{}
	var dims []int
	for i := 0; i < rank; i++ {
		if i < rank-n {
			out.Shape.Dims = append(out.Shape.Dims, N(1))
			continue
		}
		out.Shape.Dims = append(out.Shape.Dims, a.Shape.Dims[i-rank+n])
		dims = append(dims, i)
	}
	return t.bind("broadcast_in_dim", &out, map[string]Value{"broadcast_dimensions": intTuple(dims)}, a)
}
