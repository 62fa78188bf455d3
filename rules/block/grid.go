package block

import (
	"fmt"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// gridInteger models jax/_src/pallas/core.py GridSpec.__init__ and jax/_src/pallas/mosaic/pipeline.py _emit_pipeline.
var gridInteger = &rule.Rule{
	Name: "grid-not-integer",
	Page: page("grid_integer.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" && s.API != "emit_pipeline" {
			return
		}
		t, listed := sequence(s.GridArg)
		if !listed {
			t = &infer.Tuple{Head: []infer.Value{s.GridArg}, Loc: argLoc(p, s, "grid")}
		}
		for i, v := range t.Head {
			if named, ok := v.(*infer.Tuple); ok && len(named.Head) == 2 {
				v = named.Head[1]
			}
			what := notAnInteger(v)
			if what == "" {
				continue
			}
			axis := "the grid"
			if listed {
				axis = fmt.Sprintf("axis %d of the grid", i)
			}
			p.Report(here(p, t.ElemLoc(i), argLoc(p, s, "grid")), "%s is %s, not an integer; `pl.cdiv(a, b)` or `a // b` gives a number of blocks", axis, what).
				Says("ValueError: Grid must be a tuple of integers or jax.Array, got ...").
				Offer(floorDivision(p, t, i, v))
			return
		}
	},
}

func notAnInteger(v infer.Value) string {
	switch v := v.(type) {
	case infer.Float:
		return "a float"
	case infer.Str:
		return "the string '" + string(v) + "'"
	case infer.None:
		return "None"
	}
	return ""
}

// floorDivision replaces the / of an axis by //.
func floorDivision(p *rule.Pass, t *infer.Tuple, i int, v infer.Value) *rule.Fix {
	f, isFloat := v.(infer.Float)
	op, ok := t.Division(i)
	if !ok || !isFloat || float64(f) != float64(int64(f)) || strings.Count(text(p, op), "/") != 1 {
		return nil
	}
	return &rule.Fix{Title: "Divide with //", Safety: rule.Safe, Edits: []rule.Edit{{Loc: op, New: strings.Replace(text(p, op), "/", "//", 1)}}}
}

// gridPositive: the loop of jax/_src/pallas/mosaic/lowering.py runs over a grid as often as it says.
var gridPositive = &rule.Rule{
	Name: "grid-non-positive",
	Page: page("grid_positive.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.API != "pallas_call" || s.Core != jax.TensorCore || s.Aliases != nil {
			return // an output that is an input holds that
		}
		for i, n := range s.Grid {
			if k, ok := n.Known(); ok && k == 0 && !computed(s, i) {
				at := gridElem(p, s, i)
				p.Report(at, "axis %d of the grid is 0, so the kernel never runs and its outputs are never written", i).Offer(edit.CeilDivide(p.File, at))
				return
			}
		}
	},
}

// computed: the axis is given by a number of JAX's, so that whoever calls says how many steps there are.
func computed(s *infer.Site, i int) bool {
	if t, ok := sequence(s.GridArg); ok {
		if vs, known := infer.Elements(t); known && i < len(vs) {
			_, is := vs[i].(*infer.Array)
			return is
		}
	}
	_, is := s.GridArg.(*infer.Array)
	return is
}

func gridElem(p *rule.Pass, s *infer.Site, i int) parse.Loc {
	if t, ok := sequence(s.GridArg); ok {
		return here(p, t.ElemLoc(i), argLoc(p, s, "grid"))
	}
	return argLoc(p, s, "grid")
}
