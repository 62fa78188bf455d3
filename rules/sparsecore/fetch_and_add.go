package sparsecore

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// fetchAndAdd models jax/_src/pallas/mosaic/sc_primitives.py fetch_and_add and _fetch_and_add_abstract_eval.
var fetchAndAdd = &rule.Rule{
	Name: "sc-fetch-and-add",
	Page: page("fetch_and_add.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){plsc + "fetch_and_add": func(p *rule.Pass, c *infer.Call) {
		if v, isArray := c.Arg("x_ref").(*infer.Array); isArray && v.Traced && c.Kernel != nil {
			p.Report(c.ArgLoc("x_ref"), "`plsc.fetch_and_add` takes the place of an element, `ref.at[i]`; this is its value").At(c.Loc).
				Says("ValueError: Only refs in SMEM memory space are supported, but got ...")
			return
		}
		ref, ok := c.Arg("x_ref").(*infer.Ref)
		if !ok || c.Kernel == nil {
			return
		}
		if !checkCounter(p, c, ref) && !checkScalar(p, c, "value", "The value must be a scalar of the same type as the ref (int32), but got") {
			checkScalar(p, c, "subcore_id", "subcore_id= must be a scalar of type int32, but got")
		}
	}},
}

// checkCounter says what is wrong about the ref that is added to.
func checkCounter(p *rule.Pass, c *infer.Call, ref *infer.Ref) bool {
	loc := c.ArgLoc("x_ref")
	switch n, sized := elements(ref.View); {
	case sized && n != 1:
		p.Report(loc, "`plsc.fetch_and_add` adds to one element, and this view of `%s` has %d; take one, `%s.at[i]`", ref.Name, n, ref.Name).At(c.Loc).
			Says("ValueError: Expected a scalar ref, but got x_ref.shape=%s.", ref.View).Offer(firstElement(p, loc, ref))
	case sliced(ref):
		p.Report(loc, "`plsc.fetch_and_add` wants the element by an integer, `%s.at[i]`; this is a slice", ref.Name).At(c.Loc).
			Says("ValueError: fetch_and_add only supports refs indexed with non-slice indices")
	case no(ref.DType, jax.Int32):
		p.Report(loc, "`plsc.fetch_and_add` adds to int32; `%s` is %s", ref.Name, ref.DType).At(c.Loc).
			Says("NotImplementedError: Only int32 refs are supported, but got %s", ref.DType).Because(ref.Why)
	case ref.Spaces.Never(jax.SMEM):
		p.Report(loc, "`plsc.fetch_and_add` reaches SMEM of other subcores only; `%s` is in %s", ref.Name, ref.Spaces).At(c.Loc).
			Says("ValueError: Only refs in SMEM memory space are supported, but got %s", ref.Spaces).Because(ref.Why).
			Offer(inSMEM(p, c.Kernel, ref))
	default:
		return false
	}
	return true
}

// elements is how many the shape holds.
func elements(s infer.Shape) (int64, bool) {
	if s.Dims == nil {
		return 0, false
	}
	n := int64(1)
	for _, d := range s.Dims {
		k, known := d.Known()
		if !known {
			return 0, false
		}
		n *= k
	}
	return n, true
}

// sliced: the one step that made the view has a slice among its subscripts.
func sliced(r *infer.Ref) bool {
	if len(r.Steps) != 1 || r.Steps[0].Kind != "at" {
		return false
	}
	for _, x := range r.Steps[0].Index {
		if x.Kind == infer.IndexSlice || x.Kind == infer.IndexFull {
			return true
		}
	}
	return false
}

// checkScalar: the argument must be an int32 scalar.
func checkScalar(p *rule.Pass, c *infer.Call, arg, words string) bool {
	what := ""
	var fix *rule.Fix
	switch v := c.Arg(arg).(type) {
	case infer.Float:
		what = "a float"
	case *infer.Array:
		switch rank, known := v.Shape.Rank(); {
		case known && rank > 0:
			what = "an array of shape " + v.Shape.String()
		case no(v.DType, jax.Int32):
			what = string(v.DType)
			fix = edit.Cast(p, c.ArgLoc(arg), "int32")
		}
	}
	if what == "" {
		return false
	}
	p.Report(c.ArgLoc(arg), "`%s` of `plsc.fetch_and_add` is %s; it must be an int32 scalar", arg, what).At(c.Loc).Says("ValueError: %s ...", words).Offer(fix)
	return true
}
