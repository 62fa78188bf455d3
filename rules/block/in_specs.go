package block

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// inSpecsCount models the comparison of trees in jax/_src/pallas/core.py get_grid_mapping.
var inSpecsCount = &rule.Rule{
	Name:    "in-specs-count",
	Page:    page("in_specs_count.md"),
	Unbinds: true,
	Site: func(p *rule.Pass, s *infer.Site) {
		specs, d := inputsMismatch(s)
		if d == nil || d.none {
			return
		}
		operands := len(s.Operands) - s.Prefetch
		loc := argLoc(p, s, "in_specs")
		what := "`in_specs` has " + plural(len(specs.Head), "spec") + " for " + plural(operands, "operand")
		switch {
		case d.index >= 0:
			what = "`in_specs" + d.at + "` is " + d.left + " where the operand is " + d.right
			loc = here(p, specs.ElemLoc(d.index), loc)
		case callIsWrong(s, len(specs.Head)):
			what = "the call has " + plural(operands, "operand") + " for " + plural(len(specs.Head), "spec") + " in `in_specs`"
			loc = here(p, s.CallLoc, loc)
		case prefetchIsWrong(s, len(specs.Head)):
			loc = argLoc(p, s, "num_scalar_prefetch")
		}
		if s.Prefetch > 0 {
			what += ", after " + plural(s.Prefetch, "prefetched scalar")
		}
		found := report(p, s, loc, what, d)
		if d.index < 0 && !callIsWrong(s, len(specs.Head)) {
			found.Offer(addSpecs(p, s, specs, operands))
		}
	},
}

// inSpecsNone is the same where None stands for the spec of an array.
var inSpecsNone = &rule.Rule{
	Name: "in-specs-none-entry",
	Page: page("in_specs_none.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		specs, d := inputsMismatch(s)
		if d == nil || !d.none {
			return
		}
		loc := here(p, specs.ElemLoc(d.index), argLoc(p, s, "in_specs"))
		report(p, s, loc, "`in_specs"+d.at+"` is None, but the operand is an array; `pl.BlockSpec()` leaves it whole", d).Offer(leaveWhole(p, loc))
	},
}

func report(p *rule.Pass, s *infer.Site, loc parse.Loc, what string, d *mismatch) *rule.Diagnostic {
	path := ""
	if d.at != "" {
		path = "at " + d.at + ", "
	}
	return p.Report(loc, "%s", what).
		Says("ValueError: Pytree for `in_specs` and `inputs` do not match. There are 1 mismatches, including: * %s`in_specs` is %s but `inputs` is %s", path, d.left, d.right).
		Also(s.CallLoc, "the call with the operands").
		At(s.Loc)
}

// inputsMismatch compares in_specs with the operands of the call.
func inputsMismatch(s *infer.Site) (*infer.Tuple, *mismatch) {
	if s.API != "pallas_call" || !s.Called || s.Prefetch < 0 || s.InSpecs == nil {
		return nil, nil
	}
	specs, ok := asTuple(s.InSpecs).(*infer.Tuple)
	operands := &infer.Tuple{}
	for i, a := range s.Operands {
		if a.Name != "" || a.Star != 0 {
			return nil, nil
		}
		if i >= s.Prefetch {
			operands.Head = append(operands.Head, a.Value)
		}
	}
	if !ok || len(s.Operands) < s.Prefetch {
		return nil, nil
	}
	return specs, compareTrees(specs, operands, "", -1)
}

// callIsWrong: the kernel takes as many refs as there are specs, so that the number of operands is what does not fit.
func callIsWrong(s *infer.Site, specs int) bool {
	n, rest, ok := kernelTakes(s)
	return ok && n == s.Prefetch+specs+rest
}

// prefetchIsWrong: the index maps take as many refs as would make specs and operands fit.
func prefetchIsWrong(s *infer.Site, specs int) bool {
	if s.Prefetch == 0 || !s.GridKnown {
		return false
	}
	for _, o := range s.Blocks() {
		if o.Map != nil && o.Map.Func != nil {
			n, exact := o.Map.Func.Takes()
			return exact && n-len(s.Grid) == len(s.Operands)-specs
		}
	}
	return false
}

// kernelTakes is how many positional arguments the kernel takes, and how many of those it gets are outputs and scratch.
func kernelTakes(s *infer.Site) (n, rest int, ok bool) {
	if len(s.Kernels) == 0 || s.Kernels[0].Body == nil {
		return 0, 0, false
	}
	f, direct := s.Kernel.(*infer.Func)
	if !direct {
		return 0, 0, false
	}
	n, exact := f.Takes()
	given := 0
	for _, a := range s.Kernels[0].Body.Args {
		if a.Star != 0 {
			return 0, 0, false
		}
		if a.Name == "" {
			given++
		}
	}
	return n, given - len(s.Operands), exact
}
