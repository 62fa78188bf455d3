package ops

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// compiledFor: the kernel is compiled for the core, as opposed to interpreted.
func compiledFor(k *infer.Kernel, core jax.Core) bool {
	return k != nil && k.Core == core && !k.Interpreted()
}

func onTensorCore(k *infer.Kernel) bool { return compiledFor(k, jax.TensorCore) }

func onSparseCore(k *infer.Kernel) bool {
	return k != nil && k.Core.IsSparseCore() && !k.Interpreted()
}

// onGPU: what JAX's TPU backend says does not hold.
func onGPU(k *infer.Kernel) bool { return k != nil && k.Core.IsGPU() }

// decided: nothing on the path depends on a Python condition that could be either way, which may go with the very facts that a finding
// rests on.
func decided(path []infer.Cond) bool {
	for _, c := range path {
		if c.Kind == "if" || c.Kind == "else" {
			return false
		}
	}
	return true
}

// alternatives are the arrays that a value can be; false when it can be something else, or nothing is known of it.
func alternatives(v infer.Value) ([]*infer.Array, bool) {
	switch v := v.(type) {
	case *infer.Array:
		return []*infer.Array{v}, true
	case *infer.Int:
		return []*infer.Array{{Shape: infer.Scalar, DType: jax.Int32, Weak: true}}, true
	case infer.Bool:
		return []*infer.Array{{Shape: infer.Scalar, DType: jax.Bool}}, true
	case infer.Float:
		return []*infer.Array{{Shape: infer.Scalar, DType: jax.Float32, Weak: true}}, true
	case *infer.Union:
		var all []*infer.Array
		for _, a := range v.Alts {
			some, ok := alternatives(a)
			if !ok {
				return nil, false
			}
			all = append(all, some...)
		}
		return all, len(all) > 0
	}
	return nil, false
}

// differ: the two shapes are certainly not the same.
func differ(a, b infer.Shape) bool {
	n, ok1 := a.Rank()
	m, ok2 := b.Rank()
	if !ok1 || !ok2 {
		return false
	}
	if n != m {
		return true
	}
	for i := range a.Dims {
		x, ok1 := a.Dims[i].Known()
		y, ok2 := b.Dims[i].Known()
		if ok1 && ok2 && x != y {
			return true
		}
	}
	return false
}

// typed shows an array as JAX's messages do: float32[8, 128].
func typed(a *infer.Array) string {
	if a.DType == "" {
		return "an array of shape " + a.Shape.String()
	}
	dims := strings.TrimSuffix(strings.Trim(a.Shape.String(), "()"), ",")
	return string(a.DType) + "[" + dims + "]"
}

// written is the source text at a place, when it is short enough to be quoted; else the words given.
func written(loc parse.Loc, otherwise string) string {
	if !loc.Valid() {
		return otherwise
	}
	text := loc.Text()
	if text == "" || len(text) > 40 || strings.ContainsAny(text, "\n`") {
		return otherwise
	}
	return "`" + text + "`"
}

// callee is the function of a call as the author wrote it: `jnp.sort`, `.sort()` of a long expression, an operator.
func callee(c *infer.Call) string {
	if c.Node != nil && c.Func.Valid() {
		text := c.Func.Text()
		if a, ok := c.Node.Func.(*parse.Attr); ok && (len(text) > 30 || strings.ContainsAny(text, "\n`")) {
			return "`." + a.Name + "`"
		}
		return "`" + text + "`"
	}
	return "`" + short(c.API) + "`"
}

// short is a name of JAX as it is usually written.
func short(api string) string {
	for _, p := range [][2]string{
		{"jax.numpy.", "jnp."}, {"jax.experimental.pallas.tpu_sc.", "plsc."}, {"jax.experimental.pallas.tpu.", "pltpu."},
		{"jax.experimental.pallas.", "pl."},
	} {
		if rest, ok := strings.CutPrefix(api, p[0]); ok {
			return p[1] + rest
		}
	}
	return api
}

// callRule is a function about calls of an API in kernels.
type callRule func(*rule.Pass, *infer.Call)

// traced: what JAX refuses while it traces a kernel, compiled or interpreted.
func traced(f callRule) callRule {
	return func(p *rule.Pass, c *infer.Call) {
		if c.Kernel != nil && !onGPU(c.Kernel) && decided(c.Path) && !c.Open {
			f(p, c)
		}
	}
}

// onTC: what is refused when a kernel is lowered or compiled for a TensorCore.
func onTC(f callRule) callRule {
	return func(p *rule.Pass, c *infer.Call) {
		if onTensorCore(c.Kernel) && lowered(c) && !c.Open {
			f(p, c)
		}
	}
}

// onSC is the same for the subcores of a SparseCore.
func onSC(f callRule) callRule {
	return func(p *rule.Pass, c *infer.Call) {
		if onSparseCore(c.Kernel) && lowered(c) && !c.Open {
			f(p, c)
		}
	}
}

// onTPU is the same for all cores of a TPU.
func onTPU(f callRule) callRule {
	return func(p *rule.Pass, c *infer.Call) {
		if c.Kernel != nil && c.Kernel.Core.IsTPU() && !c.Kernel.Interpreted() && lowered(c) && !c.Open {
			f(p, c)
		}
	}
}

// onAny is what is refused whichever backend lowers a kernel; which one that is need not be known.
func onAny(f callRule) callRule {
	return func(p *rule.Pass, c *infer.Call) {
		if c.Kernel != nil && !c.Kernel.Interpreted() && lowered(c) && !c.Open {
			f(p, c)
		}
	}
}

// on registers a function for several APIs.
func on(f callRule, apis ...string) map[string]func(*rule.Pass, *infer.Call) {
	out := map[string]func(*rule.Pass, *infer.Call){}
	for _, a := range apis {
		out[a] = f
	}
	return out
}

// array is a value that is certainly one array.
func array(v infer.Value) (*infer.Array, bool) {
	a, ok := v.(*infer.Array)
	return a, ok
}

// number is a value that is a Python int and known.
func number(v infer.Value) (int64, bool) {
	n, ok := v.(*infer.Int)
	if !ok {
		return 0, false
	}
	return n.Known()
}

// given is an argument that was passed and is not None.
func given(c *infer.Call, name string) infer.Value {
	v := c.Arg(name)
	if _, none := v.(infer.None); none {
		return nil
	}
	return v
}

// maybe: it can't be told whether the value is None.
func maybe(v infer.Value) bool {
	switch v := v.(type) {
	case *infer.Opaque:
		return true
	case *infer.Union:
		for _, a := range v.Alts {
			if _, none := a.(infer.None); none || maybe(a) {
				return true
			}
		}
	}
	return false
}

// isTrue: the value is True.
func isTrue(v infer.Value) bool {
	b, ok := v.(infer.Bool)
	return ok && bool(b)
}
