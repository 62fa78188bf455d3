package ops

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// boundBy are the primitives of functions that compute no array from arrays, or take functions, which the release's data leaves out.
var boundBy = map[string]string{
	"jax.new_ref":                                              "new_ref",
	"jax.ref.new_ref":                                          "new_ref",
	"jax.freeze":                                               "freeze",
	"jax.ref.freeze":                                           "freeze",
	"jax.ad_checkpoint.checkpoint_name":                        "name",
	"jax.lax.reduce_window":                                    "reduce_window",
	"jax.pure_callback":                                        "pure_callback",
	"jax.experimental.io_callback":                             "io_callback",
	"jax.lax.linalg.cholesky":                                  "cholesky",
	"jax.lax.linalg.eigh":                                      "eigh",
	"jax.lax.linalg.lu":                                        "lu",
	"jax.lax.linalg.qr":                                        "qr",
	"jax.lax.linalg.svd":                                       "svd",
	"jax.lax.linalg.triangular_solve":                          "triangular_solve",
	"jax.experimental.pallas.tpu.load":                         "masked_load",
	"jax.experimental.pallas.tpu.store":                        "masked_swap",
	"jax.experimental.pallas.tpu.prng_seed":                    "prng_seed",
	"jax.experimental.pallas.tpu.prng_random_bits":             "prng_random_bits",
	"jax.experimental.pallas.reciprocal":                       "reciprocal",
	"jax.experimental.pallas.tpu.reciprocal":                   "reciprocal",
	"jax.lax.optimization_barrier":                             "optimization_barrier",
	"jax.random.key":                                           "random_seed",
	"jax.random.PRNGKey":                                       "random_seed",
	"jax.experimental.pallas.tpu_sc.subcore_barrier":           "barrier",
	"jax.experimental.pallas.tpu.with_memory_space_constraint": "with_memory_space_constraint",
}

// collectives are functions over axes of a mesh and the primitive that each binds of an array; of a number they compute in Python.
var collectives = map[string]string{
	"jax.lax.psum": "psum", "jax.lax.pmean": "psum", "jax.lax.pmax": "pmax", "jax.lax.pmin": "pmin", "jax.lax.all_gather": "all_gather",
	"jax.lax.all_to_all": "all_to_all", "jax.lax.ppermute": "ppermute", "jax.lax.psum_scatter": "reduce_scatter",
}

// unlowered are the primitives that a call binds for certain and that have no lowering on the kernel's core.
func unlowered(p *rule.Pass, c *infer.Call) []string {
	core := c.Kernel.Core
	var out []string
	add := func(name string) {
		ok, known := p.Release.Lowers(core, name)
		if name == "scatter" && core.IsSparseCore() { // plsc.store_scatter has a primitive of that name
			ok = false
		}
		if known && !ok && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if name := boundBy[c.API]; name != "" {
		add(name)
		return out
	}
	kind, rank, array := operand(c)
	if name := collectives[c.API]; name != "" && array {
		add(name)
		return out
	}
	own, _ := p.Release.Binds(c.API, kind, rank)
	for _, prim := range c.Prims {
		if p.Release.Version == jax.Newest().Version || slices.Contains(own, prim.Name) || prim.Name == "integer_pow" { // which ** binds in all
			add(prim.Name)
		}
	}
	if array && plain(p, c) {
		for _, name := range own {
			if name != "transpose" || !givesBack(c) {
				add(name)
			}
		}
	}
	return out
}

// givesBack: what is known of the result is that it may be the operand, as of axes that are left in order.
func givesBack(c *infer.Call) bool {
	x, isArray := c.Args[0].Value.(*infer.Array)
	out, known := c.Result.(*infer.Array)
	return isArray && known && len(c.Prims) == 0 && !differ(x.Shape, out.Shape)
}

// operand is kind and rank of the array that a call is given first; false when its first argument is not known to be an array.
func operand(c *infer.Call) (kind jax.Kind, rank int, ok bool) {
	if len(c.Args) == 0 {
		return jax.KindUnknown, -1, false
	}
	x, ok := c.Args[0].Value.(*infer.Array)
	if !ok {
		return jax.KindUnknown, -1, false
	}
	if rank, ok = x.Shape.Rank(); !ok {
		rank = -1
	}
	return x.DType.Kind(), rank, true
}

// harmless are options that do not change which primitives a function binds.
var harmless = map[string]bool{"axis": true, "axes": true, "keepdims": true}

// plain: the call passes what the function requires, and options that change nothing.
func plain(p *rule.Pass, c *infer.Call) bool {
	obj, _ := p.Release.Lookup(c.API)
	if obj == nil || !obj.HasParams || c.Open || len(c.Extra) > 0 {
		return false
	}
	for _, param := range obj.Params {
		given := c.Bound[param.Name] != nil
		switch {
		case param.Kind == jax.VarPositional || param.Kind == jax.VarKeyword:
			return false
		case !param.Optional && !given && param.Name != "self":
			return false
		case param.Optional && given && !harmless[param.Name]:
			return false
		}
	}
	return true
}

// dropped: JAX removes the call before it lowers the kernel, because nothing uses its value. Only pallas_call does that.
func dropped(c *infer.Call) bool {
	for k := c.Kernel; k != nil; k = k.Outer {
		if k.Site.API == "pallas_call" {
			return c.Unused
		}
	}
	return false
}

// lowered: what a finding at lowering needs of a call: it is there when the kernel is lowered, on a path that is certain.
// effects are the functions that are called for what they do, so that JAX does not leave them out.
var effects = map[string]bool{
	"jax.experimental.pallas.tpu_sc.subcore_barrier": true,
	"jax.experimental.pallas.tpu.prng_seed":          true,
	"jax.experimental.io_callback":                   true,
}

func lowered(c *infer.Call) bool {
	if !decided(c.Path) || dropped(c) && !effects[c.API] {
		return false
	}
	for _, cond := range c.Path { // a branch that JAX knows not to be taken is not lowered
		switch cond.Value.(type) {
		case infer.Bool, *infer.Int:
			return false
		}
	}
	return true
}

// eachLowered calls f for each call of a kernel that is lowered.
func eachLowered(k *infer.Kernel, f func(c *infer.Call)) {
	for _, c := range infer.Derived(k, loweredKey{}, loweredCalls) {
		f(c)
	}
}

type loweredKey struct{}

func loweredCalls(k *infer.Kernel) (out []*infer.Call) {
	for _, c := range k.Calls {
		if lowered(c) {
			out = append(out, c)
		}
	}
	return out
}
