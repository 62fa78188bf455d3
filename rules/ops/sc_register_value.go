package ops

import (
	"slices"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scRegisterValue is what libtpu says of arithmetic on a vector subcore without layout passes: an operand is one register, or a scalar.
var scRegisterValue = &rule.Rule{
	Name: "sc-register-value",
	Page: page("sc_register_value.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !compiledFor(k, jax.SCVectorSubcore) || !withoutLayoutPasses(k) {
			return
		}
		loaded := infer.Derived(k, loadedKey{}, fromMemory)
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				x := widest(prim)
				if x == nil || c.Unused || !usesAny(c, loaded) || register(p, x.Shape) {
					continue
				}
				p.Report(c.Loc, "%s computes with shape %s of %s; without layout passes a vector subcore computes with one register, %s", callee(c), x.Shape, x.DType, lanesText(p)).
					Says("JaxRuntimeError: INTERNAL: Result type is not a valid vmask or vreg type")
				return
			}
		})
	},
}

// registerwise are the primitives that were asked of libtpu with other shapes than that of a register.
var registerwise = map[string]bool{
	"add": true, "sub": true, "mul": true, "div": true, "max": true, "min": true, "neg": true, "abs": true, "sign": true, "exp": true,
	"and": true, "or": true, "xor": true, "rem": true,
	"eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true, "select_n": true,
	"reduce_sum": true, "reduce_max": true, "reduce_min": true, "cumsum": true, "concatenate": true, "stack": true,
}

// widest is the value that has to be a register: the result, or the operand of what makes another of it. Nil: none that is known.
func widest(prim infer.Prim) *infer.Array {
	if !registerwise[prim.Name] {
		return nil
	}
	x := prim.Out
	if len(prim.In) > 0 && (x == nil || x.DType == jax.Bool || x.Shape.IsRank(0)) {
		x = prim.In[0]
	}
	if x == nil || x.NumPy || x.DType.Bits() != 32 || !x.DType.Known() {
		return nil
	}
	if rank, known := x.Shape.Rank(); !known || rank == 0 {
		return nil
	}
	return x
}

type loadedKey struct{}

// fromMemory are the arrays of a kernel that come of what it loads, so that no compiler folds what is computed with them.
func fromMemory(k *infer.Kernel) map[infer.Value]bool {
	out := map[infer.Value]bool{}
	for _, e := range k.Events {
		if x, ok := e.Value.(*infer.Array); ok && e.Op != infer.OpStore {
			out[x] = true
		}
	}
	for _, c := range k.Calls {
		if x, ok := c.Result.(*infer.Array); ok && usesAny(c, out) {
			out[x] = true
		}
	}
	return out
}

// usesAny: an argument of the call is one of the values, or a sequence with one.
func usesAny(c *infer.Call, values map[infer.Value]bool) bool {
	for _, a := range c.Args {
		if anyOf(a.Value, values) {
			return true
		}
	}
	return false
}

func anyOf(v infer.Value, values map[infer.Value]bool) bool {
	switch v := v.(type) {
	case *infer.Array:
		return values[v]
	case *infer.List:
		return anyOf(v.Content(), values)
	case *infer.Tuple:
		return slices.ContainsFunc(v.Head, func(x infer.Value) bool {
			a, ok := x.(*infer.Array)
			return ok && values[a]
		})
	}
	return false
}

// withoutLayoutPasses: the compiler parameters switch Mosaic's layout passes off.
func withoutLayoutPasses(k *infer.Kernel) bool {
	v, ok := k.Root().Site.Params.(*infer.Params)
	if !ok {
		return false
	}
	on, ok := v.Call.Arg("needs_layout_passes").(infer.Bool)
	return ok && !bool(on)
}
