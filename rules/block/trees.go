package block

import (
	"strconv"

	"pallas-lsp/rules/infer"
)

// mismatch is a difference between two pytrees of known form.
type mismatch struct {
	at    string // the path, as JAX prints it: [1]
	index int    // the first step of the path; -1: the whole
	left  string // what is there in either tree
	right string
	none  bool // a None stands for a leaf on the left
}

// compareTrees finds the first difference between a tree of specs and a tree of arrays or types; nil where none is certain.
func compareTrees(left, right infer.Value, at string, index int) *mismatch {
	l, r := form(left), form(right)
	if l == "" || r == "" {
		return nil
	}
	if l != r {
		return &mismatch{at, index, l, r, l == "None" && r == "a leaf"}
	}
	if l == "a leaf" || l == "None" {
		return nil
	}
	if l == "a dict" {
		return compareDicts(left.(*infer.Dict), right.(*infer.Dict), at, index)
	}
	a, ok1 := sequence(left)
	b, ok2 := sequence(right)
	if !ok1 || !ok2 || a.Class != b.Class {
		return nil
	}
	if d := compareLengths(a, b, at, index, l); d != nil {
		return d
	}
	if a.Rest != nil || b.Rest != nil {
		return nil
	}
	for i := range min(len(a.Head), len(b.Head)) {
		first := index
		if at == "" {
			first = i
		}
		if d := compareTrees(a.Head[i], b.Head[i], at+"["+strconv.Itoa(i)+"]", first); d != nil {
			return d
		}
	}
	return nil
}

func compareLengths(a, b *infer.Tuple, at string, index int, kind string) *mismatch {
	n, known1 := a.Len()
	m, known2 := b.Len()
	if !known1 || !known2 || n == m {
		return nil
	}
	return &mismatch{at: at, index: index, left: kind + " of length " + strconv.Itoa(n), right: kind + " of length " + strconv.Itoa(m)}
}

// compareDicts compares two dicts by their keys.
func compareDicts(a, b *infer.Dict, at string, index int) *mismatch {
	left, right := entries(a), entries(b)
	if left == nil || right == nil {
		return nil
	}
	for k := range left {
		if _, ok := right[k]; !ok {
			return &mismatch{at: at, index: index, left: "a dict with key '" + k + "'", right: "a dict without it"}
		}
	}
	for k, v := range right {
		u, ok := left[k]
		if !ok {
			return &mismatch{at: at, index: index, left: "a dict without key '" + k + "'", right: "a dict with it"}
		}
		if d := compareTrees(u, v, at+"['"+k+"']", index); d != nil {
			return d
		}
	}
	return nil
}

// entries are the values of a dict by name; nil where a key is no string.
func entries(d *infer.Dict) map[string]infer.Value {
	keys, vals, _ := d.Items()
	out := map[string]infer.Value{}
	for i, k := range keys {
		s, ok := k.(infer.Str)
		if !ok {
			return nil
		}
		out[string(s)] = vals[i]
	}
	return out
}

// form is what a value is in a pytree; empty where that is not certain.
func form(v infer.Value) string {
	switch v := v.(type) {
	case infer.None:
		return "None"
	case *infer.Tuple:
		if v.Class != nil {
			return ""
		}
		return "a tuple"
	case *infer.List:
		if _, ok := sequence(v); ok {
			return "a list"
		}
	case *infer.Dict:
		if _, _, open := v.Items(); !open {
			return "a dict"
		}
	case *infer.BlockSpec, *infer.Array, *infer.Ref, *infer.ShapeStruct, *infer.MemSpec, *infer.SpaceVal:
		return "a leaf"
	case *infer.API:
		if v.Name == "jax.experimental.pallas.no_block_spec" {
			return "a leaf"
		}
	}
	return ""
}

// asTuple takes a list for a tuple, as JAX does at the top of in_specs, out_specs and out_shape.
func asTuple(v infer.Value) infer.Value {
	if l, ok := v.(*infer.List); ok {
		if t, ok := sequence(l); ok {
			return t
		}
	}
	return v
}
