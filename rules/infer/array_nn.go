package infer

import (
	"strings"

	"pallas-lsp/rules/jax"
)

func init() {
	arrays(map[string]arrayModel{
		"jax.nn.gelu":                                  gelu,
		"jax.nn.softmax":                               softmax,
		"jax.nn.log_softmax":                           softmax,
		"jax.nn.logsumexp":                             logsumexp,
		"jax.scipy.special.logsumexp":                  logsumexp,
		"jax.nn.one_hot":                               oneHot,
		"jax.nn.standardize":                           softmax,
		"jax.random.key":                               func(t *tracing) Value { return t.randomKey() },
		"jax.random.PRNGKey":                           func(t *tracing) Value { return t.result(ShapeOf(2), jax.Uint32, false) },
		"jax.random.fold_in":                           func(t *tracing) Value { return t.sameAs("random_fold_in") },
		"jax.random.split":                             splitKey,
		"jax.random.uniform":                           func(t *tracing) Value { return t.random(1, 2, jax.Float32) },
		"jax.random.normal":                            func(t *tracing) Value { return t.random(1, 2, jax.Float32) },
		"jax.random.gumbel":                            func(t *tracing) Value { return t.random(1, 2, jax.Float32) },
		"jax.random.exponential":                       func(t *tracing) Value { return t.random(1, 2, jax.Float32) },
		"jax.random.laplace":                           func(t *tracing) Value { return t.random(1, 2, jax.Float32) },
		"jax.random.bits":                              func(t *tracing) Value { return t.random(1, 2, jax.Uint32) },
		"jax.random.randint":                           randint,
		"jax.experimental.pallas.tpu.to_pallas_key":    pallasKey,
		"jax.experimental.pallas.tpu.stateful_uniform": func(t *tracing) Value { return t.random(0, 1, jax.Float32) },
		"jax.experimental.pallas.tpu.stateful_normal":  func(t *tracing) Value { return t.random(0, 1, jax.Float32) },
		"jax.experimental.pallas.tpu.stateful_bits":    func(t *tracing) Value { return t.random(0, 1, jax.Uint32) },
	})
}

// gelu is approximated by tanh unless it is told not to.
func gelu(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	approximate, known := t.flag("approximate", 1, true)
	if !known || approximate {
		t.call = t.call.only(1)
	}
	prims := len(t.prims)
	out := t.apply1("jax.nn.gelu", x)
	if !known {
		t.prims = t.prims[:prims]
	} else if !approximate {
		for _, p := range []string{"neg", "mul", "erfc", "mul"} {
			t.bind(p, nil, nil)
		}
	}
	return out
}

// only is the call with its first n arguments.
func (c *Call) only(n int) *Call {
	out := *c
	out.Args = c.Args[:min(n, len(c.Args))]
	return &out
}

// softmax keeps shape and type, floats made of integers.
func softmax(t *tracing) Value {
	x, ok := t.first()
	if !ok {
		return Unknown
	}
	if v := t.given("where", -1); !isNone(v) {
		return t.sameType(x, -1)
	}
	return t.result(x.Shape, inexact(x.DType), false, x)
}

func logsumexp(t *tracing) Value {
	x, ok := t.first()
	if !ok || !isNone(t.given("b", 2)) || !isNone(t.given("return_sign", 4)) || !isNone(t.given("where", -1)) {
		return Unknown
	}
	r := t.reduce(x, t.given("axis", 1), t.arg("keepdims", 3))
	return t.result(r.kept, inexact(x.DType), false, x)
}

func oneHot(t *tracing) Value {
	x, ok := t.array("x", 0)
	if !ok {
		return Unknown
	}
	d := t.dtypeArg("dtype", 2, t.ip.widest(jax.Float32))
	out := t.result(Shape{}, d, false, x)
	t.bind("iota", nil, nil)
	t.bind("eq", nil, nil)
	axis := t.arg("axis", -1)
	if axis == nil {
		axis = N(-1)
	}
	rank, known := x.Shape.Rank()
	if !known {
		return out
	}
	if k, ok := t.axisOf(axis, rank+1); ok {
		out.Shape = Shape{Dims: append(append(append([]*Int{}, x.Shape.Dims[:k]...), asInt(t.given("num_classes", 1))), x.Shape.Dims[k:]...)}
	}
	return out
}

func (t *tracing) randomKey() Value {
	if d := t.keyType(); d != "" {
		return t.result(Scalar, d, false)
	}
	return Unknown
}

// keyType is the type of the keys that the argument impl asks for; empty: not known.
func (t *tracing) keyType() jax.DType {
	switch v := t.given("impl", -1).(type) {
	case None:
		return jax.KeyFry
	case Str:
		if v == "pallas_tpu" {
			return jax.KeyPallas
		}
	}
	return ""
}

// pallasKey are keys for the generator of a TensorCore, as many as there were others: of a type of their own, or rows of numbers.
func pallasKey(t *tracing) Value {
	x, ok := t.array("key", 0)
	if !ok || x.Shape.Dims == nil {
		return Unknown
	}
	lead := x.Shape.Dims
	switch {
	case x.DType.Kind() == jax.KindKey:
	case x.DType == jax.Uint32 && len(lead) > 0:
		lead = lead[:len(lead)-1]
	default:
		return Unknown
	}
	if len(lead) > 1 {
		return Unknown
	}
	return t.result(Shape{Dims: append([]*Int{}, lead...)}, jax.KeyPallas, false, x)
}

func splitKey(t *tracing) Value {
	x, ok := t.array("key", 0)
	if !ok {
		return Unknown
	}
	n := t.arg("num", 1)
	if n == nil {
		n = N(2)
	}
	lead := t.shape(n)
	out := t.sameType(x, -1)
	if lead.Dims != nil && x.Shape.Dims != nil {
		out.Shape.Dims = append(append([]*Int{}, lead.Dims...), x.Shape.Dims...)
	}
	t.bind("random_split", nil, nil, x)
	return out
}

// random is an array of random numbers with arguments shape and dtype at their positions.
func (t *tracing) random(shape, dtype int, d jax.DType) Value {
	if !strings.HasPrefix(t.call.API, tpu) {
		d = t.ip.widest(d)
	}
	s := t.arg("shape", shape)
	size := Scalar
	if s != nil {
		size = t.shape(s)
	}
	for _, name := range []string{"minval", "maxval"} {
		if v := t.given(name, -1); !isNone(v) && !isPython(v) && s == nil {
			return Unknown
		}
	}
	if isNone(orNone(s)) && s != nil {
		size = Shape{}
	}
	out := t.result(size, t.dtypeArg("dtype", dtype, d), false)
	return out
}

func randint(t *tracing) Value {
	return t.result(t.shape(t.given("shape", 1)), t.dtypeArg("dtype", 4, t.ip.widest(jax.Int32)), false)
}
