package infer

import (
	"slices"
	"strings"

	"pallas-lsp/rules/jax"
)

// model is what a call of an API does: its result, and its effects on the interpreter.
type model func(ip *interp, fr *frame, c *Call) Value

// apis are the modelled functions and classes by canonical name. What is not here returns Unknown, and its arguments escape.
var apis = map[string]model{}

func register(m map[string]model) {
	for name, f := range m {
		apis[name] = f
	}
}

const (
	pl   = "jax.experimental.pallas."
	tpu  = "jax.experimental.pallas.tpu."
	plsc = "jax.experimental.pallas.tpu_sc."
	mgpu = "jax.experimental.pallas.mosaic_gpu."
)

// callAPI binds the arguments of a call to JAX's (or the standard library's) parameters, records the call, and runs its model.
func (ip *interp) callAPI(fr *frame, a *API, args Args, at *callSite) Value {
	c := &Call{API: a.Name, Fn: fnOf(fr), Loc: at.loc, Func: at.fn, Args: args, Kernel: ip.kernel, Path: ip.path.conds(), Node: at.node, Guarded: ip.guarded > 0}
	c.bind(a.Obj, a.Name)
	if a.Obj != nil && a.Obj.HasParams && a.Obj.Kind != jax.KindMethod { // a method through its class may be bound to it
		c.lack(a.Obj.Params)
	}
	if strings.HasPrefix(a.Name, "jax.") || a.Name == "builtins.print" && ip.kernel != nil {
		ip.record(c)
	}
	m := apis[a.Name]
	if m == nil {
		m = modelOf(a.Name)
	}
	if m == nil {
		c.Result = ip.callUnknown(a, args)
		return c.Result
	}
	c.Result = m(ip, fr, c)
	if c.Result == nil {
		c.Result = None{}
	}
	if ip.kernel != nil {
		c.Result = withPred(c.Result, c.pred())
	}
	if s, ok := c.Result.(*ShapeStruct); ok && a.Name == "jax.ShapeDtypeStruct" {
		s.Struct = true
	}
	return c.Result
}

func fnOf(fr *frame) *Func {
	if fr == nil {
		return nil
	}
	return fr.fn
}

func (ip *interp) record(c *Call) {
	c.Seq = ip.seq
	if ip.kernel != nil {
		ip.kernel.Calls = append(ip.kernel.Calls, c)
		return
	}
	ip.world.Calls = append(ip.world.Calls, c)
}

// modelOf finds models that serve a family of names, such as numpy's twins of jax.numpy.
func modelOf(name string) model {
	if rest, ok := strings.CutPrefix(name, "numpy."); ok {
		if m := apis["jax.numpy."+rest]; m != nil {
			return func(ip *interp, fr *frame, c *Call) Value { return markNumPy(m(ip, fr, c)) }
		}
	}
	return nil
}

func markNumPy(v Value) Value {
	if a, ok := v.(*Array); ok {
		b := *a
		b.NumPy, b.Weak = true, false
		return &b
	}
	return v
}

// bind maps arguments to the parameters of a signature; without one, keywords bind by name only.
func (c *Call) bind(obj *jax.Object, name string) {
	c.Bound = map[string]*Arg{}
	var params []jax.Param
	if obj != nil && obj.HasParams {
		params = obj.Params
	}
	if params == nil {
		params = standardParams[name]
	}
	i := 0 // of the next parameter that a position may bind
	varArgs := slices.ContainsFunc(params, func(p jax.Param) bool { return p.Kind == jax.VarPositional })
	for k := range c.Args {
		a := &c.Args[k]
		switch {
		case a.Star != 0:
			c.Open = true
		case a.Name != "":
			c.bindName(params, a)
		case c.Open: // after a *args of unknown length no position is known
		default:
			for i < len(params) && params[i].Kind != jax.PositionalOnly && params[i].Kind != jax.PositionalOrKeyword {
				i++
			}
			if i < len(params) {
				c.Bound[params[i].Name] = a
				i++
			} else if params != nil && !varArgs {
				c.Extra = append(c.Extra, *a)
			}
		}
	}
}

// lack notes the required parameters that get no argument.
func (c *Call) lack(params []jax.Param) {
	if c.Open {
		return
	}
	for _, p := range params {
		if !p.Optional && p.Kind != jax.VarPositional && p.Kind != jax.VarKeyword && c.Bound[p.Name] == nil {
			c.Missing = append(c.Missing, p)
		}
	}
}

func (c *Call) bindName(params []jax.Param, a *Arg) {
	for _, p := range params {
		if p.Name == a.Name {
			c.Bound[a.Name] = a
			return
		}
	}
	c.Bound[a.Name] = a
	if params == nil {
		return
	}
	for _, p := range params {
		if p.Kind == jax.VarKeyword {
			return
		}
	}
	c.Extra = append(c.Extra, *a)
}

// Pos returns the i-th positional argument, nil when there is none or it is not known which it is.
func (c *Call) Pos(i int) Value {
	n := 0
	for k := range c.Args {
		a := &c.Args[k]
		if a.Star == 1 {
			return nil
		}
		if a.Name != "" || a.Star == 2 {
			continue
		}
		if n == i {
			return a.Value
		}
		n++
	}
	return nil
}

// get returns the argument by name or position, nil when absent.
func (c *Call) get(name string, pos int) Value {
	if v := c.Arg(name); v != nil {
		return v
	}
	return c.Pos(pos)
}

func (c *Call) getOr(name string, pos int, otherwise Value) Value {
	if v := c.get(name, pos); v != nil {
		return v
	}
	if c.Open {
		return Unknown
	}
	return otherwise
}

// standardParams are signatures of modelled functions that are not JAX's.
var standardParams = map[string][]jax.Param{
	"dataclasses.field":   params("*", "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only"),
	"builtins.enumerate":  params("iterable", "start"),
	"builtins.sum":        params("iterable", "start"),
	"builtins.sorted":     params("iterable", "*", "key", "reverse"),
	"itertools.product":   nil,
	"dataclasses.replace": nil,
}

func params(names ...string) []jax.Param {
	var out []jax.Param
	kind := jax.PositionalOrKeyword
	for _, n := range names {
		if n == "*" {
			kind = jax.KeywordOnly
			continue
		}
		out = append(out, jax.Param{Name: n, Kind: kind})
	}
	return out
}

// callMethod calls a method of a value that the interpreter models.
func (ip *interp) callMethod(fr *frame, m *Method, args Args, at *callSite) Value {
	switch self := m.Self.(type) {
	case *Ref:
		return ip.refMethod(fr, self, m.Name, args, at)
	case *Array:
		return ip.arrayMethod(fr, self, m.Name, args, at)
	case *Desc:
		return ip.descMethod(fr, self, m.Name, args, at)
	case *List:
		return ip.listMethod(fr, self, m.Name, args)
	case *Dict:
		return ip.dictMethod(fr, self, m.Name, args)
	case *Tuple:
		return ip.tupleMethod(self, m.Name, args)
	case Str:
		return strMethod(self, m.Name, args)
	case *Wrapped:
		return ip.wrappedMethod(fr, self, m.Name, args, at)
	case *Func:
		return ip.funcMethod(fr, self, m.Name, args)
	case *ShapeStruct:
		return ip.structUpdate(fr, self, args)
	case *Int:
		if m.Name == "bit_length" {
			if k, ok := self.Known(); ok {
				n := int64(0)
				for ; k != 0; k /= 2 {
					n++
				}
				return N(n)
			}
		}
	case *Class:
		if m.Name == "_make" && len(args) == 1 {
			return ip.namedTuple(self, ip.spreadArgs(args[0].Value, args[0].Loc, nil), at)
		}
	case *SpaceVal:
		return ip.spaceMethod(self, m.Name, args, at)
	case *API:
		return ip.apiMethod(fr, self, m.Name, args, at)
	}
	return ip.callUnknown(m, args)
}

// apiMethod is a classmethod or other attribute of a JAX class that is called: recorded by its dotted name.
func (ip *interp) apiMethod(fr *frame, a *API, name string, args Args, at *callSite) Value {
	return ip.callAPI(fr, &API{Name: a.Name + "." + name}, args, at)
}

func (ip *interp) funcMethod(fr *frame, f *Func, name string, args Args) Value {
	for _, a := range args { // f.defvjp(fwd, bwd) and their like keep functions that run elsewhere
		ip.escape(a.Value, 0)
	}
	return Unknown
}

func (ip *interp) structUpdate(fr *frame, s *ShapeStruct, args Args) Value {
	out := *s
	for _, a := range args {
		switch a.Name {
		case "shape":
			out.Shape = ip.shapeOf(a.Value)
		case "dtype":
			out.DType, _ = ip.dtypeOf(a.Value)
		}
	}
	return &out
}
