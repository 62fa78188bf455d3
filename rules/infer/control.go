package infer

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

func init() {
	register(map[string]model{
		pl + "when":            plWhen,
		pl + "loop":            plLoop,
		plsc + "parallel_loop": plLoop,
		pl + "program_id":      programID,
		pl + "num_programs":    numPrograms,
		pl + "cdiv":            plCdiv,
		pl + "ds":              plDs,
		pl + "multiple_of":     plMultipleOf,
		"jax.lax.fori_loop":    laxFori,
		"jax.lax.while_loop":   laxWhile,
		"jax.lax.scan":         laxScan,
		"jax.lax.map":          laxMap,
		"jax.lax.cond":         laxCond,
		"jax.lax.switch":       laxSwitch,
		"jax.lax.axis_index":   axisIndex,
		"jax.lax.axis_size":    axisSize,

		"jax.jit":                              transform("jit", true),
		"jax.checkpoint":                       transform("checkpoint", true),
		"jax.remat":                            transform("checkpoint", true),
		"jax.named_call":                       transform("named_call", true),
		"jax.custom_vjp":                       transform("custom_vjp", true),
		"jax.custom_jvp":                       transform("custom_jvp", true),
		"jax.grad":                             transform("grad", true),
		"jax.value_and_grad":                   transform("grad", true),
		"jax.vmap":                             transform("vmap", false),
		"jax.pmap":                             transform("pmap", false),
		"jax.shard_map":                        transform("shard_map", false),
		"jax.experimental.shard_map.shard_map": transform("shard_map", false),
		"jax.make_jaxpr":                       transform("make_jaxpr", true),
		"jax.linearize":                        biQuiet,
		"jax.eval_shape":                       evalShape,
		"jax.named_scope":                      namedScope,
		"jax.block_until_ready":                fnFirst,
		"jax.device_put":                       fnFirst,
		"jax.lax.stop_gradient":                stopGradient,
		"jax.lax.optimization_barrier":         fnFirst,
		"jax.debug.print":                      debugCall,
		"jax.debug.callback":                   debugCall,
		pl + "debug_print":                     debugCall,
		pl + "delay":                           debugCall,
		pl + "debug_check":                     debugCall,
		tpu + "prng_seed":                      debugCall,
		"jax.experimental.checkify.check":      debugCall,

		"jax.tree.map":                 treeMap,
		"jax.tree_util.tree_map":       treeMap,
		"jax.tree.leaves":              treeLeaves,
		"jax.tree_util.tree_leaves":    treeLeaves,
		"jax.tree.flatten":             treeFlatten,
		"jax.tree_util.tree_flatten":   treeFlatten,
		"jax.tree.unflatten":           treeUnflatten,
		"jax.tree_util.tree_unflatten": treeUnflatten,
		"jax.tree.structure":           treeStructure,
		"jax.tree_util.tree_structure": treeStructure,

		tpu + "CompilerParams":                          compilerParams,
		tpu + "InterpretParams":                         compilerParams,
		tpu + "force_tpu_interpret_mode":                compilerParams,
		mgpu + "InterpretParams":                        compilerParams,
		pl + "Buffered":                                 compilerParams,
		pl + "CostEstimate":                             compilerParams,
		mgpu + "CompilerParams":                         compilerParams,
		"jax.experimental.pallas.triton.CompilerParams": compilerParams,
	})
}

func compilerParams(ip *interp, fr *frame, c *Call) Value { return &Params{API: c.API, Call: c} }

// decorator is a value that runs the function it decorates.
type decorator struct {
	run  func(ip *interp, fr *frame, fn Value, at *callSite) Value
	call *Call
}

// plWhen runs its body in place, under a condition (jax/_src/pallas/helpers.py when).
func plWhen(ip *interp, fr *frame, c *Call) Value {
	cond := orUnknown(c.get("condition", 0))
	return &decorator{call: c, run: func(ip *interp, fr *frame, fn Value, at *callSite) Value {
		if b, ok := cond.(Bool); ok && !bool(b) {
			if f := kernelFunc(fn); f != nil && f.Def != nil {
				ip.skipped(&frame{env: f.env}, f.Def.Body)
			}
			return None{}
		}
		kind := "when"
		if _, static := cond.(Bool); static {
			kind = "static"
		}
		ip.under(Cond{Kind: kind, Loc: c.Loc, Value: cond}, func() {
			c.runs(ip, fr, fn, nil, at)
		})
		return None{}
	}}
}

// plLoop models pl.loop and plsc.parallel_loop: the body is traced once, with a traced index.
func plLoop(ip *interp, fr *frame, c *Call) Value {
	lo, hi := c.get("lower", 0), c.get("upper", 1)
	carry := c.Arg("init_carry")
	if carry == nil {
		carry = c.Arg("carry")
	}
	return &decorator{call: c, run: func(ip *interp, fr *frame, fn Value, at *callSite) Value {
		i := ip.index32(lo, hi, c.Loc)
		if i.Index64 != IndexNot64 {
			i.Index64 = IndexLoop
		}
		i.Lin = stepped(i.Lin, lo, hi, c.Arg("step"))
		args := Args{{Value: i, Loc: at.loc}}
		if carry != nil && !isNone(carry) {
			args = append(args, Arg{Value: ip.carried(carry), Loc: at.loc})
		}
		var out Value
		ip.under(Cond{Kind: "for", Loc: c.Loc, Count: linOf(hi).Sub(linOf(lo))}, func() { out = c.runs(ip, fr, fn, args, at) })
		switch {
		case carry == nil:
			return None{}
		case c.API == plsc+"parallel_loop": // whose results have the types of what it starts from
			return ip.carried(carry)
		}
		return ip.carried(out)
	}}
}

// index32 is a traced loop index.
func (ip *interp) index32(lo, hi Value, loc parse.Loc) *Array {
	a := &Array{Shape: Scalar, DType: jax.Int32, Traced: true, Lin: loopIndex(ip.fresh("i"), lo, hi), Loc: loc}
	if arr, ok := hi.(*Array); ok && arr.DType != jax.Int32 {
		a.DType = arr.DType
	}
	switch {
	case lo == nil && hi == nil:
		a.DType = ""
	case ip.wide() != X64Off && inPython(lo) && inPython(hi):
		if a.DType, a.Weak = ip.widest(jax.Int32), true; ip.wide() == X64On {
			a.Index64 = IndexFori
		}
	}
	return a
}

// inPython: the value is a number that Python knows while the kernel is traced.
func inPython(v Value) bool {
	a, ok := v.(*Array)
	return v == nil || isPython(v) || ok && a.NumPy
}

// carried is a value as the body of a traced loop sees it: same types, other values.
func (ip *interp) carried(v Value) Value {
	return ip.mapTree(v, func(v Value) Value {
		switch v := v.(type) {
		case *Int, Float, Bool:
			if a, ok := ip.asOperand(v); ok {
				return ip.abstract(a)
			}
		case *Array:
			return ip.abstract(v)
		case *Opaque:
			return Unknown
		case *Union:
			return Unknown
		}
		return v
	})
}

func (ip *interp) abstract(a *Array) *Array {
	out := &Array{Shape: a.Shape, DType: a.DType, Weak: a.Weak, Traced: true, Loc: a.Loc}
	if a.Shape.IsRank(0) && (a.DType.IsInteger()) {
		out.Lin = atom(ip.fresh("c"))
	}
	return out
}

func (ip *interp) at(c *Call) *callSite { return &callSite{loc: c.Loc, fn: c.Loc} }

func laxFori(ip *interp, fr *frame, c *Call) Value {
	init := orUnknown(c.get("init_val", 3))
	in := ip.carried(init)
	i := ip.index32(c.get("lower", 0), c.get("upper", 1), c.Loc)
	var out Value
	count := linOf(c.get("upper", 1)).Sub(linOf(c.get("lower", 0)))
	ip.under(Cond{Kind: "for", Loc: c.Loc, Count: count}, func() {
		out = c.runs(ip, fr, orUnknown(c.get("body_fun", 2)), Args{{Value: i}, {Value: in}}, ip.at(c))
	})
	return ip.loopResult(init, out)
}

// loopResult is the carry after a loop: of the type it had before, which JAX demands.
func (ip *interp) loopResult(init, out Value) Value {
	if isOpaque(init) {
		return ip.carried(out)
	}
	return ip.carried(init)
}

func laxWhile(ip *interp, fr *frame, c *Call) Value {
	init := orUnknown(c.get("init_val", 2))
	in := ip.carried(init)
	ip.under(Cond{Kind: "while", Loc: c.Loc}, func() {
		c.runs(ip, fr, orUnknown(c.get("cond_fun", 0)), Args{{Value: in}}, ip.at(c))
		c.runs(ip, fr, orUnknown(c.get("body_fun", 1)), Args{{Value: in}}, ip.at(c))
	})
	return ip.carried(init)
}

func laxScan(ip *interp, fr *frame, c *Call) Value {
	init := orUnknown(c.get("init", 1))
	in := ip.carried(init)
	xs := c.get("xs", 2)
	x := Value(None{})
	if xs != nil {
		x = ip.mapTree(xs, rowOf)
	}
	var out Value
	ip.under(Cond{Kind: "for", Loc: c.Loc}, func() {
		out = c.runs(ip, fr, orUnknown(c.get("f", 0)), Args{{Value: in}, {Value: x}}, ip.at(c))
	})
	return &Tuple{Head: []Value{ip.carried(init), ip.collected(c, out, xs)}}
}

// collected is what a scan makes of the second result of its body: arrays with a dimension more.
func (ip *interp) collected(c *Call, out, xs Value) Value {
	t, ok := out.(*Tuple)
	if !ok || t.Rest != nil || len(t.Head) != 2 {
		return Unknown
	}
	n := asInt(orUnknown(c.get("length", 4)))
	if x, ok := xs.(*Array); ok {
		n = x.Shape.Dim(0)
	}
	return ip.stackedRows(c, t.Head[1], n)
}

// stackedRows are arrays with a dimension of n more in front.
func (ip *interp) stackedRows(c *Call, rows Value, n *Int) Value {
	return ip.mapTree(rows, func(v Value) Value {
		if _, none := v.(None); none {
			return v
		}
		a, ok := ip.asOperand(v)
		if !ok {
			return Unknown
		}
		s := Shape{}
		if a.Shape.Dims != nil {
			s.Dims = append([]*Int{n}, a.Shape.Dims...)
		}
		return &Array{Shape: s, DType: a.DType, Weak: a.Weak, Traced: ip.kernel != nil, Loc: c.Loc}
	})
}

// rowOf is one slice of an array along its first dimension.
func rowOf(v Value) Value {
	a, ok := v.(*Array)
	if !ok {
		return Unknown
	}
	out := &Array{DType: a.DType, Traced: true}
	if a.Shape.Dims != nil && len(a.Shape.Dims) > 0 {
		out.Shape = Shape{Dims: a.Shape.Dims[1:]}
	}
	return out
}

func laxMap(ip *interp, fr *frame, c *Call) Value {
	xs := orUnknown(c.get("xs", 1))
	x := ip.mapTree(xs, rowOf)
	var out Value
	ip.under(Cond{Kind: "for", Loc: c.Loc}, func() {
		out = ip.call(fr, orUnknown(c.get("f", 0)), Args{{Value: x}}, ip.at(c))
	})
	var n *Int
	if a, ok := xs.(*Array); ok {
		n = a.Shape.Dim(0)
	}
	return ip.stackedRows(c, orUnknown(out), n)
}

func laxCond(ip *interp, fr *frame, c *Call) Value {
	pred := orUnknown(c.Pos(0))
	var operands Args
	pos, _ := c.Args.positional()
	for i, a := range pos {
		if i > 2 {
			operands = append(operands, *a)
		}
	}
	if v := c.Arg("operand"); v != nil {
		operands = Args{{Value: v}}
	}
	var out Value
	for i, f := range []Value{c.get("true_fun", 1), c.get("false_fun", 2)} {
		ip.under(Cond{Kind: "cond", Loc: c.Loc, Value: pred, Arm: i}, func() {
			v := c.runs(ip, fr, orUnknown(f), operands, ip.at(c))
			out = join(out, ip.carried(v))
		})
	}
	return orUnknown(out)
}

func laxSwitch(ip *interp, fr *frame, c *Call) Value {
	t, ok := ip.iterate(orUnknown(c.Pos(1))).(*Tuple)
	if !ok {
		return ip.callUnknown(nil, c.Args)
	}
	var operands Args
	pos, _ := c.Args.positional()
	for i, a := range pos {
		if i > 1 {
			operands = append(operands, *a)
		}
	}
	branches := elems(t)
	if t.Rest != nil {
		branches = append(branches[:len(branches):len(branches)], t.Rest)
	}
	var out Value
	for i, f := range branches {
		ip.under(Cond{Kind: "cond", Loc: c.Loc, Arm: i}, func() {
			out = join(out, ip.carried(c.runs(ip, fr, f, operands, ip.at(c))))
		})
	}
	return orUnknown(out)
}

func (ip *interp) gridScalar(key string, loc parse.Loc) Value {
	return &Array{Shape: Scalar, DType: jax.Int32, Traced: true, Lin: atom(key), Loc: loc}
}

func programID(ip *interp, fr *frame, c *Call) Value {
	k := valueKey(orUnknown(c.get("axis", 0)))
	if k == "" {
		k = ip.fresh("axis")
	}
	return ip.gridScalar("program_id("+k+")", c.Loc)
}

// numPrograms is the size of a grid axis: a Python int where the grid is static, else traced.
func numPrograms(ip *interp, fr *frame, c *Call) Value {
	axis, ok := asInt(orUnknown(c.get("axis", 0))).Known()
	for k := ip.kernel; k != nil && ok; k = k.Outer {
		s := k.Site
		if !s.GridKnown || s.API != "pallas_call" && s.API != "emit_pipeline" {
			continue
		}
		if axis >= 0 && int(axis) < len(s.Grid) {
			if n := s.Grid[axis]; n != nil {
				if _, known := n.Known(); known {
					return n
				}
				return fromInt(n)
			}
		}
		break
	}
	return Unknown
}

func axisIndex(ip *interp, fr *frame, c *Call) Value {
	return ip.gridScalar("axis_index("+orFresh(ip, valueKey(orUnknown(c.get("axis_name", 0))))+")", c.Loc)
}

func orFresh(ip *interp, k string) string {
	if k == "" {
		return ip.fresh("axis")
	}
	return k
}

func axisSize(ip *interp, fr *frame, c *Call) Value {
	if n := ip.meshAxis(ip.resolve(orUnknown(c.get("axis_name", 0)))); n != nil {
		return fromInt(n)
	}
	if k := valueKey(orUnknown(c.get("axis_name", 0))); k != "" {
		return opaque("axis_size(" + k + ")")
	}
	return Unknown
}

func plCdiv(ip *interp, fr *frame, c *Call) Value {
	a, b := orUnknown(c.get("a", 0)), orUnknown(c.get("b", 1))
	if isArrayLike(a) || isArrayLike(b) {
		return ip.arrayCdiv(fr, a, b, c)
	}
	return each(a, func(a Value) Value {
		return each(b, func(b Value) Value { return ceilDiv(a, b) })
	})
}

func ceilDiv(a, b Value) Value {
	n, m := asInt(a), asInt(b)
	if n == nil || m == nil || m.Is(0) {
		return Unknown
	}
	if d, ok := m.Known(); ok && d > 0 {
		if n.divisible(d) {
			return fromInt(n.FloorDiv(m))
		}
	}
	if x, ok := n.Known(); ok {
		if d, ok := m.Known(); ok && d != 0 {
			return N(-floorDiv(-x, d))
		}
	}
	return fromInt(opAtom("cdiv", n, m))
}

func plDs(ip *interp, fr *frame, c *Call) Value {
	start, size := orUnknown(c.get("start", 0)), c.get("size", 1)
	if size == nil || isNone(size) { // pl.ds(n) is the first n
		if c.Open {
			return Unknown
		}
		start, size = N(0), start
	}
	d := &Dynamic{Start: start, Size: size, Loc: c.Loc}
	if s := c.get("stride", 2); s != nil && !isNone(s) {
		d.Stride = s
	}
	return d
}

// plMultipleOf is pl.multiple_of(x, n): x, of which is known from here on that n divides it.
func plMultipleOf(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	x, isArray := v.(*Array)
	n := asInt(orUnknown(c.get("values", 1)))
	k, known := n.Known()
	if !isArray || x.Lin == nil || !known || k < 2 || x.Lin.divisible(k) {
		return v
	}
	out := *x
	out.Lin = x.Lin.FloorDiv(n).Mul(n)
	return &out
}

func transform(kind string, sameArgs bool) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		fn := c.Pos(0)
		for _, n := range []string{"fun", "f"} {
			if v := c.Arg(n); v != nil && fn == nil {
				fn = v
			}
		}
		if fn == nil { // jax.jit(static_argnames=...) as a decorator
			if c.Open {
				return Unknown
			}
			return &decorator{call: c, run: func(ip *interp, fr *frame, fn Value, at *callSite) Value {
				return &Wrapped{Kind: kind, Fn: fn, Same: sameArgs, Call: c}
			}}
		}
		return &Wrapped{Kind: kind, Fn: fn, Same: sameArgs, Call: c}
	}
}

func (ip *interp) callWrapped(fr *frame, w *Wrapped, args Args, at *callSite) Value {
	n := len(ip.transforms)
	ip.transforms = append(ip.transforms[:n:n], &Transform{w, at.loc, args})
	if ip.kernel != nil {
		ip.kernel.Wraps = append(ip.kernel.Wraps, ip.transforms[n])
	}
	v := ip.transformed(fr, w, args, at)
	ip.transforms = ip.transforms[:n]
	return v
}

func (ip *interp) transformed(fr *frame, w *Wrapped, args Args, at *callSite) Value {
	switch w.Kind {
	case "grad":
		ip.call(fr, w.Fn, args, at)
		return Unknown
	case "make_jaxpr":
		ip.call(fr, w.Fn, args, at)
		return Unknown
	case "property", "staticmethod", "classmethod", "field":
		return ip.call(fr, w.Fn, args, at)
	case "contextmanager":
		return &contextOf{ip.call(fr, w.Fn, args, at)}
	}
	if w.Same {
		v := ip.call(fr, w.Fn, args, at)
		if w.backward != nil && ip.differentiated() {
			ip.runBackward(fr, w, args, at)
		}
		return v
	}
	if w.Kind == "shard_map" {
		return ip.shardMapped(fr, w, args, at)
	}
	other := make(Args, len(args)) // per-example: other shapes than those given
	for i, a := range args {
		other[i] = Arg{Name: a.Name, Star: a.Star, Loc: a.Loc, Value: ip.mapTree(a.Value, func(v Value) Value {
			switch v := v.(type) {
			case *Array:
				return &Array{DType: v.DType, Weak: v.Weak, Traced: ip.kernel != nil, Outside: ip.kernel == nil}
			case None, *Int, Str, Bool, Float:
				return v
			}
			return Unknown
		})}
	}
	ip.call(fr, w.Fn, other, at)
	return Unknown
}

// contextOf is a context manager made of a generator function: entering gives what it yields.
type contextOf struct{ yields Value }

// enter is what `with v as target` binds.
func (ip *interp) enter(fr *frame, x parse.Expr, v Value) Value {
	switch v := v.(type) {
	case *contextOf:
		return ip.element(v.yields)
	case *Instance:
		if m, ok := v.Class.lookup("__enter__").(*Func); ok {
			return ip.callFunc(m, Args{{Value: v}}, &callSite{loc: fr.loc(x), fn: fr.loc(x)})
		}
	case *Params, *x64Context:
		return v
	case *decorator:
		return Unknown
	}
	return Unknown
}

// wrappedMethod: jax.jit(f).lower(x), .trace(x), .eval_shape(x) trace the function; f.defvjp(...) keeps others.
func (ip *interp) wrappedMethod(fr *frame, w *Wrapped, name string, args Args, at *callSite) Value {
	switch name {
	case "lower", "trace", "eval_shape":
		v := ip.call(fr, w, args, at)
		if name == "eval_shape" {
			return v
		}
		return Unknown
	case "defvjp":
		if w.Kind == "custom_vjp" && len(args) >= 2 && !args.open() {
			w.forward, w.backward = args[0].Value, args[1].Value
			if f, b := args.named("fwd"), args.named("bwd"); f != nil && b != nil {
				w.forward, w.backward = f.Value, b.Value
			}
		}
	}
	for _, a := range args {
		ip.escape(a.Value, 0)
	}
	return Unknown
}

// differentiated: what runs is inside jax.grad or its like.
func (ip *interp) differentiated() bool {
	return slices.ContainsFunc(ip.transforms, func(t *Transform) bool { return t.Kind == "grad" })
}

// runBackward runs what a custom_vjp does in reverse: its forward function, then the backward one with the residuals of that and a cotangent of
// the form of the result (jax/_src/custom_derivatives.py custom_vjp).
func (ip *interp) runBackward(fr *frame, w *Wrapped, args Args, at *callSite) {
	if args.open() || slices.ContainsFunc(args, func(a Arg) bool { return a.Name != "" }) || w.Call.Open || w.Call.Arg("nondiff_argnames") != nil {
		return
	}
	static, known := Elements(orUnknown(w.Call.getOr("nondiff_argnums", 1, &Tuple{})))
	var in Args
	for _, v := range static {
		n, ok := asInt(v).Known()
		known = known && ok && n >= 0 && n < int64(len(args))
		if known {
			in = append(in, args[n])
		}
	}
	out, ok := ip.call(fr, w.forward, args, at).(*Tuple)
	if !known || !ok || out.Rest != nil || len(elems(out)) != 2 {
		return
	}
	cotangent := ip.mapTree(elems(out)[0], func(v Value) Value {
		if a, ok := v.(*Array); ok && a.DType.IsFloat() {
			return ip.abstract(a)
		}
		return Unknown
	})
	ip.call(fr, w.backward, append(in, Arg{Value: elems(out)[1]}, Arg{Value: cotangent}), at)
}

func evalShape(ip *interp, fr *frame, c *Call) Value {
	if len(c.Args) == 0 {
		return Unknown
	}
	v := ip.call(fr, c.Args[0].Value, asArrays(ip, c.Args[1:]), ip.at(c))
	return ip.mapTree(v, func(v Value) Value {
		if a, ok := v.(*Array); ok {
			return &ShapeStruct{Shape: a.Shape, DType: a.DType, Loc: c.Loc}
		}
		return v
	})
}

// asArrays makes arrays of type structs, as tracing does.
func asArrays(ip *interp, args Args) Args {
	out := append(Args(nil), args...)
	for i := range out {
		out[i].Value = ip.mapTree(out[i].Value, func(v Value) Value {
			if s, ok := v.(*ShapeStruct); ok {
				return &Array{Shape: s.Shape, DType: ip.canonical(s.DType), Outside: ip.kernel == nil, Loc: s.Loc}
			}
			return v
		})
	}
	return out
}

// namedScope serves as context manager and as decorator.
func namedScope(ip *interp, fr *frame, c *Call) Value {
	return &decorator{call: c, run: func(ip *interp, fr *frame, fn Value, at *callSite) Value { return fn }}
}

func debugCall(ip *interp, fr *frame, c *Call) Value { return None{} }

// treeMap is jax.tree.map(f, tree, *rest).
func treeMap(ip *interp, fr *frame, c *Call) Value {
	if len(c.Args) < 2 || c.Open {
		return ip.callUnknown(nil, c.Args)
	}
	f, tree := c.Args[0].Value, c.Args[1].Value
	var rest []Value
	for _, a := range c.Args[2:] {
		if a.Name == "" {
			rest = append(rest, a.Value)
		}
	}
	if o, ok := tree.(*Opaque); ok { // of unknown form: every leaf becomes what f gives
		args := Args{{Value: o.child("*"), Loc: c.Loc}}
		for range rest {
			args = append(args, Arg{Value: Unknown, Loc: c.Loc})
		}
		return &Homogeneous{ip.call(fr, f, args, ip.at(c))}
	}
	if h, ok := tree.(*Homogeneous); ok && len(rest) == 0 {
		return &Homogeneous{ip.call(fr, f, Args{{Value: h.Leaf, Loc: c.Loc}}, ip.at(c))}
	}
	if len(rest) == 0 {
		return ip.mapTree(tree, func(v Value) Value {
			if isOpaque(v) {
				ip.escape(f, 0)
			}
			return ip.call(fr, f, Args{{Value: v, Loc: c.Loc}}, ip.at(c))
		})
	}
	leaves := ip.leaves(tree)
	if leaves == nil {
		ip.escape(f, 0)
		return Unknown
	}
	others := make([][]Value, len(rest))
	for i, r := range rest {
		others[i] = ip.leaves(r)
		if len(others[i]) != len(leaves) {
			ip.escape(f, 0)
			return Unknown
		}
	}
	n := 0
	return ip.mapTree(tree, func(v Value) Value {
		args := Args{{Value: v, Loc: c.Loc}}
		for _, o := range others {
			args = append(args, Arg{Value: o[n], Loc: c.Loc})
		}
		n++
		return ip.call(fr, f, args, ip.at(c))
	})
}

// leaves are the leaves of a pytree whose form is known, nil otherwise.
func (ip *interp) leaves(v Value) []Value {
	out := []Value{}
	ok := true
	ip.mapTree(v, func(v Value) Value {
		switch v := v.(type) {
		case *Opaque, *Union, *Iter:
			ok = false
		case *Instance:
			ok = ok && !v.Open && !v.Class.external()
		}
		out = append(out, v)
		return v
	})
	if hasRest(v) || !ok {
		return nil
	}
	return out
}

func hasRest(v Value) bool {
	switch v := v.(type) {
	case *Tuple:
		if v.Rest != nil {
			return true
		}
		for _, e := range elems(v) {
			if hasRest(e) {
				return true
			}
		}
	case *List:
		return hasRest(v.cell.v)
	case *Dict:
		_, vals, open := v.Items()
		for _, e := range vals {
			if hasRest(e) {
				return true
			}
		}
		return open
	case *Union:
		return true
	}
	return false
}

func treeLeaves(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	if l := ip.leaves(v); l != nil && c.Arg("is_leaf") == nil {
		return ip.newList(l)
	}
	if t, ok := ip.iterate(v).(*Tuple); ok && t.Rest != nil && !hasRest(t.Rest) {
		if _, nested := t.Rest.(*Tuple); !nested {
			return &List{cell: &Cell{v: t}}
		}
	}
	return &List{cell: &Cell{v: &Tuple{Rest: Unknown}}}
}

// treeDef is the structure of a pytree: a tree with its leaves in place.
type treeDef struct{ tree Value }

type treeMethod struct {
	def  *treeDef
	name string
}

func treeFlatten(ip *interp, fr *frame, c *Call) Value {
	return &Tuple{Head: []Value{treeLeaves(ip, fr, c), &treeDef{orUnknown(c.Pos(0))}}}
}

func treeStructure(ip *interp, fr *frame, c *Call) Value { return &treeDef{orUnknown(c.Pos(0))} }

func treeUnflatten(ip *interp, fr *frame, c *Call) Value {
	d, ok := c.Pos(0).(*treeDef)
	if !ok {
		return Unknown
	}
	return ip.unflatten(d, orUnknown(c.Pos(1)))
}

func (ip *interp) unflatten(d *treeDef, v Value) Value {
	t, ok := ip.iterate(v).(*Tuple)
	slots := ip.leaves(d.tree)
	if !ok || slots == nil {
		return Unknown
	}
	n := len(t.Head) + len(t.Tail)
	if t.Rest == nil && n != len(slots) {
		return Unknown
	}
	i := 0
	return ip.mapTree(d.tree, func(Value) Value {
		i++
		if t.Rest == nil {
			return elems(t)[i-1]
		}
		return ip.element(t)
	})
}

// stopGradient gives the same values as arrays of their own, which no derivative depends on.
func stopGradient(ip *interp, fr *frame, c *Call) Value {
	return ip.mapTree(orUnknown(c.Pos(0)), func(v Value) Value {
		if a, ok := v.(*Array); ok {
			b := *a
			return &b
		}
		return v
	})
}
