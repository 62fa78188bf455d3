package infer

import (
	"strings"
)

// arrayAttr is an attribute of an array.
func (ip *interp) arrayAttr(a *Array, name string) Value {
	switch name {
	case "shape":
		return shapeValue(a.Shape)
	case "dtype":
		return dtypeValue(a.DType)
	case "ndim":
		if n, ok := a.Shape.Rank(); ok {
			return N(int64(n))
		}
		return Unknown
	case "size":
		return sizeValue(a.Shape)
	case "itemsize":
		return dtypeAttr(DTypeVal{a.DType}, "itemsize")
	case "nbytes":
		return numBinary("*", sizeValue(a.Shape), dtypeAttr(DTypeVal{a.DType}, "itemsize"))
	case "weak_type":
		if a.DType == "" {
			return Unknown
		}
		return Bool(a.Weak)
	case "T", "mT", "real", "imag":
		return ip.arrayProperty(a, name)
	}
	return &Method{a, name}
}

func (ip *interp) arrayProperty(a *Array, name string) Value {
	switch name {
	case "T":
		return ip.operator(nil, "jax.numpy.transpose", transpose, a.Loc, a)
	case "mT":
		return ip.operator(nil, "jax.numpy.matrix_transpose", matrixTranspose, a.Loc, a)
	}
	full := "jax.numpy." + name
	return ip.operator(nil, full, func(t *tracing) Value { return t.unary(full) }, a.Loc, a)
}

// methodAPI are methods of arrays that have another name than the function.
var methodAPI = map[string]string{"flatten": "ravel", "conj": "conjugate", "item": "", "tolist": "", "view": "", "at[]": "", "copy": "copy"}

// packed are the methods that take a shape or axes as several arguments too.
var packed = map[string]bool{"reshape": true, "transpose": true}

// arrayMethod calls a method of an array: the function of jax.numpy with the array as its first argument.
func (ip *interp) arrayMethod(fr *frame, a *Array, name string, args Args, at *callSite) Value {
	if rest, ok := strings.CutPrefix(name, "at."); ok {
		return ip.arrayUpdate(fr, a, rest, args, at)
	}
	base := name
	if other, ok := methodAPI[name]; ok {
		base = other
	}
	full := "jax.numpy." + base
	m := apis[full]
	if a.NumPy {
		m = apis["numpy."+base]
	}
	switch {
	case name == "view":
		m, full = arrayModel(viewAs).model(a.NumPy), "jax.lax.bitcast_convert_type"
	case name == "block_until_ready":
		return a
	case (name == "item" || name == "tolist") && a.Traced && ip.kernel != nil:
		ip.fault("traced-int", at.loc, "."+name+"()", a)
		return Unknown
	case base == "" || m == nil:
		return ip.callUnknown(&Method{a, name}, args)
	}
	if packed[base] {
		args = packArgs(args)
	}
	recv := Value(a)
	c := &Call{API: full, Loc: at.loc, Func: at.fn, Kernel: ip.kernel, Path: ip.path.conds(), Node: at.node, Method: &recv}
	c.Args = append(Args{{Value: a, Loc: at.fn}}, args...)
	obj, _ := ip.rel.Lookup(full)
	c.bind(obj, full)
	ip.record(c)
	c.Result = m(ip, fr, c)
	return c.Result
}

// packArgs makes one tuple of several positional arguments.
func packArgs(args Args) Args {
	pos, open := args.positional()
	if len(pos) < 2 && !open {
		return args
	}
	b := seqBuilder{}
	var out Args
	for _, a := range pos {
		if a.Star != 0 {
			b.spread(&Tuple{Rest: a.Value})
			continue
		}
		b.add(a.Value)
	}
	out = append(out, Arg{Value: b.tuple(), Loc: pos[0].Loc})
	for _, a := range args {
		if a.Name != "" || a.Star == 2 {
			out = append(out, a)
		}
	}
	return out
}

// arrayUpdate is x.at[...].set(v) and its like: an array of the same shape and type (jax/_src/numpy/array_methods.py _IndexUpdateRef).
func (ip *interp) arrayUpdate(fr *frame, a *Array, op string, args Args, at *callSite) Value {
	t := &tracing{ip: ip, fr: fr, call: &Call{API: "jax.numpy.ndarray.at." + op, Loc: at.loc, Func: at.fn, Args: args, Kernel: ip.kernel,
		Path: ip.path.conds(), Bound: map[string]*Arg{}, Node: at.node}}
	if ip.kernel != nil {
		ip.record(t.call)
	}
	switch op {
	case "set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply", "add_":
		out := t.result(a.Shape, a.DType, a.Weak, a)
		if name, ok := scatterPrim[op]; ok {
			t.bind(name, out, nil, a)
		}
		t.call.Prims, t.call.Result = t.prims, out
		return out
	}
	if op == "get" {
		return &Array{DType: a.DType, Weak: a.Weak, Traced: a.Traced, Loc: at.loc}
	}
	return t.unknown(a)
}

// scatterPrim are the primitives of indexed updates.
var scatterPrim = map[string]string{"set": "scatter", "add": "scatter-add", "subtract": "scatter-sub", "multiply": "scatter-mul", "mul": "scatter-mul",
	"min": "scatter-min", "max": "scatter-max"}
