package api

import (
	"strconv"
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// shapeType models jax/_src/core.py canonicalize_shape, and the call of tuple() on the shape of a memory space and of ShapeDtypeStruct.
var shapeType = &rule.Rule{
	Name: "shape-type",
	Page: page("shape.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"memory_space":         needsShape(true),
		"jax.ShapeDtypeStruct": needsShape(true),
		"jax.numpy.zeros":      needsShape(false),
		"jax.numpy.ones":       needsShape(false),
		"jax.numpy.empty":      needsShape(false),
		"jax.numpy.full":       needsShape(false),
	},
}

// needsShape checks the argument `shape`; sequence: a single number is none.
func needsShape(sequence bool) func(*rule.Pass, *infer.Call) {
	return func(p *rule.Pass, c *infer.Call) {
		if c.Open || c.Guarded {
			return
		}
		loc, v := c.ArgLoc("shape"), c.Arg("shape")
		switch v := v.(type) {
		case infer.DTypeVal:
			p.Report(loc, "the shape comes first, then the dtype; here the dtype stands first").At(c.Loc).
				Says("TypeError: '_ScalarMeta' object is not iterable").Offer(exchange(c))
		case *infer.Int:
			if sequence {
				p.Report(loc, "a shape is a tuple: `(%s,)`", loc.Text()).At(c.Loc).
					Says("TypeError: 'int' object is not iterable").Offer(inTuple(c))
			}
		case *infer.Tuple:
			reportFloat(p, c, v)
		case *infer.List:
			reportFloat(p, c, v.Content())
		}
	}
}

func reportFloat(p *rule.Pass, c *infer.Call, v infer.Value) {
	t, ok := v.(*infer.Tuple)
	if !ok {
		return
	}
	for i, e := range t.Head {
		f, isFloat := e.(infer.Float)
		if !isFloat {
			continue
		}
		loc := t.ElemLoc(i)
		if !loc.Valid() {
			loc = c.ArgLoc("shape")
		}
		p.Report(loc, "a size is an integer; this is a float, %s; divide with `//`", python(float64(f))).At(c.Loc).
			Says("TypeError: Shapes must be 1D sequences of concrete values of integer type, got ...")
		return
	}
}

// python is a float as Python prints it.
func python(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".en") {
		text += ".0"
	}
	return text
}

// exchange swaps the two arguments, where both are written without names.
func exchange(c *infer.Call) *rule.Fix {
	shape, dtype := c.Bound["shape"], c.Bound["dtype"]
	if shape == nil || dtype == nil || shape.Name != "" || dtype.Name != "" || shape.Loc.Text() == "" || dtype.Loc.Text() == "" {
		return nil
	}
	if _, isTuple := dtype.Value.(*infer.Tuple); !isTuple {
		return nil
	}
	return &rule.Fix{Title: "Exchange shape and dtype", Safety: rule.Safe,
		Edits: []rule.Edit{{Loc: shape.Loc, New: dtype.Loc.Text()}, {Loc: dtype.Loc, New: shape.Loc.Text()}}}
}

func inTuple(c *infer.Call) *rule.Fix {
	loc := c.ArgLoc("shape")
	if loc == c.Loc || loc.Text() == "" {
		return nil
	}
	return &rule.Fix{Title: "Make it a tuple", Safety: rule.Safe, Edits: []rule.Edit{{Loc: loc, New: "(" + loc.Text() + ",)"}}}
}
