// Package block holds the rules about BlockSpecs, grids and index maps.
package block

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
	anyBlockWindow, bufferCount, bufferLookahead, blockRank, blockRankZero, blockTiling, blockTiling1D, smemTiling, smemScalarGrid,
	windowWithoutGrid, argsSwapped, memorySpaceType, boundedSlice, elementMixed, indexMapArity, indexMapCount, indexMapCaptures,
	indexMapType, indexMap64, indexMapProgramID, inSpecsCount, inSpecsNone, inSpecsSequence, outSpecsStructure, prefetchOrder, gridInteger, gridPositive,
	gridConflict, semanticsLength, semanticsName, programIDAxis, programIDNoGrid, programIDOutside, blockType, pipelineIndexMap, boundedIndex, pipelineGridTuple, gridNegative, pipelineTiling, pipelineRank,
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

// specArg is where an argument of a BlockSpec is written, else the BlockSpec.
func specArg(p *rule.Pass, s *infer.Site, o *infer.Operand, name string) parse.Loc {
	if o.Spec == nil {
		return here(p, o.SpecLoc, s.Loc)
	}
	return here(p, o.Spec.Call.ArgLoc(name), o.Spec.Loc, s.Loc)
}

// each calls f for every block of a pallas_call that Mosaic lowers.
func each(f func(*rule.Pass, *infer.Site, *infer.Operand)) func(*rule.Pass, *infer.Site) {
	return func(p *rule.Pass, s *infer.Site) {
		if !s.Lowered() {
			return
		}
		for _, o := range s.Blocks() {
			f(p, s, o)
		}
	}
}

// plural is "1 value", "2 values".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// isWere is "is" or "are", as n things are.
func areN(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
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

// gridText shows a grid: (4, n).
func gridText(grid []*infer.Int) string {
	parts := make([]string, len(grid))
	for i, g := range grid {
		parts[i] = g.String()
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// text is the source at a place of the file at hand.
func text(p *rule.Pass, loc parse.Loc) string {
	start, end, ok := p.File.Range(loc)
	if !ok {
		return ""
	}
	return string(p.File.Src[start:end])
}
