package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// inSpecsSequence models jax/_src/pallas/core.py GridSpec.__init__.
var inSpecsSequence = &rule.Rule{
	Name: "in-specs-not-sequence",
	Page: page("in_specs_sequence.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" {
			return
		}
		loc := argLoc(p, s, "in_specs")
		switch s.InSpecs.(type) {
		case *infer.BlockSpec, *infer.SpaceVal:
			p.Report(loc, "`in_specs` is a single spec; it must be a list or tuple with one spec for each operand").
				Says("ValueError: `in_specs` must be a tuple or a list. Found: BlockSpec(...)").
				Offer(wrapInList(p, s))
		case *infer.Dict, infer.None:
			p.Report(loc, "`in_specs` must be a list or tuple with one spec for each operand").
				Says("ValueError: `in_specs` must be a tuple or a list. Found: ...")
		}
	},
}

func wrapInList(p *rule.Pass, s *infer.Site) *rule.Fix {
	loc := argLoc(p, s, "in_specs")
	t := text(p, loc)
	if _, ok := s.InSpecs.(*infer.BlockSpec); !ok || t == "" || loc == s.Loc {
		return nil
	}
	return &rule.Fix{Title: "Make it a list", Safety: rule.Safe, Edits: []rule.Edit{{Loc: loc, New: "[" + t + "]"}}}
}
