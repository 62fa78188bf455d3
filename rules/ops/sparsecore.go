package ops

import (
	"fmt"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// lanes are the lengths that a vector register of a SparseCore may have: of the configured chip, else of all that have one.
func lanes(p *rule.Pass) []int64 {
	if p.Chip != nil && p.Chip.SparseCore != nil {
		return []int64{int64(p.Chip.SparseCore.Lanes)}
	}
	return []int64{8, 16}
}

// register: the shape may be that of one vector of 32-bit elements.
func register(p *rule.Pass, s infer.Shape) bool {
	for _, n := range lanes(p) {
		if !differ(s, infer.ShapeOf(n)) {
			return true
		}
	}
	return false
}

// lanesText shows the lengths to a person.
func lanesText(p *rule.Pass) string {
	all := lanes(p)
	if len(all) == 1 {
		return fmt.Sprintf("(%d,)", all[0])
	}
	return "(16,) on a 7x, (8,) on a v5p or v6e"
}

// scIota models jax/_src/pallas/mosaic/sc_lowering.py _iota_lowering_rule_sc.
var scIota = &rule.Rule{
	Name: "sc-iota-shape",
	Page: page("sc_iota.md"),
	Kernel: vectorSubcore(func(p *rule.Pass, c *infer.Call, prim infer.Prim) bool {
		if prim.Name != "iota" || prim.Out == nil || register(p, prim.Out.Shape) {
			return false
		}
		p.Report(c.Loc, "%s makes a vector of shape %s; a vector subcore counts within one register, %s: add an offset to one of that length", callee(c), prim.Out.Shape, lanesText(p)).
			Says("ValueError: Unsupported iota shape for SC vector subcore. Got %s, supported shape is %s.", prim.Out.Shape, lanesText(p))
		return true
	}),
}

// scReverse models jax/_src/pallas/mosaic/sc_lowering.py _rev_lowering_rule.
var scReverse = &rule.Rule{
	Name: "sc-rev",
	Page: page("sc_rev.md"),
	Kernel: vectorSubcore(func(p *rule.Pass, c *infer.Call, prim infer.Prim) bool {
		axes, ok := ints(prim.Params["dimensions"])
		if prim.Name != "rev" || !ok || len(axes) == 1 && axes[0] == 0 {
			return false
		}
		p.Report(c.Loc, "%s reverses along %s; a vector subcore reverses single vectors: go row by row", callee(c), axesText(axes)).
			Says("NotImplementedError: Invalid dimensions for SC lax.rev: %s", tupleText(axes))
		return true
	}),
}

// scReduceAxes models jax/_src/pallas/mosaic/sc_primitives.py _reduce_op_lowering_rule.
var scReduceAxes = &rule.Rule{
	Name: "sc-reduce-axes",
	Page: page("sc_reduce_axes.md"),
	Kernel: vectorSubcore(func(p *rule.Pass, c *infer.Call, prim infer.Prim) bool {
		switch prim.Name {
		case "reduce_sum", "reduce_max", "reduce_min":
		default:
			return false
		}
		axes, ok := ints(prim.Params["axes"])
		if !ok || len(axes) == 1 && axes[0] == 0 {
			return false
		}
		p.Report(c.Loc, "%s reduces along %s; a vector subcore reduces single vectors: go row by row", callee(c), axesText(axes)).
			Says("NotImplementedError: reductions require axes to be (0,) on SparseCore, but got %s.", tupleText(axes))
		return true
	}),
}

// scSort models jax/_src/pallas/mosaic/sc_lowering.py _sort_lowering_rule.
var scSort = &rule.Rule{
	Name: "sc-sort",
	Page: page("sc_sort.md"),
	Kernel: vectorSubcore(func(p *rule.Pass, c *infer.Call, prim infer.Prim) bool {
		if prim.Name != "sort" {
			return false
		}
		if n, known := number(prim.Params["num_keys"]); known && n != 1 {
			p.Report(c.Loc, "%s by %d keys; a vector subcore sorts by one", callee(c), n).Says("NotImplementedError: Multiple sort keys not supported")
			return true
		}
		for _, x := range prim.In {
			if x != nil && !register(p, x.Shape) {
				p.Report(c.Loc, "%s of shape %s; a vector subcore sorts one register, %s: merge sorted registers", callee(c), x.Shape, lanesText(p)).
					Says("NotImplementedError: Unsupported shape for operand 0 of SC sort: Got %s, expected %s", x.Shape, lanesText(p))
				return true
			}
		}
		return false
	}),
}

// scCumsum models jax/_src/pallas/mosaic/sc_primitives.py _cumsum_lowering_rule.
var scCumsum = &rule.Rule{
	Name: "sc-cumsum",
	Page: page("sc_cumsum.md"),
	Kernel: vectorSubcore(func(p *rule.Pass, c *infer.Call, prim infer.Prim) bool {
		if prim.Name != "cumsum" || len(prim.In) == 0 || prim.In[0] == nil {
			return false
		}
		if rank, known := prim.In[0].Shape.Rank(); known && rank != 1 {
			p.Report(c.Loc, "%s of shape %s; a vector subcore adds up along single vectors: go row by row", callee(c), prim.In[0].Shape).
				Says("NotImplementedError: SC cumsum: x=... must be rank 1")
			return true
		}
		if b, ok := c.Arg("reverse").(infer.Bool); ok && bool(b) {
			p.Report(c.ArgLoc("reverse"), "a vector subcore adds up from the front only: reverse before and after with `jax.lax.rev`").At(c.Loc).
				Says("NotImplementedError: SC cumsum: reverse=True is not yet supported")
			return true
		}
		return false
	}),
}

// vectorSubcore calls f for the primitives that a vector subcore's calls bind, up to the first of a call that f has something to say about.
func vectorSubcore(f func(*rule.Pass, *infer.Call, infer.Prim) bool) func(*rule.Pass, *infer.Kernel) {
	return func(p *rule.Pass, k *infer.Kernel) {
		if !compiledFor(k, jax.SCVectorSubcore) {
			return
		}
		eachLowered(k, func(c *infer.Call) {
			for _, prim := range c.Prims {
				if f(p, c, prim) {
					return
				}
			}
		})
	}
}

// ints are the known integers of a tuple.
func ints(v infer.Value) ([]int64, bool) {
	t, ok := v.(*infer.Tuple)
	if !ok || t.Rest != nil {
		return nil, false
	}
	var out []int64
	for _, e := range t.Head {
		n, known := number(e)
		if !known {
			return nil, false
		}
		out = append(out, n)
	}
	return out, len(out) > 0
}

func tupleText(ns []int64) string {
	s := infer.ShapeOf(ns...)
	return s.String()
}

func axesText(ns []int64) string {
	if len(ns) == 1 {
		return fmt.Sprintf("axis %d", ns[0])
	}
	return "axes " + tupleText(ns)
}
