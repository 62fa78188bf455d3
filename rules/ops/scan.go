package ops

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// scanExtensive models jax/_src/pallas/utils.py pattern_match_scan_to_fori_loop, which all backends call. What nothing uses of a scan is gone by then.
var scanExtensive = &rule.Rule{
	Name: "scan-with-xs",
	Page: page("scan_xs.md"),
	Call: on(onAny(func(p *rule.Pass, c *infer.Call) {
		switch k := c.Kernel; {
		case c.API == associativeScan:
			onTPU(associative)(p, c)
		case collects(k, c):
			p.Report(c.Loc, "%s collects the results of its steps; a loop in a kernel only carries values: store them into a ref in `jax.lax.fori_loop`", callee(c)).
				Says("ValueError: Scan with 1 extensive output(s) is not supported.")
		case consumes(k, c):
			p.Report(c.Loc, "%s takes an array apart row by row; a loop in a kernel only carries values: read the rows from a ref in `jax.lax.fori_loop`", callee(c)).
				Says("ValueError: Scan with 1 extensive argument(s) is not supported.")
		}
	}), "jax.lax.scan", "jax.lax.map", associativeScan),
}

const associativeScan = "jax.lax.associative_scan"

// associative: an associative scan halves the array down to nothing, and puts it together with padding between the elements.
func associative(p *rule.Pass, c *infer.Call) {
	v := c.Arg("elems")
	if t, ok := v.(*infer.Tuple); ok && len(t.Head) > 0 {
		v = t.Head[0]
	}
	axis, known := int64(0), true
	if a := c.Arg("axis"); a != nil {
		axis, known = number(a)
	}
	x, ok := array(v)
	if !ok || !known {
		return
	}
	if n, known := x.Shape.Dim(int(axis)).Known(); known && n > 1 {
		p.Report(c.Loc, "%s takes arrays apart into every other element, which a kernel can't; carry the result in `jax.lax.fori_loop`", callee(c)).
			Says("MLIRError: Invalid type: ... vector types must have positive constant sizes")
	}
}

// collects: arrays that the scan collects are used.
func collects(k *infer.Kernel, c *infer.Call) bool {
	v := c.Result
	if c.API == "jax.lax.scan" {
		t, ok := v.(*infer.Tuple)
		if !ok || len(t.Head) != 2 {
			return false
		}
		v = t.Head[1]
	}
	return anyUsed(k, v)
}

// consumes: rows that the body is given are used.
func consumes(k *infer.Kernel, c *infer.Call) bool {
	for _, b := range c.Bodies {
		if len(b.Args) == 2 && anyUsed(k, b.Args[1].Value) {
			return true
		}
	}
	return false
}

// anyUsed: an array of the tree is the operand of something.
func anyUsed(k *infer.Kernel, v infer.Value) bool {
	switch v := v.(type) {
	case *infer.Array:
		return usedIn(k, v)
	case *infer.Tuple:
		for _, e := range v.Head {
			if anyUsed(k, e) {
				return true
			}
		}
	}
	return false
}

func usedIn(k *infer.Kernel, x *infer.Array) bool {
	for _, e := range k.Events {
		if e.Op == infer.OpStore && e.Value == infer.Value(x) {
			return true
		}
	}
	for _, c := range k.Calls {
		for _, a := range c.Args {
			if a.Value == infer.Value(x) && !c.Unused {
				return true
			}
		}
	}
	return false
}

// scanReverse models jax/_src/pallas/mosaic/lowering.py _scan_lowering_rule.
var scanReverse = &rule.Rule{
	Name: "scan-reverse",
	Page: page("scan_reverse.md"),
	Call: on(onTPU(func(p *rule.Pass, c *infer.Call) {
		if isTrue(c.Arg("reverse")) {
			p.Report(c.ArgLoc("reverse"), "a loop in a kernel runs forward only: count down in its body, `n - 1 - i`").At(c.Loc).Says("NotImplementedError")
		}
	}), "jax.lax.scan"),
}
