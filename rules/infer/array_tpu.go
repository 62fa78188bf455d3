package infer

import "pallas-lsp/rules/jax"

func init() {
	arrays(map[string]arrayModel{
		tpu + "roll":   func(t *tracing) Value { return t.sameAs("roll") },
		tpu + "repeat": tpuRepeat,
		"jax._src.pallas.mosaic.primitives.repeat": tpuRepeat,
		tpu + "bitcast":                      func(t *tracing) Value { return t.tpuBitcast(-2) },
		plsc + "bitcast":                     func(t *tracing) Value { return t.tpuBitcast(-1) },
		tpu + "reciprocal":                   reciprocal,
		tpu + "stochastic_round":             stochasticRound,
		tpu + "prng_random_bits":             prngBits,
		tpu + "pack_elementwise":             packElementwise,
		tpu + "unpack_elementwise":           unpackElementwise,
		tpu + "with_memory_space_constraint": func(t *tracing) Value { return t.keep() },
		tpu + "matmul_pop_fifo":              matmulPop,
		plsc + "cumsum":                      func(t *tracing) Value { return t.sameAs("masked_cumsum") },
		plsc + "cummax":                      func(t *tracing) Value { return t.sameAs("masked_cummax") },
		plsc + "cummin":                      func(t *tracing) Value { return t.sameAs("masked_cummin") },
		plsc + "sort_key_val":                maskedSort,
		plsc + "scan_count":                  scanCount,
		plsc + "all_reduce_population_count": func(t *tracing) Value { return t.maskReduce("all_reduce_population_count") },
		plsc + "all_reduce_ffs":              func(t *tracing) Value { return t.maskReduce("all_reduce_ffs") },
		plsc + "pack":                        scPack,
		plsc + "unpack":                      scUnpack,
	})
}

// keep is the argument as it is.
func (t *tracing) keep() Value { return orUnknown(t.call.Pos(0)) }

func tpuRepeat(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	rank, ok := x.Shape.Rank()
	if !ok {
		return t.sameType(x, -1)
	}
	out := t.sameType(x, rank)
	copy(out.Shape.Dims, x.Shape.Dims)
	k, ok := t.axisOf(t.given("axis", 2), rank)
	if !ok {
		return t.sameType(x, rank)
	}
	out.Shape.Dims[k] = x.Shape.Dims[k].Mul(asInt(t.given("repeats", 1)))
	return out
}

// tpuBitcast models pltpu.bitcast: the size of one dimension changes with the width of the type.
func (t *tracing) tpuBitcast(dim int64) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	name := "ty"
	if dim == -1 {
		name = "dtype"
	}
	d := t.dtypeArg(name, 1, "")
	out := t.result(Shape{}, d, false, x)
	t.bind("bitcast", out, map[string]Value{"ty": dtypeValue(d)}, x)
	rank, known := x.Shape.Rank()
	if v := t.given("dim", 2); !isNone(v) {
		n, ok := asInt(v).Known()
		if !ok {
			return out
		}
		dim = n
	}
	if !known || rank == 0 || d == "" || x.DType == "" {
		return out
	}
	if rank == 1 && dim == -2 {
		t.fault("bitcast", x.Shape.String(), x)
		return out
	}
	k, ok := t.axisOf(N(dim), rank)
	if !ok {
		return out
	}
	out.Shape = Shape{Dims: append([]*Int{}, x.Shape.Dims...)}
	from, to := N(int64(x.DType.Bits())), N(int64(d.Bits()))
	n := x.Shape.Dims[k].Mul(from)
	if v, ok := n.Known(); ok && v%int64(d.Bits()) != 0 {
		t.fault("bitcast", x.Shape.String(), x, DTypeVal{d})
		return t.result(Shape{}, d, false, x)
	}
	if out.Shape.Dims[k] = nil; n != nil && n.divisible(int64(d.Bits())) {
		out.Shape.Dims[k] = n.FloorDiv(to)
	}
	return out
}

func reciprocal(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	out := t.result(x.Shape, x.DType, x.Weak, x)
	if x.DType.IsInteger() {
		out.DType = ""
	}
	return out
}

func stochasticRound(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	return t.bind("stochastic_round", t.result(x.Shape, t.dtypeArg("target_dtype", -1, ""), false, x), nil, x)
}

func prngBits(t *tracing) Value {
	return t.bind("prng_random_bits", t.result(t.shape(t.given("shape", 0)), jax.Int32, false), nil)
}

func packElementwise(t *tracing) Value {
	in, ok := t.parts(t.given("xs", 0), false)
	if !ok {
		return t.result(Shape{}, jax.Uint32, false)
	}
	return t.bind("pack_elementwise", t.result(in[0].Shape, jax.Uint32, false, in...), nil, in...)
}

func unpackElementwise(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	return t.bind("unpack_elementwise", t.result(x.Shape, t.dtypeArg("unpacked_dtype", -1, ""), false, x), nil, x)
}

func matmulPop(t *tracing) Value {
	return t.bind("matmul_pop_fifo", t.result(t.shape(t.given("shape", 0)), t.dtypeArg("dtype", 1, ""), false), nil)
}

// maskedSort models plsc.sort_key_val: keys, values and the mask when there is one.
func maskedSort(t *tracing) Value {
	in, ok := t.operands(t.given("keys", 0), t.given("values", 1))
	if !ok {
		return Unknown
	}
	out := &Tuple{}
	for _, x := range in {
		out.Head = append(out.Head, t.result(x.Shape, x.DType, false, x))
	}
	if v := t.given("mask", -1); !isNone(v) {
		m, ok := t.operand(v)
		if !ok {
			return Unknown
		}
		if isOpaque(v) {
			return Unknown
		}
		out.Head = append(out.Head, t.result(m.Shape, jax.Bool, false, m))
	}
	t.bind("masked_sort", nil, nil, in...)
	return out
}

func scanCount(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	t.bind("scan_count", nil, nil, x)
	return &Tuple{Head: []Value{t.result(x.Shape, jax.Int32, false, x), t.result(x.Shape, jax.Bool, false, x)}}
}

func (t *tracing) maskReduce(prim string) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	out := t.result(Shape{Dims: []*Int{nil}}, jax.Int32, false, x)
	n := t.arg("reduce", -1)
	if n == nil {
		n = N(1)
	}
	if k, known := asInt(n).Known(); known && k > 0 && x.Shape.IsRank(1) {
		if d := x.Shape.Dims[0]; d != nil && d.divisible(k) {
			out.Shape.Dims[0] = d.FloorDiv(N(k))
		}
	}
	return t.bind(prim, out, nil, x)
}

// halved and doubled are the types that plsc.pack and unpack choose.
var halved = map[jax.DType]jax.DType{jax.Float32: jax.BFloat16, jax.Int32: jax.Int16}
var doubled = map[jax.DType]jax.DType{jax.BFloat16: jax.Float32, jax.Int16: jax.Int32}

func scPack(t *tracing) Value {
	in, ok := t.operands(t.given("a", 0), t.given("b", 1))
	if !ok {
		return Unknown
	}
	d := t.dtypeArg("preferred_element_type", -1, halved[in[0].DType])
	out := t.result(Shape{}, d, false, in...)
	t.bind("pack", out, nil, in...)
	switch n := in[0].Shape.Dim(0); packFormat(t) {
	case "INTERLEAVED":
		out.Shape = Shape{Dims: []*Int{n.Mul(N(2))}}
	case "COMPRESSED":
		out.Shape = Shape{Dims: []*Int{n, N(2)}}
	}
	return out
}

func packFormat(t *tracing) string {
	if a, ok := t.given("format", -1).(*API); ok {
		_, last, _ := cutLast(a.Name)
		return last
	}
	return ""
}

func scUnpack(t *tracing) Value {
	x, ok := t.array("ab", 0)
	if !ok {
		return Unknown
	}
	d := t.dtypeArg("preferred_element_type", -1, doubled[x.DType])
	n := []*Int{nil}
	if x.Shape.Dims != nil {
		if p := product(x.Shape.Dims); p != nil && p.divisible(2) {
			n[0] = p.FloorDiv(N(2))
		}
	}
	half := t.result(Shape{Dims: n}, d, false, x)
	t.bind("unpack", nil, nil, x)
	return &Tuple{Head: []Value{half, half}}
}
