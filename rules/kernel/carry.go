package kernel

import (
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// loopCarry models the comparison of carries in jax/_src/lax/control_flow/loops.py scan and while_loop.
var loopCarry = &rule.Rule{
	Name: "loop-carry-mismatch",
	Page: page("loop_carry.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){laxFori: foriCarry, plLoop: plCarry, laxWhile: whileCarry, laxScan: scanCarry},
}

func foriCarry(p *rule.Pass, c *infer.Call) { compareCarry(p, c, arg(c, "init_val", 3), body(c, 0)) }

func plCarry(p *rule.Pass, c *infer.Call) {
	init := c.Arg("init_carry")
	if init == nil {
		init = infer.None{}
	}
	compareCarry(p, c, init, body(c, 0))
}

func whileCarry(p *rule.Pass, c *infer.Call) { compareCarry(p, c, arg(c, "init_val", 2), body(c, 1)) }

func scanCarry(p *rule.Pass, c *infer.Call) {
	b := body(c, 0)
	if b == nil {
		return
	}
	if t, ok := sequence(b.Result); ok && len(all(t)) == 2 {
		out := *b
		out.Result = all(t)[0]
		compareCarry(p, c, arg(c, "init", 1), &out)
	}
}

func arg(c *infer.Call, name string, pos int) infer.Value {
	if v := c.Arg(name); v != nil {
		return v
	}
	return c.Pos(pos)
}

func body(c *infer.Call, i int) *infer.Body {
	if i < len(c.Bodies) && c.Bodies[i].Func != nil {
		return c.Bodies[i]
	}
	return nil
}

func compareCarry(p *rule.Pass, c *infer.Call, init infer.Value, b *infer.Body) {
	if init == nil || b == nil {
		return
	}
	why := carryDiffers(init, b.Result)
	if why == "" {
		return
	}
	d := p.Report(c.Loc, "the body of `%s` must return a carry like the one it gets: %s", short(c.API), why).
		Says("TypeError: scan body function carry input and carry output must have equal types, but they differ: ...")
	d.Also(here(p, bodyReturn(b), c.Loc), "the body returns here").Offer(startAs(p, c, init, b.Result))
}

// carryDiffers says how a carry differs from the one before; empty where that is not certain.
func carryDiffers(in, out infer.Value) string {
	if why := mappingDiffers(in, out); why != "" {
		return why
	}
	switch x := in.(type) {
	case infer.None:
		if something(out) && !isUnion(out) {
			return "it gets None and returns " + kind(out)
		}
	case *infer.Int, infer.Float, infer.Bool:
		return numberDiffers(out)
	case *infer.Array:
		return arrayDiffers(x, out)
	case *infer.Tuple, *infer.List:
		return sequenceDiffers(in, out)
	}
	return ""
}

// mappingDiffers: one of the two carries is a dict and the other is none. What a dict holds may have changed since, that it is one has not.
func mappingDiffers(in, out infer.Value) string {
	_, dict1 := in.(*infer.Dict)
	_, dict2 := out.(*infer.Dict)
	_, seq1 := sequence(in)
	_, seq2 := sequence(out)
	switch {
	case dict1 && leaf(out):
		return "it gets a dict and returns " + kind(out)
	case dict1 && seq2:
		return "it gets a dict and returns a sequence"
	case leaf(in) && dict2:
		return "it gets " + kind(in) + " and returns a dict"
	case seq1 && dict2:
		return "it gets a sequence and returns a dict"
	}
	return ""
}

func arrayDiffers(x *infer.Array, out infer.Value) string {
	switch y := out.(type) {
	case infer.None:
		return "it gets an array and returns None"
	case *infer.Tuple:
		return "it gets an array and returns a tuple"
	case *infer.Array:
		if same, known := x.Shape.Equal(y.Shape); known && !same {
			return "it gets shape " + x.Shape.String() + " and returns shape " + y.Shape.String()
		}
		if x.DType != "" && y.DType != "" && x.DType != y.DType && !x.Weak && !y.Weak {
			return "it gets " + string(x.DType) + " and returns " + string(y.DType)
		}
	}
	return ""
}

func sequenceDiffers(in, out infer.Value) string {
	if isNone(out) {
		return "it gets a sequence and returns None"
	}
	_, tuple1 := in.(*infer.Tuple)
	_, tuple2 := out.(*infer.Tuple)
	_, list2 := out.(*infer.List)
	if (tuple2 || list2) && tuple1 != tuple2 {
		return "one is a tuple, the other a list"
	}
	a, ok1 := sequence(in)
	if _, isArray := out.(*infer.Array); isArray && ok1 {
		return "it gets a sequence and returns an array"
	}
	b, ok2 := sequence(out)
	if !ok1 || !ok2 || a.Class != b.Class {
		return ""
	}
	x, y := all(a), all(b)
	if len(x) != len(y) {
		return "it gets " + plural(len(x), "value") + " and returns " + plural(len(y), "value")
	}
	for i := range x {
		if why := carryDiffers(x[i], y[i]); why != "" {
			return why
		}
	}
	return ""
}

func isNone(v infer.Value) bool { _, ok := v.(infer.None); return ok }

func isUnion(v infer.Value) bool { _, ok := v.(*infer.Union); return ok }

func numberDiffers(out infer.Value) string {
	switch y := out.(type) {
	case infer.None:
		return "it gets a number and returns None"
	case *infer.Tuple, *infer.List:
		return "it gets a number and returns a sequence"
	case *infer.Array:
		if n, ok := y.Shape.Rank(); ok && n > 0 {
			return "it gets a number and returns an array of shape " + y.Shape.String()
		}
	}
	return ""
}

// startAs converts the array that a loop starts with to the type that its body returns.
func startAs(p *rule.Pass, c *infer.Call, init, out infer.Value) *rule.Fix {
	x, isArray := init.(*infer.Array)
	y, ok := out.(*infer.Array)
	if !isArray || !ok || x.DType == y.DType || y.DType.IsExtended() {
		return nil
	}
	if same, known := x.Shape.Equal(y.Shape); !known || !same {
		return nil
	}
	for i := range c.Args {
		if a := &c.Args[i]; a.Value == init && a.Loc.Valid() {
			return edit.Cast(p, a.Loc, edit.NumPyName(y.DType))
		}
	}
	return nil
}
