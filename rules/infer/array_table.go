package infer

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"pallas-lsp/rules/jax"
)

// elementwiseText is what elementwise functions of JAX bind, asked from JAX by testdata/array_table.py.
//
//go:embed array_table.txt
var elementwiseText string

// program is what an elementwise function binds for operands of one type.
type program struct {
	steps   []progStep
	result  string // the operand that is the result: a, b or the number of a step
	rejects bool   // JAX raises
}

// progStep is one primitive of a program.
type progStep struct {
	name   string
	y      string // exponent of integer_pow
	dtype  jax.DType
	weak   bool
	same   bool // the type is that of the operands
	scalar bool
	in     []string
}

// elementwiseLines are the lines of the table by function and form, joined by a tab.
var elementwiseLines = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(elementwiseText) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 3 {
			continue
		}
		for name := range strings.SplitSeq(fields[0], ",") {
			out[name+"\t"+fields[1]] = fields[2:]
		}
	}
	return out
})

// programs are those that were parsed: *program by text.
var programs sync.Map

// elementwise finds the program of a function for operands of a form ("a", "aa", "ai": array and Python int, ...) and type.
func elementwise(name, form string, d jax.DType, weak bool) (*program, bool) {
	key := string(d)
	if weak {
		key += "*"
	}
	for _, group := range elementwiseLines()[name+"\t"+form] {
		types, text, _ := strings.Cut(group, " ")
		for t := range strings.SplitSeq(types, ",") {
			if t == key {
				p, known := programs.Load(text)
				if !known {
					p, _ = programs.LoadOrStore(text, parseProgram(text))
				}
				return p.(*program), true
			}
		}
	}
	return nil, false
}

func parseProgram(text string) *program {
	p := &program{}
	if text == "!" {
		p.rejects = true
		return p
	}
	for word := range strings.FieldsSeq(text) {
		name, rest, isStep := strings.Cut(word, ":")
		if !isStep {
			p.result = word
			return p
		}
		s := progStep{name: name}
		if base, y, ok := strings.Cut(strings.TrimSuffix(name, "]"), "["); ok {
			s.name, s.y = base, y
		}
		kind, in, _ := strings.Cut(strings.TrimSuffix(rest, ")"), "(")
		kind, s.scalar = strings.CutSuffix(kind, ".")
		kind, s.weak = strings.CutSuffix(kind, "*")
		s.same, s.dtype = kind == "=", jax.DType(kind)
		if in != "" {
			s.in = strings.Split(in, ",")
		}
		p.steps = append(p.steps, s)
	}
	p.result = strconv.Itoa(len(p.steps) - 1)
	return p
}

// known reports whether all steps of the program are listed.
func (p *program) known() bool { return len(p.steps) != 1 || p.steps[0].name != "?" }

// follow binds the steps of a program to operands a and b, of which `like` has the type and shape of the whole.
func (t *tracing) follow(name string, p *program, like *Array, operands map[string]*Array) *Array {
	in := make([]*Array, 0, len(operands))
	for _, a := range operands {
		in = append(in, a)
	}
	made := map[string]*Array{"a": operands["a"], "b": operands["b"]}
	v, changed := programSince[name]
	noted := p.known() && (!changed || !p.resultDType(like.DType).IsFloat() || t.ip.rel.AtLeast(v))
	for i, s := range p.steps {
		d, weak, shape := s.dtype, s.weak, like.Shape
		if s.same {
			d, weak = like.DType, like.Weak
		}
		if !s.same && like.DType == jax.Bool {
			d = t.ip.widest(d)
		}
		if s.scalar {
			shape = Scalar
		}
		if from := t.unbound(&s, like, made); from != nil {
			y := *from
			y.DType, y.Weak, y.Shape = d, weak, shape
			made[strconv.Itoa(i)] = &y
			continue
		}
		out := t.result(shape, d, weak, in...)
		made[strconv.Itoa(i)] = out
		if noted {
			t.bind(s.name, out, s.params(d), pick(made, s.in)...)
		}
	}
	if out := made[p.result]; out != nil && (p.result == "a" || p.result == "b") {
		alias := *out
		alias.Shape, alias.Loc = like.Shape, t.call.Loc
		return &alias
	} else if out != nil {
		return out
	}
	return t.unknown(in...)
}

// unbound is the operand of a step that JAX does not bind for these operands: conversions of literals, and broadcasts to a scalar.
func (t *tracing) unbound(s *progStep, like *Array, made map[string]*Array) *Array {
	if len(s.in) != 1 {
		return nil
	}
	from := made[s.in[0]]
	switch {
	case s.name == "broadcast_in_dim" && like.Shape.IsRank(0) && from != nil:
		return from
	case s.name == "broadcast_in_dim" && !fullSize(made["a"], like) || s.name == "broadcast_in_dim" && !fullSize(made["b"], like):
		return &Array{Traced: t.ip.kernel != nil, Loc: t.call.Loc}
	case s.name == "convert_element_type" && (s.in[0] == "a" || s.in[0] == "b") && isLiteral(from):
		return from
	}
	return nil
}

// fullSize: the operand is an array of the whole shape, or none.
func fullSize(a, like *Array) bool {
	if a == nil || isLiteral(a) && a.Weak {
		return !like.Shape.IsRank(0)
	}
	eq, known := a.Shape.Equal(like.Shape)
	return known && eq && len(like.Shape.Dims) > 0
}

func (s *progStep) params(d jax.DType) map[string]Value {
	switch {
	case s.y != "":
		y, _ := strconv.ParseInt(s.y, 10, 64)
		return map[string]Value{"y": N(y)}
	case s.name == "convert_element_type":
		return map[string]Value{"new_dtype": DTypeVal{d}}
	}
	return nil
}

// pick are the operands of a step; a literal is nil.
func pick(made map[string]*Array, names []string) []*Array {
	out := make([]*Array, len(names))
	for i, n := range names {
		n, _, _ = strings.Cut(n, ".")
		out[i] = made[n]
	}
	return out
}
