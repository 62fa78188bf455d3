package kernel

import (
	"strconv"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// alias is one entry of input_output_aliases.
type alias struct {
	in, out       int
	input, output *infer.Operand // nil: not known, or out of range
}

func (a alias) String() string { return strconv.Itoa(a.in) + ":" + strconv.Itoa(a.out) }

// aliases are the entries that are known.
func aliases(s *infer.Site) []alias {
	d, ok := s.Aliases.(*infer.Dict)
	if !ok || s.API != "pallas_call" {
		return nil
	}
	keys, vals, _ := d.Items()
	var out []alias
	for i := range keys {
		in, ok1 := intOf(keys[i])
		o, ok2 := intOf(vals[i])
		if !ok1 || !ok2 {
			continue
		}
		a := alias{in: in, out: o}
		if in >= 0 && in < len(s.Inputs) && leaves(s.Inputs) {
			a.input = s.Inputs[in]
		}
		if o >= 0 && o < len(s.Outputs) {
			a.output = s.Outputs[o]
		}
		out = append(out, a)
	}
	return out
}

func intOf(v infer.Value) (int, bool) {
	n, ok := v.(*infer.Int)
	if !ok {
		return 0, false
	}
	k, ok := n.Known()
	return int(k), ok
}

// leaves: each operand is known to be one array, so that their numbers count.
func leaves(os []*infer.Operand) bool {
	for _, o := range os {
		if _, ok := o.Value.(*infer.Array); !ok && o.Spec == nil {
			return false
		}
	}
	return true
}

// aliasRange models jax/_src/pallas/pallas_call.py _pallas_call.
var aliasRange = &rule.Rule{
	Name: "alias-index-out-of-range",
	Page: page("alias_range.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		for _, a := range aliases(s) {
			side, n, index := "", 0, 0
			switch {
			case s.Called && s.Complete && leaves(s.Inputs) && (a.in < 0 || a.in >= len(s.Inputs)):
				side, n, index = "input", len(s.Inputs), a.in
			case s.OutputsKnown() && (a.out < 0 || a.out >= len(s.Outputs)):
				side, n, index = "output", len(s.Outputs), a.out
			default:
				continue
			}
			p.Report(argLoc(p, s, "input_output_aliases"), "`input_output_aliases` names %s %d, but the call has %s, counted from 0", side, index, plural(n, side)).
				Says("ValueError: input_output_aliases contains the mapping '%s' with %s index %d outside the range [0, %d)", a, side, index, n).
				At(s.Loc)
			return
		}
	},
}

// aliasType models the comparison of abstract values in the same function.
var aliasType = &rule.Rule{
	Name: "alias-type-mismatch",
	Page: page("alias_type.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		for _, a := range aliases(s) {
			if differs(a) && !a.input.Prefetched() {
				reportAlias(p, s, a, "")
				return
			}
		}
	},
}

// aliasPrefetch is the same where the index counts operands as if the prefetched scalars were not there.
var aliasPrefetch = &rule.Rule{
	Name: "alias-ignores-prefetch",
	Page: page("alias_prefetch.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		for _, a := range aliases(s) {
			if differs(a) && a.input.Prefetched() {
				reportAlias(p, s, a, "; prefetched scalars count as inputs, so this one is a scalar operand")
				return
			}
		}
	},
}

func differs(a alias) bool {
	if a.input == nil || a.output == nil {
		return false
	}
	same, known := a.input.Array.Equal(a.output.Array)
	return known && !same || a.input.DType != "" && a.output.DType != "" && a.input.DType.Canonical() != a.output.DType.Canonical()
}

func reportAlias(p *rule.Pass, s *infer.Site, a alias, note string) {
	d := p.Report(argLoc(p, s, "input_output_aliases"), "input %d is %s[%s], output %d is %s[%s]; aliased buffers must have one shape and dtype%s",
		a.in, a.input.DType, dims(a.input.Array), a.out, a.output.DType, dims(a.output.Array), note).
		Says("ValueError: input_output_aliases contains the mapping '%s' referring to input[%d] with abstract value %s[%s] and to output with a different abstract value %s[%s].",
			a, a.in, a.input.DType, dims(a.input.Array), a.output.DType, dims(a.output.Array)).
		At(s.Loc)
	if a.input.Prefetched() {
		d.Offer(countPrefetched(p, s, d.Loc))
	}
}

// aliasMapping models the call of .items() in the same function.
var aliasMapping = &rule.Rule{
	Name: "alias-not-a-mapping",
	Page: page("alias_mapping.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		what := ""
		switch s.Aliases.(type) {
		case *infer.Tuple:
			what = "tuple"
		case *infer.List:
			what = "list"
		case infer.None:
			what = "NoneType"
		default:
			return
		}
		if s.API != "pallas_call" {
			return
		}
		p.Report(argLoc(p, s, "input_output_aliases"), "`input_output_aliases` is a `%s`; it must be a dict from input index to output index, such as `{0: 0}`", what).
			Says("AttributeError: '%s' object has no attribute 'items'", what).
			Offer(toMapping(p, argLoc(p, s, "input_output_aliases"))).
			At(s.Loc)
	},
}

// aliasSpace models jax/_src/pallas/mosaic/pallas_call_registration.py _resolve_memory_spaces: only spaces that are part of the types count.
var aliasSpace = &rule.Rule{
	Name: "alias-memory-space-conflict",
	Page: page("alias_space.md"),
	Site: func(p *rule.Pass, s *infer.Site) {
		if s.Core != jax.TensorCore || s.Interpreted() {
			return
		}
		for _, a := range aliases(s) {
			if a.input == nil || a.output == nil || a.input.Prefetched() {
				continue
			}
			in, out := typeSpace(a.input.Value), typeSpace(a.output.Value)
			if in == 0 || out == 0 || in == out {
				continue
			}
			p.Report(argLoc(p, s, "input_output_aliases"), "input %d was put in %s, and output %d, which is to be the same memory, is in %s", a.in, in, a.out, out).
				Says("ValueError: In/out memory space conflict for alias %d->%d: ...", a.in, a.out).At(s.Loc)
			return
		}
	},
}

// typeSpace is the memory space that the type of an operand or output says; 0 where it says none.
func typeSpace(v infer.Value) jax.Space {
	var spaces jax.Spaces
	switch v := v.(type) {
	case *infer.Array:
		spaces = v.Space
	case *infer.ShapeStruct:
		spaces = v.Space
	case *infer.MemSpec:
		spaces = v.Spaces
	}
	if one := spaces.One(); one == jax.HBM || one == jax.VMEM || one == jax.SMEM {
		return one
	}
	return 0
}
