package trace

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// tooManyIndices models jax/_src/state/indexing.py NDIndexer.from_indices_shape.
var tooManyIndices = &rule.Rule{
	Name:    "ref-too-many-indices",
	Follows: true,
	Page:    page("too_many_indices.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		r := ref(x)
		if r == nil || len(x.Values) < 2 {
			return
		}
		rank, _ := r.View.Rank()
		n, _ := infer.AsInt(x.Values[1]).Known()
		p.Report(x.Loc, "%d indices for `%s`, which has shape %s here, rank %d", n, r.Name, r.View, rank).
			Says("ValueError: `indices` must not be longer than `shape`").Because(r.Why).Offer(fewerIndices(p, x, r, int(n)-rank))
	}, "too-many-indices"),
}

// tracedSlice models jax/_src/state/indexing.py Slice.from_slice, which needs numbers.
var tracedSlice = &rule.Rule{
	Name: "python-slice-with-traced-bound",
	Page: page("traced_slice.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		p.Report(x.Loc, "the bounds of a Python slice must be numbers; `%s` depends on a value that only the run knows", x.Loc.Text()).
			Says("TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].").
			Offer(sized(p, x))
	}, "traced-slice"),
}

// atAssign: `r.at[i] = v` assigns to the view's own object, which has no item assignment.
var atAssign = &rule.Rule{
	Name: "ref-at-assignment",
	Page: page("at_assign.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		r := ref(x)
		if r == nil {
			return
		}
		p.Report(x.Loc, "`%s.at[...]` is a view and can't be assigned to; store with `%s[...] = value`", r.Name, r.Name).
			Says("TypeError: 'RefIndexer' object does not support item assignment").
			Offer(withoutAt(p, x.Loc))
	}, "at-assign"),
}

// refAsValue: arithmetic and functions of jax.numpy want arrays.
var refAsValue = &rule.Rule{
	Name: "ref-used-as-value",
	Page: page("ref_as_value.md"),
	World: faults(func(p *rule.Pass, x *infer.Fault) {
		r := ref(x)
		if r == nil {
			return
		}
		if r.High || r.Guess {
			return
		}
		d := p.Report(x.Loc, "`%s` is a ref, not an array; read it with `%s[...]`", r.Name, r.Name).Because(r.Why).Offer(readRefs(p, x))
		if x.Kind == "ref-attribute" {
			d.Says("AttributeError: 'AbstractRef' object has no attribute '%s'", x.Detail)
		}
	}, "ref-as-array", "ref-attribute"),
}
