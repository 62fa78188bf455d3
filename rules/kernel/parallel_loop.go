package kernel

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const parallelLoop = "jax.experimental.pallas.tpu_sc.parallel_loop"

// parallelCarry models jax/_src/pallas/mosaic/sc_primitives.py parallel_loop, which compares the structure of carries and takes no refs or numbers.
var parallelCarry = &rule.Rule{
	Name: "sc-parallel-loop-carry",
	Page: page("parallel_carry.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){parallelLoop: func(p *rule.Pass, c *infer.Call) {
		carry := c.Arg("carry")
		if carry == nil || isNone(carry) {
			return
		}
		if what := uncarried(carry); what != "" {
			p.Report(c.ArgLoc("carry"), "`plsc.parallel_loop` carries arrays, and is given %s", what).At(c.Loc).Says("%s", uncarriedSays(what))
			return
		}
		b := body(c, 0)
		if b == nil {
			return
		}
		if why := structureDiffers(carry, b.Result); why != "" {
			d := p.Report(c.Loc, "the body of `plsc.parallel_loop` must return a carry like the one it gets: %s", why).
				Says("ValueError: parallel_loop: body result should have same structure as carry: ...")
			d.Also(here(p, bodyReturn(b), c.Loc), "the body returns here")
		}
	}},
}

// uncarried is what a carry holds that can't be carried; empty where there is nothing for certain.
func uncarried(v infer.Value) string {
	switch v := v.(type) {
	case *infer.Ref:
		return "the ref `" + v.Name + "`"
	case *infer.Int:
		return "a Python int; take `jnp.int32(...)`"
	case infer.Float:
		return "a Python float; take `jnp.float32(...)`"
	case *infer.Tuple:
		for _, e := range all(v) {
			if what := uncarried(e); what != "" {
				return what
			}
		}
	}
	return ""
}

func uncarriedSays(what string) string {
	if what[:3] == "the" {
		return "ValueError: ... traced for parallel_loop returned a mutable array reference"
	}
	return "AttributeError: object has no attribute 'aval'"
}

// structureDiffers says how the trees of two carries differ, whatever their leaves are; empty where that is not certain.
func structureDiffers(in, out infer.Value) string {
	if why := mappingDiffers(in, out); why != "" {
		return why
	}
	a, seq1 := sequence(in)
	b, seq2 := sequence(out)
	_, array1 := in.(*infer.Array)
	switch {
	case isNone(out):
		return "it returns None"
	case array1 && seq2:
		return "it gets an array and returns a sequence"
	case seq1 && leaf(out):
		return "it gets a sequence and returns an array"
	case seq1 && seq2 && a.Class == b.Class:
		return elementsDiffer(all(a), all(b))
	}
	return ""
}

func elementsDiffer(x, y []infer.Value) string {
	if len(x) != len(y) {
		return "it gets " + plural(len(x), "value") + " and returns " + plural(len(y), "value")
	}
	for i := range x {
		if why := structureDiffers(x[i], y[i]); why != "" {
			return why
		}
	}
	return ""
}

func leaf(v infer.Value) bool {
	switch v.(type) {
	case *infer.Array, *infer.Int, infer.Float, infer.Bool:
		return true
	}
	return false
}
