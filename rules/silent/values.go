package silent

import (
	"slices"
	"strings"

	"pallas-lsp/rules/infer"
)

// calls are all calls of the kernel and of the pipelines in it.
func calls(k *infer.Kernel) []*infer.Call {
	out := slices.Clone(k.Calls)
	for _, s := range k.Inner {
		for _, in := range s.Kernels {
			out = append(out, calls(in)...)
		}
	}
	return out
}

// flows are the values that are computed from v, with v itself, and the calls that compute with them.
func flows(k *infer.Kernel, v infer.Value) (values map[*infer.Array]bool, by []*infer.Call) {
	values = map[*infer.Array]bool{}
	mark(values, v)
	for _, c := range calls(k) {
		if !like(c) && slices.ContainsFunc(c.Args, func(a infer.Arg) bool { return has(values, a.Value) }) {
			by = append(by, c)
			mark(values, c.Result)
		}
	}
	return values, by
}

func mark(values map[*infer.Array]bool, v infer.Value) {
	if a, ok := v.(*infer.Array); ok {
		values[a] = true
		return
	}
	if es, ok := infer.Elements(v); ok {
		for _, e := range es {
			mark(values, e)
		}
	}
}

func has(values map[*infer.Array]bool, v infer.Value) bool {
	if a, ok := v.(*infer.Array); ok {
		return values[a]
	}
	es, _ := infer.Elements(v)
	return slices.ContainsFunc(es, func(e infer.Value) bool { return has(values, e) })
}

// stored: the value that an event loads, or something computed from it, is stored somewhere.
func stored(k *infer.Kernel, load *infer.Event) bool {
	values, _ := flows(k, load.Value)
	return load.Aug != "" || slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool { return e.Op == infer.OpStore && has(values, e.Value) })
}

// shapeOnly: nothing but the shape and type of the value is used.
func shapeOnly(k *infer.Kernel, load *infer.Event) bool {
	likes := slices.ContainsFunc(calls(k), func(c *infer.Call) bool {
		return like(c) && slices.ContainsFunc(c.Args, func(a infer.Arg) bool { return a.Value == load.Value })
	})
	_, by := flows(k, load.Value)
	return likes && len(by) == 0 && !stored(k, load)
}

// like: a call that takes the shape and type of an array, and none of its values.
func like(c *infer.Call) bool {
	return strings.HasSuffix(c.API, "_like") || strings.HasSuffix(c.API, ".shape")
}

// chosen: the value goes into a selection, which may leave it out; not where the value itself, compared, is what decides.
func chosen(k *infer.Kernel, v infer.Value) bool {
	_, by := flows(k, v)
	return slices.ContainsFunc(by, func(c *infer.Call) bool {
		return selects(c) && !slices.ContainsFunc(by, func(m *infer.Call) bool { return decides(m, c, v) })
	})
}

// decides: the call compares the value, and what comes of it is the selection's condition.
func decides(m, selection *infer.Call, v infer.Value) bool {
	compares := slices.ContainsFunc(m.Prims, func(p infer.Prim) bool { return slices.Contains([]string{"gt", "lt", "ge", "le"}, p.Name) })
	return compares && len(selection.Args) > 0 && m.Result == selection.Args[0].Value && slices.ContainsFunc(m.Args, func(a infer.Arg) bool { return a.Value == v })
}

func selects(c *infer.Call) bool {
	if slices.ContainsFunc(c.Prims, func(p infer.Prim) bool { return p.Name == "select_n" }) {
		return true
	}
	switch c.API {
	case "jax.numpy.where", "jax.lax.select", "jax.lax.select_n", "jax.numpy.select", "jax.lax.cond", "jax.lax.switch":
		return true
	}
	return false
}

// selecting: the value, or something computed from it, is an index.
func selecting(k *infer.Kernel, v infer.Value) bool {
	values, by := flows(k, v)
	for _, c := range by {
		if strings.HasPrefix(c.API, "jax.experimental.pallas.") {
			return true
		}
	}
	for _, e := range k.Flow() {
		index := slices.Clone(e.Index)
		for _, r := range e.Refs {
			if r == nil {
				continue
			}
			for _, s := range r.Steps {
				index = append(index, s.Index...)
			}
		}
		if slices.ContainsFunc(index, func(x infer.IndexItem) bool { return has(values, x.Value) }) {
			return true
		}
	}
	return false
}
