package block

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// semanticsLength models jax/_src/pallas/mosaic/lowering.py MosaicGridMapping.
var semanticsLength = &rule.Rule{
	Name: "dimension-semantics-length",
	Page: page("semantics_length.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		v, loc := semantics(p, s)
		if v == nil || !s.GridKnown {
			return
		}
		n := 0
		says := ""
		if str, ok := v.(infer.Str); ok {
			n = len([]rune(string(str)))
			says = " (a bare string counts as its characters)"
		} else if t, ok := sequence(v); ok && t.Rest == nil {
			n = len(t.Head) + len(t.Tail)
		} else {
			return
		}
		if n == len(s.Grid) {
			return
		}
		p.Report(loc, "`dimension_semantics` has %s%s for a grid of %s", plural(n, "entry"), says, plural(len(s.Grid), "axis")).
			Says("ValueError: Length of grid does not match length of dimension semantics. len(grid)=%d, len(dimension_semantics)=%d", len(s.Grid), n).
			Also(argLoc(p, s, "grid"), "the grid %s", gridText(s.Grid)).
			Offer(inTuple(p, s, v, loc), arbitrary(p, s, v, loc, n)).
			At(s.Loc)
	},
}

// inTuple makes a tuple of a bare string.
func inTuple(p *rule.Pass, s *infer.Site, v infer.Value, loc parse.Loc) *rule.Fix {
	t := text(p, loc)
	if _, ok := v.(infer.Str); !ok || t == "" || len(s.Grid) != 1 || loc == s.Loc {
		return nil
	}
	return &rule.Fix{Title: "Make it a tuple", Safety: rule.Safe, Edits: []rule.Edit{{Loc: loc, New: "(" + t + ",)"}}}
}

// semanticsName models the parsing of the attribute in jax/_src/pallas/mosaic/lowering.py _get_dimension_semantics.
var semanticsName = &rule.Rule{
	Name: "dimension-semantics-name",
	Page: page("semantics_name.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		v, loc := semantics(p, s)
		t, ok := sequence(v)
		if v == nil || !ok {
			return
		}
		for i, e := range t.Head {
			if name, ok := e.(infer.Str); ok && !knownSemantics[string(name)] {
				at := here(p, t.ElemLoc(i), loc)
				p.Report(at, "'%s' is no dimension semantics; use %s", name, strings.Join(semanticsNames, ", ")).
					Offer(nearestSemantics(p, at, string(name))).
					Says("MLIRError: Unable to parse attribute: \"#tpu.dimension_semantics<%s>\": expected ::mlir::tpu::DimensionSemantics to be one of: parallel, arbitrary, core_parallel, subcore_parallel", name).
					At(s.Loc)
			}
		}
	},
}

var (
	semanticsNames = []string{"'parallel'", "'arbitrary'", "'core_parallel'", "'subcore_parallel'"}
	knownSemantics = map[string]bool{"parallel": true, "arbitrary": true, "core_parallel": true, "subcore_parallel": true}
)

// semantics is the dimension_semantics that a pallas_call is lowered with, nil when there is none.
func semantics(p *rule.Pass, s *infer.Site) (infer.Value, parse.Loc) {
	params, ok := s.Params.(*infer.Params)
	if !ok || !s.Lowered() {
		return nil, parse.Loc{}
	}
	v := params.Call.Arg("dimension_semantics")
	if _, none := v.(infer.None); none {
		return nil, parse.Loc{}
	}
	return v, here(p, params.Call.ArgLoc("dimension_semantics"), s.Loc)
}
