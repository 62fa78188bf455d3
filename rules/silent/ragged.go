package silent

import (
	"slices"
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// raggedReduced: the last block of an array that the block does not divide reaches behind the array's end; what is there is not defined
// (jax/_src/pallas/mosaic/pipeline.py; interpret mode pads with NaN).
var raggedReduced = &rule.Rule{
	Name: "ragged-last-block",
	Page: page("ragged_last_block.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if k.Map != nil || k.Fn == nil || !forTPU(k.Core) || !gridded(k.Site) || stops(p.World, k.Root()) || masks(k) {
			return
		}
		for _, e := range k.Events {
			if e.Op != infer.OpLoad || !within(p, e.Loc) || len(e.Path) > 0 {
				continue
			}
			o := e.Refs[0].Alloc.Operand
			if o == nil || o.Ref == nil || o.Ref.Alloc != e.Refs[0].Alloc || o.Ref.Role != infer.Input || !windowed(o) || !e.Accessed().Whole {
				continue
			}
			for d, axis := range ragged(k.Site, o) {
				c := reduction(k, e, axis)
				if c == nil || !within(p, c.Loc) {
					continue
				}
				r := reaches(k.Site, o)[d]
				p.Report(c.Loc, "the last block of %s has only %d of its %d rows of dimension %d in the array, and this takes all of them: what is behind the array's end counts too",
					o.Title(), r.dim%r.block, r.block, d).At(e.Loc).Also(e.Loc, "read here").Also(specArg(p, k.Site, o, "block_shape"), "the block")
			}
		}
	},
}

// masks: something in the kernel may keep the rest of the last block out.
func masks(k *infer.Kernel) bool {
	return slices.ContainsFunc(calls(k), func(c *infer.Call) bool {
		name := c.API[strings.LastIndexByte(c.API, '.')+1:]
		return selects(c) || strings.HasSuffix(name, "iota") || name == "arange" || name == "create_mask"
	})
}

// ragged are the dimensions of which the grid touches a last block that is not whole, with their axis in what the kernel loads.
func ragged(s *infer.Site, o *infer.Operand) map[int]int {
	out := map[int]int{}
	rs := reaches(s, o)
	axis := 0
	for d := range o.Array.Dims {
		if r, ok := rs[d]; ok && r.Hi == r.count-1 && r.dim%r.block != 0 && len(r.index.Terms) == 1 {
			out[d] = axis
		}
		if o.Spec != nil && d < len(o.Spec.Dims) && o.Spec.Dims[d].Kind != "squeezed" {
			axis++
		}
	}
	return out
}

// reduction is a call that reduces or contracts what was loaded along an axis, the value having kept its shape until then.
func reduction(k *infer.Kernel, e *infer.Event, axis int) *infer.Call {
	values, by := flows(k, e.Value)
	kept := func(a *infer.Array) bool {
		if a == nil || !values[a] {
			return false
		}
		eq, known := a.Shape.Equal(e.Result)
		return eq && known
	}
	for _, c := range by {
		for _, prim := range c.Prims {
			for i, in := range prim.In {
				if !kept(in) && !(i < len(c.Args) && sameShape(in, c.Args[i].Value) && kept(array(c.Args[i].Value))) {
					continue
				}
				if slices.Contains(reduced(prim, i), axis) {
					return c
				}
			}
		}
	}
	return nil
}

func array(v infer.Value) *infer.Array {
	a, _ := v.(*infer.Array)
	return a
}

func sameShape(a *infer.Array, v infer.Value) bool {
	b := array(v)
	if a == nil || b == nil {
		return false
	}
	eq, known := a.Shape.Equal(b.Shape)
	return eq && known
}

// reduced are the axes of operand i that the primitive sums, or takes the largest of, and so on.
func reduced(p infer.Prim, i int) []int {
	switch {
	case p.Name == "dot_general" && i < 2:
		dims, ok := infer.Elements(p.Params["dimension_numbers"])
		if !ok || len(dims) == 0 {
			return nil
		}
		contracted, ok := infer.Elements(dims[0])
		if !ok || i >= len(contracted) {
			return nil
		}
		return numbers(contracted[i])
	case strings.HasPrefix(p.Name, "reduce_") && p.Name != "reduce_precision", p.Name == "argmax", p.Name == "argmin":
		return numbers(p.Params["axes"])
	}
	return nil
}

func numbers(v infer.Value) (out []int) {
	es, _ := infer.Elements(v)
	for _, e := range es {
		if n, ok := e.(*infer.Int); ok {
			if k, known := n.Known(); known {
				out = append(out, int(k))
			}
		}
	}
	return out
}
