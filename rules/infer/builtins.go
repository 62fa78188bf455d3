package infer

import (
	"math"
	"strings"

	"pallas-lsp/parse"
)

var builtinNames = map[string]bool{}

// builtin is a name of Python's builtins module, nil when there is none.
func builtin(name string) Value {
	if builtinNames[name] {
		return &API{Name: "builtins." + name}
	}
	return nil
}

func init() {
	names := "int float complex format bool str bytes tuple list dict set frozenset type object slice super len range zip enumerate map filter min max sum abs round sorted reversed any all isinstance issubclass getattr setattr hasattr iter next print repr callable divmod pow id hash property staticmethod classmethod vars dir open Exception ValueError TypeError NotImplementedError RuntimeError AssertionError KeyError IndexError AttributeError ImportError StopIteration"
	for _, n := range strings.Fields(names) {
		builtinNames[n] = true
	}
	register(map[string]model{
		"builtins.len":                             biLen,
		"builtins.range":                           biRange,
		"builtins.zip":                             biZip,
		"builtins.enumerate":                       biEnumerate,
		"builtins.tuple":                           biTuple,
		"builtins.list":                            biList,
		"builtins.dict":                            biDict,
		"builtins.map":                             biMap,
		"builtins.filter":                          biFilter,
		"builtins.min":                             biMin,
		"builtins.max":                             biMax,
		"builtins.sum":                             biSum,
		"builtins.abs":                             biAbs,
		"builtins.int":                             biInt,
		"builtins.float":                           biFloat,
		"builtins.complex":                         biComplex,
		"builtins.format":                          biFormat,
		"builtins.bool":                            biBool,
		"builtins.str":                             biQuiet,
		"builtins.repr":                            biQuiet,
		"builtins.print":                           biQuiet,
		"builtins.hash":                            biQuiet,
		"builtins.id":                              biQuiet,
		"builtins.round":                           biQuiet,
		"builtins.reversed":                        biReversed,
		"builtins.sorted":                          biSorted,
		"builtins.any":                             biAny,
		"builtins.all":                             biAll,
		"builtins.isinstance":                      biIsInstance,
		"builtins.issubclass":                      biQuiet,
		"builtins.getattr":                         biGetattr,
		"builtins.hasattr":                         biHasattr,
		"builtins.setattr":                         biSetattr,
		"builtins.object.__setattr__":              biSetattr,
		"builtins.iter":                            biIter,
		"builtins.next":                            biNext,
		"builtins.slice":                           biSlice,
		"builtins.divmod":                          biDivmod,
		"builtins.pow":                             biPow,
		"builtins.callable":                        biCallable,
		"builtins.type":                            biType,
		"builtins.property":                        wrap("property"),
		"builtins.staticmethod":                    wrap("staticmethod"),
		"builtins.classmethod":                     wrap("classmethod"),
		"functools.partial":                        fnPartial,
		"functools.partialmethod":                  fnPartial,
		"functools.wraps":                          fnIdentityDecorator,
		"functools.lru_cache":                      fnMaybeDecorator,
		"functools.cache":                          fnFirst,
		"functools.cached_property":                wrap("property"),
		"functools.reduce":                         fnReduce,
		"math.prod":                                mathProd,
		"math.ceil":                                mathCeil,
		"math.floor":                               mathFloor,
		"math.gcd":                                 mathGcd,
		"math.lcm":                                 mathLcm,
		"math.log2":                                mathFloat(math.Log2),
		"math.sqrt":                                mathFloat(math.Sqrt),
		"math.exp":                                 mathFloat(math.Exp),
		"math.log":                                 mathFloat(math.Log),
		"dataclasses.dataclass":                    fnDataclass,
		"dataclasses.field":                        fnField,
		"dataclasses.replace":                      fnReplace,
		"copy.copy":                                fnCopy,
		"copy.replace":                             fnReplace,
		"copy.deepcopy":                            fnCopy,
		"collections.namedtuple":                   fnNamedtuple,
		"typing.cast":                              fnSecond,
		"typing.overload":                          fnFirst,
		"typing.final":                             fnFirst,
		"typing.override":                          fnFirst,
		"itertools.chain":                          itChain,
		"itertools.repeat":                         itRepeat,
		"itertools.product":                        itProduct,
		"itertools.accumulate":                     biQuiet,
		"contextlib.nullcontext":                   biQuiet,
		"collections.OrderedDict":                  biDict,
		"collections.defaultdict":                  biQuiet,
		"operator.mul":                             opFn("*"),
		"operator.add":                             opFn("+"),
		"operator.sub":                             opFn("-"),
		"operator.floordiv":                        opFn("//"),
		"dataclasses.asdict":                       biQuiet,
		"dataclasses.astuple":                      fnAstuple,
		"dataclasses.fields":                       biQuiet,
		"jax.util.safe_zip":                        biZip,
		"jax.util.safe_map":                        biMap,
		"jax.util.split_list":                      biQuiet,
		"functools.singledispatch":                 fnFirst,
		"contextlib.contextmanager":                wrap("contextmanager"),
		"abc.abstractmethod":                       fnFirst,
		"typing.runtime_checkable":                 fnFirst,
		"jax.tree_util.register_dataclass":         fnFirst,
		"jax.tree_util.register_pytree_node_class": fnFirst,
	})
}

func biQuiet(ip *interp, fr *frame, c *Call) Value { return Unknown }

func fnFirst(ip *interp, fr *frame, c *Call) Value {
	if v := c.Pos(0); v != nil {
		return v
	}
	return &API{Name: c.API} // used as a decorator with options
}

func fnSecond(ip *interp, fr *frame, c *Call) Value { return orUnknown(c.Pos(1)) }

func orUnknown(v Value) Value {
	if v == nil {
		return Unknown
	}
	return v
}

func wrap(kind string) model {
	return func(ip *interp, fr *frame, c *Call) Value {
		if v := c.Pos(0); v != nil {
			return &Wrapped{Kind: kind, Fn: v, Same: true, Call: c}
		}
		return Unknown
	}
}

func fnIdentityDecorator(ip *interp, fr *frame, c *Call) Value { return &API{Name: "typing.overload"} }

// fnMaybeDecorator is a decorator that is used with and without options.
func fnMaybeDecorator(ip *interp, fr *frame, c *Call) Value {
	switch v := c.Pos(0).(type) {
	case *Func, *Wrapped, *Partial, *Bound:
		return v
	}
	return &API{Name: "typing.overload"}
}

// iterate is the sequence of values that iterating over v gives: a *Tuple where its form is known, else Unknown.
func (ip *interp) iterate(v Value) Value {
	switch v := ip.resolve(v).(type) {
	case *Tuple:
		return v
	case *List:
		return ip.iterate(v.cell.v)
	case *Dict:
		keys, _, open := v.Items()
		t := &Tuple{Head: append([]Value(nil), keys...)}
		if open {
			t.Rest = Unknown
		}
		return t
	case *Iter:
		return ip.remaining(v)
	case *Homogeneous:
		return &Tuple{Rest: v}
	case *Union:
		var out Value
		for _, a := range v.Alts {
			it := ip.iterate(a)
			if out == nil {
				out = it
				continue
			}
			out = widen(out, it)
		}
		return out
	case *Opaque:
		if n, ok := ip.ranks[v.Key]; ok && v.Key != "" {
			t := &Tuple{}
			for i := 0; i < n; i++ {
				t.Head = append(t.Head, opaque(v.Key+"["+itoa(i)+"]"))
			}
			return t
		}
	case *Array:
		if n, ok := v.Shape.Dim(0).Known(); ok && n <= maxUnroll {
			row := &Array{Shape: Shape{Dims: v.Shape.Dims[1:]}, DType: v.DType, Traced: v.Traced, NumPy: v.NumPy, Outside: v.Outside}
			t := &Tuple{}
			for ; n > 0; n-- {
				t.Head = append(t.Head, row)
			}
			return t
		}
	case Str:
		if len(v) <= maxUnroll {
			t := &Tuple{}
			for _, r := range string(v) {
				t.Head = append(t.Head, Str(string(r)))
			}
			return t
		}
	}
	return Unknown
}

func (ip *interp) remaining(it *Iter) Value {
	t, ok := it.seq.(*Tuple)
	n, known := asInt(it.pos.v).Known()
	if !ok || !known {
		return Unknown
	}
	ip.set(it.pos, N(n+int64(len(t.Head)+len(t.Tail))))
	if t.Rest != nil {
		if n == 0 {
			return t
		}
		return &Tuple{Rest: ip.element(t)}
	}
	all := elems(t)
	if n >= int64(len(all)) {
		return &Tuple{}
	}
	return &Tuple{Head: all[n:]}
}

// element is what is known of any one element of a sequence.
func (ip *interp) element(seq Value) Value {
	t, ok := seq.(*Tuple)
	if !ok {
		return Unknown
	}
	var out Value
	for _, v := range elems(t) {
		out = join(out, v)
	}
	if t.Rest != nil {
		out = join(out, t.Rest)
	}
	return orUnknown(out)
}

func biLen(ip *interp, fr *frame, c *Call) Value {
	return each(orUnknown(c.Pos(0)), func(v Value) Value {
		switch v := ip.resolve(v).(type) {
		case Str:
			return N(int64(len(v)))
		case *Dict:
			keys, _, open := v.Items()
			if !open {
				return N(int64(len(keys)))
			}
		case *List, *Tuple:
			if u, ok := contentUnion(v); ok {
				return each(u, func(a Value) Value { return lenOf(a) })
			}
			return lenOf(ip.iterate(v))
		case *Opaque:
			if n, ok := ip.ranks[v.Key]; ok && v.Key != "" {
				return N(int64(n))
			}
			if v.Key != "" {
				return opaque("len(" + v.Key + ")")
			}
		case *Array:
			return dimValue(v.Shape.Dim(0))
		case *Ref:
			return dimValue(v.View.Dim(0))
		}
		return Unknown
	})
}

func contentUnion(v Value) (*Union, bool) {
	if l, ok := v.(*List); ok {
		u, ok := l.cell.v.(*Union)
		return u, ok
	}
	return nil, false
}

func lenOf(v Value) Value {
	if t, ok := v.(*Tuple); ok {
		if n, known := t.Len(); known {
			return N(int64(n))
		}
	}
	return Unknown
}

func biRange(ip *interp, fr *frame, c *Call) Value {
	lo, hi, step := Value(N(0)), c.Pos(0), Value(N(1))
	if v := c.Pos(1); v != nil {
		lo, hi = c.Pos(0), v
	}
	if v := c.Pos(2); v != nil {
		step = v
	}
	for _, v := range []Value{lo, hi, step} {
		if ip.tracedInt("range", v, c.Loc) {
			break
		}
	}
	a, ok1 := asInt(lo).Known()
	b, ok2 := asInt(hi).Known()
	s, ok3 := asInt(step).Known()
	if ok1 && ok2 && ok3 && s != 0 {
		n := (b - a + s - sign(s)) / s
		if n <= 0 {
			return &Tuple{}
		}
		if n <= maxUnroll*4 {
			t := &Tuple{}
			for i := int64(0); i < n; i++ {
				t.Head = append(t.Head, N(a+i*s))
			}
			return t
		}
	}
	return &Tuple{Rest: atom(ip.fresh("i"))}
}

func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}

func biZip(ip *interp, fr *frame, c *Call) Value {
	var seqs []*Tuple
	for _, a := range c.Args {
		if a.Name != "" {
			continue
		}
		if a.Star != 0 {
			return Unknown
		}
		t, ok := ip.iterate(ip.notRef(a.Value, c.Loc)).(*Tuple)
		if !ok {
			t = &Tuple{Rest: Unknown}
		}
		seqs = append(seqs, t)
	}
	if len(seqs) == 0 {
		return &Tuple{}
	}
	out := &Tuple{}
	for i := 0; ; i++ {
		row := &Tuple{}
		allRest := true
		for _, s := range seqs {
			switch {
			case i < len(s.Head):
				row.Head = append(row.Head, s.Head[i])
				allRest = false
			case s.Rest == nil && i < len(s.Head)+len(s.Tail):
				row.Head = append(row.Head, s.Tail[i-len(s.Head)])
				allRest = false
			case s.Rest == nil:
				return out
			default:
				row.Head = append(row.Head, ip.element(&Tuple{Rest: s.Rest, Tail: s.Tail}))
			}
		}
		if allRest {
			out.Rest = row
			return out
		}
		if i > maxElems {
			return Unknown
		}
		out.Head = append(out.Head, row)
	}
}

func biEnumerate(ip *interp, fr *frame, c *Call) Value {
	start := asInt(c.getOr("start", 1, N(0)))
	t, ok := ip.iterate(ip.notRef(orUnknown(c.Pos(0)), c.Loc)).(*Tuple)
	if !ok {
		t = &Tuple{Rest: Unknown}
	}
	out := &Tuple{}
	for i, v := range t.Head {
		out.Head = append(out.Head, &Tuple{Head: []Value{fromInt(start.Add(N(int64(i)))), v}})
	}
	if t.Rest != nil {
		out.Rest = &Tuple{Head: []Value{Unknown, ip.element(&Tuple{Rest: t.Rest, Tail: t.Tail})}}
		return out
	}
	for i, v := range t.Tail {
		out.Head = append(out.Head, &Tuple{Head: []Value{fromInt(start.Add(N(int64(i + len(t.Head))))), v}})
	}
	return out
}

func biTuple(ip *interp, fr *frame, c *Call) Value {
	v := c.Pos(0)
	if v == nil {
		return &Tuple{}
	}
	ip.notRef(v, c.Loc)
	return each(v, func(v Value) Value {
		if u, ok := contentUnion(v); ok {
			return u
		}
		if t, ok := ip.iterate(v).(*Tuple); ok {
			return &Tuple{Head: t.Head, Rest: t.Rest, Tail: t.Tail, Node: t.Node, Loc: t.Loc}
		}
		if o, ok := v.(*Opaque); ok {
			return o
		}
		return Unknown
	})
}

func biList(ip *interp, fr *frame, c *Call) Value {
	v := c.Pos(0)
	if v == nil {
		return ip.newList(nil)
	}
	ip.notRef(v, c.Loc)
	if u, ok := contentUnion(v); ok {
		return &List{cell: &Cell{v: u}}
	}
	if t, ok := ip.iterate(v).(*Tuple); ok {
		return &List{cell: &Cell{v: &Tuple{Head: t.Head, Rest: t.Rest, Tail: t.Tail}}}
	}
	return &List{cell: &Cell{v: &Tuple{Rest: Unknown}}}
}

func biDict(ip *interp, fr *frame, c *Call) Value {
	d := &dictContent{}
	for _, a := range c.Args {
		switch {
		case a.Star != 0:
			d.open = true
		case a.Name != "":
			d.put(Str(a.Name), a.Value)
		default:
			if t, ok := ip.iterate(a.Value).(*Tuple); ok && t.Rest == nil {
				if _, isDict := a.Value.(*Dict); !isDict {
					for _, p := range elems(t) {
						if kv, ok := p.(*Tuple); ok && len(kv.Head) == 2 {
							d.put(kv.Head[0], kv.Head[1])
						} else {
							d.open = true
						}
					}
					continue
				}
			}
			ip.update(d, a.Value)
		}
	}
	out := &Dict{cell: &Cell{v: d}, Loc: c.Loc}
	if c.Node != nil && !d.open {
		out.Node = c.Node
	}
	return out
}

func biMap(ip *interp, fr *frame, c *Call) Value {
	if len(c.Args) < 2 {
		return Unknown
	}
	rows, ok := biZip(ip, fr, &Call{Args: c.Args[1:], Loc: c.Loc}).(*Tuple)
	if !ok {
		return Unknown
	}
	apply := func(row Value) Value {
		var args Args
		for _, v := range row.(*Tuple).Head {
			args = append(args, Arg{Value: v, Loc: c.Loc})
		}
		return ip.call(fr, c.Args[0].Value, args, &callSite{loc: c.Loc, fn: c.Loc})
	}
	out := &Tuple{}
	for _, r := range rows.Head {
		out.Head = append(out.Head, apply(r))
	}
	if rows.Rest != nil {
		out.Rest = apply(rows.Rest)
	}
	return out
}

func biFilter(ip *interp, fr *frame, c *Call) Value {
	t, ok := ip.iterate(orUnknown(c.Pos(1))).(*Tuple)
	if !ok {
		return Unknown
	}
	b := seqBuilder{}
	if t.Rest != nil {
		return &Tuple{Rest: ip.element(t)}
	}
	for _, v := range elems(t) {
		keep := v
		if _, none := c.Pos(0).(None); !none {
			keep = ip.call(fr, orUnknown(c.Pos(0)), Args{{Value: v, Loc: c.Loc}}, &callSite{loc: c.Loc, fn: c.Loc})
		}
		is, known := ip.truth(keep)
		switch {
		case !known:
			b.spread(&Tuple{Rest: v})
		case is:
			b.add(v)
		}
	}
	return b.tuple()
}

// candidates are the values that min and max choose from.
func candidates(ip *interp, c *Call) ([]Value, bool) {
	if c.Open || c.Arg("key") != nil {
		return nil, false
	}
	pos, _ := c.Args.positional()
	if len(pos) == 1 {
		t, ok := ip.iterate(pos[0].Value).(*Tuple)
		if !ok || t.Rest != nil {
			return nil, false
		}
		return elems(t), len(elems(t)) > 0
	}
	var out []Value
	for _, a := range pos {
		out = append(out, a.Value)
	}
	return out, len(out) > 0
}

func biMin(ip *interp, fr *frame, c *Call) Value { return extreme(ip, c, -1, "min") }
func biMax(ip *interp, fr *frame, c *Call) Value { return extreme(ip, c, 1, "max") }

func extreme(ip *interp, c *Call, dir float64, name string) Value {
	vs, ok := candidates(ip, c)
	if !ok {
		return Unknown
	}
	ip.tracedOrder(c.Loc, vs...)
	ip.refOperand(c.Loc, vs...)
	var best Value
	var bestN float64
	keys := make([]string, 0, len(vs))
	known := true
	for _, v := range vs {
		v = ip.resolve(v)
		n, ok := number(v)
		known = known && ok
		keys = append(keys, valueKey(v))
		if ok && (best == nil || (n-bestN)*dir > 0) {
			best, bestN = v, n
		}
	}
	if known {
		return best
	}
	all := true
	for _, v := range vs[1:] {
		all = all && same(vs[0], v)
	}
	if all {
		return vs[0]
	}
	for _, k := range keys {
		if k == "" {
			return Unknown
		}
	}
	return opaque(name + "(" + strings.Join(keys, ",") + ")")
}

func biSum(ip *interp, fr *frame, c *Call) Value {
	t, ok := ip.iterate(orUnknown(c.Pos(0))).(*Tuple)
	if !ok || t.Rest != nil {
		return Unknown
	}
	var acc Value = N(0)
	if v := c.get("start", 1); v != nil {
		acc = v
	}
	for _, v := range elems(t) {
		acc = ip.binary(fr, "+", acc, v, c.Loc)
	}
	return acc
}

func biAbs(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	if n, ok := asInt(v).Known(); ok && !isArrayLike(v) {
		return N(max(n, -n))
	}
	if isArrayLike(v) {
		return ip.arrayUnary(fr, "abs", v, c.Loc)
	}
	return Unknown
}

func biInt(ip *interp, fr *frame, c *Call) Value {
	switch v := c.Pos(0).(type) {
	case *Int:
		return v
	case Bool:
		return boolInt(v)
	case Float:
		if math.Abs(float64(v)) < float64(maxMagnitude) {
			return N(int64(v))
		}
	case *Opaque:
		return v
	case *Ref:
		ip.refOperand(c.Loc, v, v)
	case *Array:
		if v.Traced && ip.kernel != nil {
			ip.fault("traced-int", c.Loc, "int", v)
		}
		if v.Lin != nil {
			return fromInt(v.Lin)
		}
	}
	return Unknown
}

func biFloat(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	if a, ok := v.(*Array); ok && a.Traced && ip.kernel != nil {
		ip.fault("traced-int", c.Loc, "float", v)
	}
	ip.refOperand(c.Loc, v, v)
	if s, ok := v.(Str); ok {
		switch strings.ToLower(string(s)) {
		case "inf", "infinity":
			return Float(math.Inf(1))
		case "-inf", "-infinity":
			return Float(math.Inf(-1))
		case "nan":
			return Float(math.NaN())
		}
	}
	if n, ok := number(v); ok {
		return Float(n)
	}
	return Unknown
}

func biComplex(ip *interp, fr *frame, c *Call) Value {
	for _, a := range c.Args {
		if !isPython(a.Value) {
			return Unknown
		}
	}
	return Complex{}
}

// biFormat models format(value, spec).
func biFormat(ip *interp, fr *frame, c *Call) Value {
	if spec, ok := c.Pos(1).(Str); ok && spec != "" {
		ip.formatted(c.Loc, orUnknown(c.Pos(0)))
	}
	return Unknown
}

// percent notes a traced value for which the format of a % has a number: Python asks the tracer for it.
func (ip *interp) percent(format string, v Value, loc parse.Loc) {
	args, known := []Value{v}, true
	if t, ok := v.(*Tuple); ok {
		args, known = t.Head, t.Rest == nil
	}
	kinds, ok := conversions(format)
	if !ok || !known || len(kinds) != len(args) || ip.guarded > 0 {
		return
	}
	for i, kind := range kinds {
		if a, traced := args[i].(*Array); traced && a.Traced && ip.kernel != nil && strings.IndexByte("srab", kind) < 0 {
			ip.fault("traced-percent", loc, "%"+string(kind), a)
			return
		}
	}
}

// conversions are the letters of the conversions in the format of a %; false where fields have names or take their width from a value.
func conversions(format string) (kinds []byte, ok bool) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return kinds, true
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("#0- +.123456789hlL", r) })
		if end < 0 || rest[end] == '(' || rest[end] == '*' {
			return nil, false
		}
		if rest[end] != '%' {
			kinds = append(kinds, rest[end])
		}
		format = rest[end+1:]
	}
}

// formatted notes a traced value that is written by a format, which object.__format__ refuses.
func (ip *interp) formatted(loc parse.Loc, v Value) {
	switch v := ip.resolve(v).(type) {
	case *Array:
		if v.Traced && ip.kernel != nil {
			ip.fault("traced-format", loc, "", v)
		}
	case *Ref:
		if ip.kernel != nil && !v.Guess && !v.Many {
			ip.fault("traced-format", loc, "", v)
		}
	}
}

func biBool(ip *interp, fr *frame, c *Call) Value {
	v := c.getOr("x", 0, Bool(false))
	if b, ok := ip.truth(v); ok {
		return Bool(b)
	}
	if a, ok := v.(*Array); ok && a.Traced && ip.kernel != nil {
		ip.fault("traced-bool", c.Loc, "", v)
	}
	return v
}

func biReversed(ip *interp, fr *frame, c *Call) Value {
	t, ok := ip.iterate(orUnknown(c.Pos(0))).(*Tuple)
	if !ok {
		return Unknown
	}
	out := &Tuple{Rest: t.Rest}
	for i := len(t.Tail) - 1; i >= 0; i-- {
		out.Head = append(out.Head, t.Tail[i])
	}
	var rev []Value
	for i := len(t.Head) - 1; i >= 0; i-- {
		rev = append(rev, t.Head[i])
	}
	if t.Rest == nil {
		out.Head = append(out.Head, rev...)
	} else {
		out.Tail = rev
	}
	return out
}

func biSorted(ip *interp, fr *frame, c *Call) Value {
	t, ok := ip.iterate(orUnknown(c.Pos(0))).(*Tuple)
	if !ok {
		return Unknown
	}
	if len(elems(t)) <= 1 && t.Rest == nil {
		return ip.newList(elems(t))
	}
	if c.get("key", -1) == nil {
		ip.tracedOrder(c.Loc, elems(t)...)
	}
	return &List{cell: &Cell{v: &Tuple{Rest: ip.element(t)}}}
}

func biAny(ip *interp, fr *frame, c *Call) Value { return quantify(ip, c, true) }
func biAll(ip *interp, fr *frame, c *Call) Value { return quantify(ip, c, false) }

// quantify: any is decided by one true element, all by one false one.
func quantify(ip *interp, c *Call, decisive bool) Value {
	t, ok := ip.iterate(orUnknown(c.Pos(0))).(*Tuple)
	if !ok {
		return Unknown
	}
	all := t.Rest == nil
	for _, v := range elems(t) {
		if a, ok := v.(*Array); ok && all && a.Traced && ip.kernel != nil {
			ip.fault("traced-bool", c.Loc, "", v)
			return Unknown
		}
		b, known := ip.truth(v)
		if known && b == decisive {
			return Bool(decisive)
		}
		all = all && known
	}
	if all {
		return Bool(!decisive)
	}
	return Unknown
}

func biIsInstance(ip *interp, fr *frame, c *Call) Value {
	v, class := orUnknown(c.Pos(0)), orUnknown(c.Pos(1))
	if known, is := ip.isInstance(v, class); known {
		return Bool(is)
	}
	if k := valueKey(v); k != "" {
		if ck := valueKey(class); ck != "" {
			return opaque("isinstance(" + k + "," + ck + ")")
		}
	}
	return Unknown
}

func biGetattr(ip *interp, fr *frame, c *Call) Value {
	name, ok := c.Pos(1).(Str)
	if !ok {
		return Unknown
	}
	obj, otherwise := orUnknown(c.Pos(0)), c.Pos(2)
	if otherwise != nil && !ip.hasAttr(fr, obj, string(name)) {
		if known, has := ip.attrKnown(obj, string(name)); known && !has {
			return otherwise
		}
		return join(Unknown, otherwise)
	}
	ip.guarded++
	defer func() { ip.guarded-- }()
	return ip.attr(fr, obj, string(name), c.Loc)
}

// hasAttr: the attribute is known to exist.
func (ip *interp) hasAttr(fr *frame, obj Value, name string) bool {
	known, has := ip.attrKnown(obj, name)
	return known && has
}

func (ip *interp) attrKnown(obj Value, name string) (known, has bool) {
	switch o := obj.(type) {
	case *Module:
		if o.mod != nil {
			return true, ip.moduleAttr(o.mod, name) != nil
		}
		if strings.HasPrefix(o.Name, "jax") {
			full := o.Name + "." + name
			_, ok := ip.rel.Lookup(full)
			_, missing := ip.rel.Missing(full)
			return ok || missing, ok
		}
	case *API:
		if strings.HasPrefix(o.Name, "jax.") {
			full := o.Name + "." + name
			_, ok := ip.rel.Lookup(full)
			_, missing := ip.rel.Missing(full)
			return ok || missing, ok
		}
	case *Instance:
		if c := o.fields[name]; c != nil && c.v != nil {
			return true, true
		}
		if o.Class.lookup(name) != nil {
			return true, true
		}
		return !o.Open && !o.Class.external() && o.Class.lookup("__getattr__") == nil, false
	}
	return false, false
}

func biHasattr(ip *interp, fr *frame, c *Call) Value {
	name, ok := c.Pos(1).(Str)
	if !ok {
		return Unknown
	}
	if known, has := ip.attrKnown(orUnknown(c.Pos(0)), string(name)); known {
		return Bool(has)
	}
	return Unknown
}

func biSetattr(ip *interp, fr *frame, c *Call) Value {
	if o, ok := c.Pos(0).(*Instance); ok {
		if name, ok := c.Pos(1).(Str); ok {
			ip.set(o.cell(string(name)), orUnknown(c.Pos(2)))
			return None{}
		}
		o.Open = true
	}
	return None{}
}

func biIter(ip *interp, fr *frame, c *Call) Value {
	v := orUnknown(c.Pos(0))
	if it, ok := v.(*Iter); ok {
		return it
	}
	return &Iter{seq: ip.iterate(v), pos: &Cell{v: N(0)}}
}

func biNext(ip *interp, fr *frame, c *Call) Value {
	it, ok := c.Pos(0).(*Iter)
	if !ok {
		if t, isSeq := c.Pos(0).(*Tuple); isSeq && len(t.Head) > 0 { // a generator expression
			return t.Head[0]
		}
		return Unknown
	}
	t, isSeq := it.seq.(*Tuple)
	n, known := asInt(it.pos.v).Known()
	if !isSeq || !known {
		return ip.element(it.seq)
	}
	ip.set(it.pos, N(n+1))
	all := elems(t)
	if t.Rest == nil && n < int64(len(all)) {
		return all[n]
	}
	if t.Rest != nil && n < int64(len(t.Head)) {
		return t.Head[n]
	}
	return ip.element(it.seq)
}

func biSlice(ip *interp, fr *frame, c *Call) Value {
	a, b, s := c.Pos(0), c.Pos(1), c.Pos(2)
	if b == nil {
		a, b = nil, a
	}
	drop := func(v Value) Value {
		if _, ok := v.(None); ok {
			return nil
		}
		return v
	}
	return &SliceVal{Lo: drop(a), Hi: drop(b), Step: drop(s)}
}

func biDivmod(ip *interp, fr *frame, c *Call) Value {
	a, b := orUnknown(c.Pos(0)), orUnknown(c.Pos(1))
	return &Tuple{Head: []Value{ip.binary(fr, "//", a, b, c.Loc), ip.binary(fr, "%", a, b, c.Loc)}}
}

func biPow(ip *interp, fr *frame, c *Call) Value {
	return ip.binary(fr, "**", orUnknown(c.Pos(0)), orUnknown(c.Pos(1)), c.Loc)
}

func biCallable(ip *interp, fr *frame, c *Call) Value {
	switch c.Pos(0).(type) {
	case *Func, *Partial, *Bound, *Method, *Wrapped, *API, *Class, *PallasFn:
		return Bool(true)
	case None, *Int, Bool, Str, Float, *Tuple, *List:
		return Bool(false)
	}
	return Unknown
}

func biType(ip *interp, fr *frame, c *Call) Value {
	return classOf(orUnknown(c.Pos(0)))
}
