package infer

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// Interpreted reports whether the site is known to run in interpret mode, where the compiler never sees it.
func (s *Site) Interpreted() bool { return (&Kernel{Site: s, Outer: s.Outer}).Interpreted() }

// Lowered reports whether the site is a pallas_call that Mosaic lowers for a TensorCore.
func (s *Site) Lowered() bool {
	return s.API == "pallas_call" && s.Core == jax.TensorCore && !s.Interpreted()
}

// Blocks are the operands that BlockSpecs speak of: inputs without the prefetched scalars, then outputs.
func (s *Site) Blocks() []*Operand {
	var out []*Operand
	for _, o := range s.Inputs {
		if !o.Prefetched() {
			out = append(out, o)
		}
	}
	return append(out, s.Outputs...)
}

// Prefetched reports whether the operand is a scalar prefetch operand, which has no block.
func (o *Operand) Prefetched() bool { return o.Ref != nil && o.Ref.Role == Prefetch }

// Title names an operand for a message: the kernel's parameter, else which one it is.
func (o *Operand) Title() string {
	if o.Param != "" {
		return "`" + o.Param + "`"
	}
	if o.Ref != nil && o.Ref.Role == Output {
		return "output " + itoa(o.Index)
	}
	return "input " + itoa(o.Index)
}

// Origin names an operand as JAX's messages do.
func (o *Operand) Origin() string {
	if o.Ref != nil && o.Ref.Role == Output {
		return "outputs"
	}
	return "args[" + itoa(o.Index) + "]"
}

// BlockOf is the shape of the block with its squeezed dimensions as 1: that of the whole array where no block shape is given. It is
// unknown where a dimension may be anything.
func (o *Operand) BlockOf() Shape {
	if o.Spec == nil || o.Spec.NoBlock {
		return o.Array
	}
	if o.Spec.Dims == nil {
		return Shape{}
	}
	out := Shape{Dims: []*Int{}}
	for _, d := range o.Spec.Dims {
		if d.Kind == "unknown" {
			d.Size = nil
		}
		out.Dims = append(out.Dims, d.Size)
	}
	return out
}

// Whole tells whether the window is trivial: the block is the array and the index map gives literal zeros (jax/_src/pallas/core.py
// BlockMapping.has_trivial_window). An operand without a spec is a whole one.
func (o *Operand) Whole() (whole, known bool) {
	if o.Spec == nil {
		return true, o.Ref != nil && o.Ref.Default
	}
	same, sameKnown := o.BlockOf().Equal(o.Array)
	if o.Spec.NoBlock {
		same, sameKnown = true, true
	}
	if sameKnown && !same {
		return false, true
	}
	zero, zeroKnown := o.atZero()
	if zeroKnown && !zero {
		return false, true
	}
	return true, sameKnown && zeroKnown
}

// atZero tells whether the index map gives nothing but literal zeros.
func (o *Operand) atZero() (zero, known bool) {
	if o.Spec.IndexMap == nil {
		return true, !o.Spec.Call.Open
	}
	if o.Map == nil || len(o.Map.Faults) > 0 {
		return false, false
	}
	vs := o.Map.Values()
	if vs == nil {
		return false, false
	}
	known = true
	for _, v := range vs {
		switch v := v.(type) {
		case *Int:
			k, ok := v.Known()
			if ok && k != 0 {
				return false, true
			}
			known = known && ok
		case *Array:
			if v.Traced && v.Fill == nil {
				return false, true
			}
			known = false
		default:
			known = false
		}
	}
	return true, known
}

// Captured reports whether a kernel or index map that computes with the array captures it: a numpy array becomes a constant, and what
// JAX made outside is one. Numpy's scalars become literals.
func (a *Array) Captured() bool {
	if a == nil || a.Traced {
		return false
	}
	if a.NumPy {
		n, ok := a.Shape.Rank()
		return ok && n > 0
	}
	return a.Outside
}

// Takes is how many positional arguments a function needs; exact is false when it may take more or fewer.
func (f *Func) Takes() (n int, exact bool) {
	exact = true
	for _, p := range f.Params {
		switch p.Kind {
		case parse.PositionalOnly, parse.Positional:
			n++
			exact = exact && p.Default == nil
		case parse.VarArgs:
			exact = false
		}
	}
	return n, exact
}

// Division is what stands between the operands of element i, when the element is a division.
func (t *Tuple) Division(i int) (parse.Loc, bool) {
	b, ok := t.elem(i).(*parse.Binary)
	if !ok || b.Op != "/" {
		return parse.Loc{}, false
	}
	return parse.Loc{Chunk: t.Loc.Chunk, Span: parse.Span{Start: b.L.Span().End, End: b.R.Span().Start}}, true
}

// frozen is a value as it is now: lists and dicts that change later don't change it.
func frozen(v Value) Value {
	switch v := v.(type) {
	case *Tuple:
		out := *v
		out.Head, out.Tail = frozenAll(v.Head), frozenAll(v.Tail)
		return &out
	case *List:
		out := &List{cell: &Cell{v: frozen(v.cell.v)}, Node: v.Node, Loc: v.Loc}
		if v.Changed {
			out.Node = nil
		}
		return out
	case *Dict:
		c, ok := v.cell.v.(*dictContent)
		if !ok {
			return &Dict{cell: &Cell{v: v.cell.v}, Node: v.Node, Loc: v.Loc}
		}
		return &Dict{cell: &Cell{v: &dictContent{keys: frozenAll(c.keys), vals: frozenAll(c.vals), open: c.open}}, Node: v.Node, Loc: v.Loc}
	}
	return v
}

func frozenAll(vs []Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = frozen(v)
	}
	return out
}

// freeze keeps a site's arguments as they are when it is made or called.
func (s *Site) freeze() {
	for _, v := range []*Value{&s.InSpecs, &s.OutSpecs, &s.OutShape, &s.Scratch, &s.GridArg, &s.Aliases} {
		*v = frozen(*v)
	}
}

func (a Args) frozen() Args {
	out := append(Args(nil), a...)
	for i := range out {
		out[i].Value = frozen(out[i].Value)
	}
	return out
}

// untold marks a scalar of which it is not written whether numpy or JAX made it.
func untold(v Value, library string) Value {
	a, ok := v.(*Array)
	if !ok || library != "" {
		return v
	}
	b := *a
	b.untold, b.Outside = true, false
	return &b
}

// Func is the function that the site runs, inside partials and wrappers; nil when it is not in the workspace.
func (s *Site) Func() *Func { return kernelFunc(s.Kernel) }

// OutputsKnown reports whether the number of outputs is known.
func (s *Site) OutputsKnown() bool { return s.OutShape != nil && countable(s.OutShape) }

// countable: the leaves of the tree can be counted.
func countable(v Value) bool {
	switch v := v.(type) {
	case *ShapeStruct, *Array, *MemSpec, None:
		return true
	case *Tuple:
		for _, e := range elems(v) {
			if !countable(e) {
				return false
			}
		}
		return v.Rest == nil
	case *List:
		return countable(v.cell.v)
	}
	return false
}

// IsSemaphoreType reports whether the API is pltpu.SemaphoreType.DMA or one of its like.
func (a *API) IsSemaphoreType() bool {
	_, ok := semaphoreType(a.Name)
	return ok
}

// Typed reports whether the path goes through a branch on what a value is, or on something of which nothing is known: such a branch
// is for other uses of the code, so what would be wrong there says nothing of this one.
func Typed(path []Cond) bool {
	for _, c := range path {
		if c.Kind != "if" && c.Kind != "else" {
			continue
		}
		if c.Test == "" || strings.Contains(c.Test, "isinstance(") || strings.Contains(c.Test, "None") || strings.Contains(c.Test, "callable(") {
			return true
		}
	}
	return false
}

// OwnBuffers reports whether a pipeline is given buffers that the author made, whose class may cut blocks in its own way.
func (s *Site) OwnBuffers() bool {
	if s.API != "emit_pipeline" {
		return false
	}
	for _, a := range s.Operands {
		if a.Name == "allocations" || a.Star == 2 {
			return true
		}
	}
	return false
}

// Miscounted reports whether a pipeline is called with more or fewer refs than it has specs.
func (s *Site) Miscounted() bool {
	if s.API != "emit_pipeline" || !s.Called || s.Outer == nil {
		return false
	}
	in, out, n := SpecsIn(s.InSpecs), SpecsIn(s.OutSpecs), s.Given()
	return in != nil && out != nil && n >= 0 && n != len(in)+len(out)
}

// Given is how many refs a pipeline was called with; -1 when that is not known.
func (s *Site) Given() int {
	n := 0
	for _, a := range s.Operands {
		switch {
		case a.Star != 0 || a.Name == "allocations":
			return -1
		case a.Name == "":
			n++
		}
	}
	return n
}

// SpecsIn are the specs of an argument that is one or a sequence of known length; nil where it is neither.
func SpecsIn(v Value) []Value {
	if l, ok := v.(*List); ok && !l.Changed {
		v = l.Content()
	}
	switch v := v.(type) {
	case *BlockSpec:
		return []Value{v}
	case *Tuple:
		if v.Rest == nil {
			return append([]Value{}, elems(v)...)
		}
	}
	return nil
}

// Constant is the array that jnp.array or jnp.asarray makes of a list of numbers or of a numpy array: a constant
// (jax/_src/numpy/array_constructors.py array). nil: it makes none, or that is not known.
func (c *Call) Constant() *Array {
	if c.API != "jax.numpy.array" && c.API != "jax.numpy.asarray" {
		return nil
	}
	out, ok := c.Result.(*Array)
	if !ok || len(c.Args) == 0 || c.Open {
		return nil
	}
	switch v := c.Args[0].Value.(type) {
	case *Array:
		if v.Captured() {
			return out
		}
	case *Tuple, *List:
		if numbers(v) {
			return out
		}
	}
	return nil
}

// numbers: the sequence holds nothing but Python's numbers, nested or not.
func numbers(v Value) bool {
	if l, ok := v.(*List); ok {
		if l.Changed {
			return false
		}
		v = l.cell.v
	}
	t, ok := v.(*Tuple)
	if !ok || t.Rest != nil {
		return false
	}
	for _, e := range elems(t) {
		switch e := e.(type) {
		case *Int, Float, Bool:
		case *Tuple, *List:
			if !numbers(e) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
