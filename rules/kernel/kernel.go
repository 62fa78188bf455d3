// Package kernel holds the rules about call sites: pallas_call, pl.kernel, their meshes, operands, outputs, scratch and parameters, and the kernel functions they run.
package kernel

import (
	"embed"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{
	kernelArity, meshKernelArity, pipelineArity, scopedArity, kernelCaptures, kernelReturns, pipelineReturns, outShapeType,
	scratchSequence, scratchType, meshScratchType, scopedType, scopedOutside, scopedCollective, scopedEscape, aliasRange, aliasType, aliasPrefetch, aliasSpace,
	aliasMapping, paramsType, paramsField, sideEffects, tcOnlyFlag, barrierID, idWithoutBarrier, costFloat, branchTraced, loopTraced,
	whenArity, whenScalar, whenReturns, loopArity, loopCarry, parallelCarry, branchTypes, whileCondition, gradThrough, vmapAny, pipelineOperands, pipelineGrid, pipelineSpace,
	pipelineBuffers, meshSize, meshSequence, meshSemantics, meshCompatible, meshMemory, meshScratchCore, meshTensorCore, sameRef, noSparseCore,
	axisName, dtype64, vmemLimit, pipelinePartition, pipelineValue, pipelineCoreAxis, scratchNegative, barrierTags, helperArity, meshArguments, meshMissing,
}

// here is the first of the places that is in the file at hand.
func here(p *rule.Pass, locs ...parse.Loc) parse.Loc {
	for _, l := range locs {
		if _, _, ok := p.File.Range(l); l.Valid() && ok {
			return l
		}
	}
	return locs[len(locs)-1]
}

// argLoc is where an argument of the site is written, which may stand in its grid spec.
func argLoc(p *rule.Pass, s *infer.Site, name string) parse.Loc {
	if a := s.Call.Bound[name]; a != nil {
		return here(p, a.Loc, s.Loc)
	}
	if g, ok := s.Call.Arg("grid_spec").(*infer.GridSpec); ok && g.Call != nil {
		if a := g.Call.Bound[name]; a != nil {
			return here(p, a.Loc, g.Loc, s.Loc)
		}
	}
	return s.Loc
}

// plural is "1 value", "2 values".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// sequence is the content of a tuple or list of known form.
func sequence(v infer.Value) (*infer.Tuple, bool) {
	switch v := v.(type) {
	case *infer.Tuple:
		return v, v.Rest == nil
	case *infer.List:
		t, ok := v.Content().(*infer.Tuple)
		if !ok || v.Changed || t.Rest != nil {
			return nil, false
		}
		c := *t
		if c.Node == nil {
			c.Node, c.Loc = v.Node, v.Loc
		}
		return &c, true
	}
	return nil, false
}

// all are the elements of a sequence of known form.
func all(t *infer.Tuple) []infer.Value { return append(t.Head[:len(t.Head):len(t.Head)], t.Tail...) }

// isFunction: it is a function, whatever it does.
func isFunction(v infer.Value) bool {
	switch v.(type) {
	case *infer.Func, *infer.Partial, *infer.Bound, *infer.Wrapped:
		return true
	}
	return false
}

// something: the value is known to be there, and not None.
func something(v infer.Value) bool {
	switch v := v.(type) {
	case nil, infer.None, *infer.Opaque:
		return false
	case *infer.Union:
		for _, a := range v.Alts {
			if !something(a) {
				return false
			}
		}
	}
	return true
}

// text is the source at a place of the file at hand.
func text(p *rule.Pass, loc parse.Loc) string {
	start, end, ok := p.File.Range(loc)
	if !ok {
		return ""
	}
	return string(p.File.Src[start:end])
}

// dims shows the shape of an array without the brackets of a tuple.
func dims(s infer.Shape) string {
	t := s.String()
	return strings.TrimSuffix(t[1:len(t)-1], ",")
}
