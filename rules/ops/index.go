package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const getItem = "jax.numpy.ndarray.__getitem__"

// dynamicIndex: a subscript of a value that only the run knows becomes dynamic_slice, which no core lowers (jax/_src/indexing.py).
var dynamicIndex = &rule.Rule{
	Name: "dynamic-index-into-value",
	Page: page("dynamic_index.md"),
	Call: on(onTPU(func(p *rule.Pass, c *infer.Call) {
		ok, known := p.Release.Lowers(c.Kernel.Core, "dynamic_slice")
		if !binds(c, "dynamic_slice") || ok || !known {
			return
		}
		p.Report(c.Loc, "%s is at a position that only the run knows, and values can't be indexed so; index %s, with `pl.ds(i, 1)`", written(c.Loc, "this part of a value"), source(c)).
			Says("NotImplementedError: Unimplemented primitive in Pallas TPU lowering for %s: dynamic_slice.", coreName(c.Kernel))
	}), getItem),
}

// source is where the first argument of a call was loaded from, in words.
func source(c *infer.Call) string {
	if r := loadedFrom(c); r != nil && r.Name != "" {
		return "`" + r.Name + "` itself"
	}
	return "the ref it was read from"
}

// coreName is the core as JAX's messages have it.
func coreName(k *infer.Kernel) string {
	if k.Core.IsSparseCore() {
		return k.Core.Name()
	}
	return "tc"
}

func binds(c *infer.Call, name string) bool {
	for _, p := range c.Prims {
		if p.Name == name {
			return true
		}
	}
	return false
}

// loadedFrom is the ref whose load gave the first argument of a call.
func loadedFrom(c *infer.Call) *infer.Ref {
	if len(c.Args) == 0 {
		return nil
	}
	for k := c.Kernel; k != nil; k = k.Outer {
		for _, e := range k.Loads() {
			if e.Value == c.Args[0].Value {
				return e.Refs[0]
			}
		}
	}
	return nil
}

// stridedValue models the verifier of vector.extract_strided_slice, which wants steps of 1.
var stridedValue = &rule.Rule{
	Name: "strided-value-slice",
	Page: page("strided_value.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !k.Core.IsTPU() || k.Interpreted() {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if prim.Name != "slice" || !isTrue(prim.Params["strided"]) {
					continue
				}
				p.Report(c.Loc, "%s takes every so many elements of a value, which is not lowered; load them so from %s: `pl.ds(start, size, stride=k)`", written(c.Loc, "this slice"), source(c)).
					Says("VerificationError: Pallas encountered an internal verification error. ... 'vector.extract_strided_slice' op expected strides to be confined to [1, 2)")
				return
			}
		})
	},
}

// unsupportedGather models jax/_src/pallas/mosaic/lowering.py _gather_lowering_rule, which wants one index for each element of the result.
var unsupportedGather = &rule.Rule{
	Name: "unsupported-gather",
	Page: page("gather.md"),
	Call: on(onTPU(func(p *rule.Pass, c *infer.Call) {
		if !binds(c, "gather") || len(c.Args) == 0 {
			return
		}
		x, ok1 := array(c.Args[0].Value)
		out, ok2 := array(c.Result)
		if !ok1 || !ok2 || x.Shape.Dims == nil || out.Shape.Dims == nil || !wholeRows(out, c) {
			return
		}
		p.Report(c.Loc, "%s takes whole rows of an array of shape %s; a kernel gathers single elements, with `jnp.take_along_axis`, or reads rows from %s one by one", taken(c), x.Shape, source(c)).
			Says("NotImplementedError: Only take_along_axis-like gathers supported")
	}), getItem, "jax.numpy.take", "jax.numpy.diagonal"),
}

// wholeRows: the result has more dimensions than the indices: those are of the operand.
func wholeRows(out *infer.Array, c *infer.Call) bool {
	if c.API == "jax.numpy.diagonal" {
		return true
	}
	if c.API == "jax.numpy.take" && (given(c, "axis") == nil || maybe(c.Arg("axis"))) {
		return false
	}
	most, indices := 0, 0
	for _, a := range c.Args[1:] {
		switch v := a.Value.(type) {
		case *infer.Array:
			if v.Shape.Dims == nil {
				return false
			}
			indices++
			most = max(most, len(v.Shape.Dims))
		case *infer.Int:
			indices++
		}
		if c.API == "jax.numpy.take" {
			break
		}
	}
	return indices > 0 && len(out.Shape.Dims) > most
}
