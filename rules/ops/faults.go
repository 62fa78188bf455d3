package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// inKernels calls f for each fault of the given kinds that the interpretation met in a kernel, on a path that is certain.
func inKernels(f func(*rule.Pass, *infer.Fault), kinds ...string) func(*rule.Pass, *infer.World) {
	return func(p *rule.Pass, w *infer.World) {
		for _, x := range w.Faults {
			if x.Kernel != nil && !onGPU(x.Kernel) && decided(x.Path) && contains(kinds, x.Kind) {
				f(p, x)
			}
		}
	}
}

// operands are the arrays among the values of a fault.
func operands(x *infer.Fault) []*infer.Array {
	var out []*infer.Array
	for _, v := range x.Values {
		if a, ok := v.(*infer.Array); ok {
			out = append(out, a)
		}
	}
	return out
}

// shapes shows the shapes of arrays in a sentence.
func shapes(as []*infer.Array) string {
	text := ""
	for i, a := range as {
		switch {
		case i == 0:
		case i == len(as)-1:
			text += " and "
		default:
			text += ", "
		}
		text += a.Shape.String()
	}
	return text
}

// axisRange models jax/_src/util.py canonicalize_axis.
var axisRange = &rule.Rule{
	Name:    "axis-out-of-range",
	Page:    page("axis_range.md"),
	Follows: true,
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		if len(x.Values) == 0 {
			return
		}
		if rank, ok := number(x.Values[0]); ok {
			p.Report(x.Loc, "axis %s: the array has %s here", x.Detail, count(int(rank), "dimension")).
				Says("ValueError: axis %s is out of bounds for array of dimension %d", x.Detail, rank)
		}
	}, "axis-range"),
}

// concatenated models jax/_src/lax/lax.py _concatenate_shape_rule and jnp.stack.
var concatenated = &rule.Rule{
	Name:    "concatenate-mismatch",
	Page:    page("concatenate.md"),
	Follows: true,
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		if as := operands(x); len(as) > 1 {
			p.Report(x.Loc, "arrays of shapes %s are joined; they may differ along the joined axis only", shapes(as)).
				Says("TypeError: Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated")
		}
	}, "concat"),
}

// squeezed models jax/_src/lax/lax.py _compute_squeeze_shape.
var squeezed = &rule.Rule{
	Name:    "squeeze-size",
	Page:    page("squeeze.md"),
	Follows: true,
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		as := operands(x)
		if len(as) != 1 || len(x.Values) < 2 {
			return
		}
		axis, _ := number(x.Values[1])
		p.Report(x.Loc, "axis %d of an array of shape %s is squeezed, but has size %s; only dimensions of size 1 can be taken away", axis, as[0].Shape, as[0].Shape.Dim(int(axis))).
			Says("ValueError: cannot select an axis to squeeze out which has size not equal to one, got shape=%s and dimensions=(%d,)", as[0].Shape, axis)
	}, "squeeze"),
}

// splitParts models jax/_src/numpy/lax_numpy.py _split.
var splitParts = &rule.Rule{
	Name:    "split-size",
	Page:    page("split.md"),
	Follows: true,
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		if as := operands(x); len(as) == 1 && len(x.Values) == 2 {
			if n, ok := number(x.Values[1]); ok {
				p.Report(x.Loc, "an array of shape %s does not split into %d equal parts; `jnp.array_split` makes unequal ones", as[0].Shape, n).
					Says("ValueError: array split does not result in an equal division")
			}
		}
	}, "split"),
}

// indexCount models the check of jax/_src/indexing.py.
var indexCount = &rule.Rule{
	Name:    "value-too-many-indices",
	Page:    page("index_count.md"),
	Follows: true,
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		if as := operands(x); len(as) == 1 {
			p.Report(x.Loc, "%s subscripts for a value of shape %s", x.Detail, as[0].Shape).
				Says("IndexError: Too many indices: array is %d-dimensional, but %s were indexed", len(as[0].Shape.Dims), x.Detail)
		}
	}, "index-count"),
}

// indexMask models jax/_src/indexing.py, which needs the values of a mask to know how many elements it selects.
var indexMask = &rule.Rule{
	Name: "value-boolean-mask",
	Page: page("index_mask.md"),
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		p.Report(x.Loc, "a value is indexed by a mask; how many elements that selects only the run knows: use `jnp.where(mask, value, other)`").
			Says("NonConcreteBooleanIndexError: Array boolean indices must be concrete")
	}, "index-mask"),
}

// sliceTraced models jax/_src/indexing.py, whose slices have bounds that Python knows.
var sliceTraced = &rule.Rule{
	Name: "value-slice-traced",
	Page: page("slice_traced.md"),
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		p.Report(x.Loc, "%s has a bound that only the run knows, and values can't be sliced so; slice the ref that it came from, with `pl.ds(start, size)`", written(x.Loc, "this slice of a value")).
			Says("IndexError: Array slice indices must have static start/stop/step to be used with NumPy indexing syntax.")
	}, "slice-traced"),
}

// itemAssignment models jax/_src/basearray.py: arrays don't change.
var itemAssignment = &rule.Rule{
	Name: "array-item-assignment",
	Page: page("item_assignment.md"),
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		p.Report(x.Loc, "%s assigns into a value, which never changes; store into a ref, or select with `jnp.where`", written(x.Loc, "this")).
			Says("TypeError: JAX arrays are immutable and do not support in-place item assignment.")
	}, "array-assign"),
}

// shapeTraced models jax/_src/core.py canonicalize_shape.
var shapeTraced = &rule.Rule{
	Name: "shape-from-traced",
	Page: page("shape_traced.md"),
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		if x.Detail != "" { // a function whose result has the size that values give, which size-from-values says
			return
		}
		p.Report(x.Loc, "the shape of this depends on a value that only the run knows; shapes are numbers of Python").
			Says("TypeError: Shapes must be 1D sequences of concrete values of integer type")
	}, "traced-shape"),
}

// numpyOnTraced models jax/_src/core.py Tracer.__array__.
var numpyOnTraced = &rule.Rule{
	Name: "numpy-on-traced",
	Page: page("numpy_traced.md"),
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		p.Report(x.Loc, "numpy is given a value that only the run knows; take the function of `jax.numpy`").
			Says("TracerArrayConversionError: The numpy.ndarray conversion method __array__() was called on traced array").
			Offer(sameInJAX(p, x))
	}, "numpy-on-traced"),
}

// operandDType models jax/_src/lax/lax.py naryop_dtype_rule and jax/_src/dtypes.py promote_types.
var operandDType = &rule.Rule{
	Name:    "operand-dtype",
	Page:    page("operand_dtype.md"),
	Follows: true,
	Kernel:  boolExtremum,
	World: inKernels(func(p *rule.Pass, x *infer.Fault) {
		if hasSemaphore(operands(x)) {
			return // which has a rule of its own
		}
		if x.Kind == "promotion" {
			p.Report(x.Loc, "%s have no common dtype; convert one of them with `.astype`", x.Detail).
				Says("TypePromotionError: Input dtypes have no available implicit dtype promotion path.")
			return
		}
		p.Report(x.Loc, "%s does not take %s", written(x.Loc, "this operation"), x.Detail).Says("TypeError: ... does not accept dtype %s", x.Detail)
	}, "promotion", "op-dtype"),
}
