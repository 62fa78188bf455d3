package infer

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// Value is what the interpreter knows of a Python value. The concrete types are those of this file; anything not known is an
// *Opaque, never nil (nil marks an unbound variable inside the interpreter only).
type Value interface{}

// Opaque is a value of which nothing is known but, where Key is set, its identity: two values with one key are equal.
// A parameter x has key "x", its shape "x.shape", and so on; Lin is set when arithmetic gave it a linear form.
type Opaque struct {
	Key string
	Lin *Int
}

// The plain Python values. Int is in int.go.
type (
	None     struct{}
	Bool     bool
	Float    float64
	Complex  struct{} // a complex number; which one is of no interest
	Str      string
	Ellipsis struct{}
	// SliceVal is slice(Lo, Hi, Step) and Python's a:b:c; absent parts are nil.
	SliceVal struct{ Lo, Hi, Step Value }
	// Dynamic is pl.ds(Start, Size, Stride) (jax/_src/state/indexing.py Slice); Stride nil means 1.
	Dynamic struct {
		Start, Size Value
		Stride      Value
		Loc         parse.Loc
	}
)

// Tuple is an immutable sequence: Head, then Rest repeated an unknown number of times when Rest is set, then Tail.
// A named tuple has Class and field names.
type Tuple struct {
	Head  []Value
	Rest  Value
	Tail  []Value
	Class *Class // set for instances of NamedTuple classes
	Names []string
	Node  parse.Expr // the display that made it, when there is one
	Loc   parse.Loc

	passed []parse.Loc // of a *args parameter: where the call that filled it wrote each
}

// ElemLoc is where element i is written: in the display that made the sequence, else the sequence itself.
func (t *Tuple) ElemLoc(i int) parse.Loc {
	if i >= 0 && i < len(t.passed) {
		return t.passed[i]
	}
	if e := t.elem(i); e != nil {
		return parse.Loc{Chunk: t.Loc.Chunk, Span: e.Span()}
	}
	return t.Loc
}

// elem is the expression of element i in the display that made the sequence; nil when there is none of its own.
func (t *Tuple) elem(i int) parse.Expr {
	var all []parse.Expr
	switch n := t.Node.(type) {
	case *parse.Tuple:
		all = n.Elems
	case *parse.List:
		all = n.Elems
	}
	if i < 0 || i >= len(all) || len(all) != len(t.Head) {
		return nil
	}
	for _, e := range all {
		if _, star := e.(*parse.Starred); star {
			return nil
		}
	}
	return all[i]
}

// Len returns the number of elements and whether it is known.
func (t *Tuple) Len() (int, bool) { return len(t.Head) + len(t.Tail), t.Rest == nil }

// List is a mutable list; its content is a *Tuple, or a *Union of *Tuple, or an *Opaque.
type List struct {
	cell    *Cell
	Node    parse.Expr // the display that made it
	Loc     parse.Loc
	Changed bool // something was appended or assigned after it was made
}

// Content returns what the list holds now.
func (l *List) Content() Value { return l.cell.v }

// Dict is a mutable mapping with known keys in order; Open says that it may hold other keys too.
type Dict struct {
	cell *Cell // holds *dictContent
	Node parse.Expr
	Loc  parse.Loc
}

type dictContent struct {
	keys []Value
	vals []Value
	open bool

	passed map[string]parse.Loc // of a **kwargs parameter: where the call that filled it wrote each
}

// Items returns the known keys and values, in order, and whether there may be others.
func (d *Dict) Items() (keys, vals []Value, open bool) {
	c, ok := d.cell.v.(*dictContent)
	if !ok {
		return nil, nil, true
	}
	return c.keys, c.vals, c.open
}

// Func is a Python function or lambda with its closure.
type Func struct {
	Name     string
	Params   []*parse.Param
	Def      *parse.FuncDef // nil for a lambda
	Lambda   *parse.Lambda  // nil for a def
	Chunk    *parse.Chunk
	env      *env
	defaults map[string]Value
	Class    *Class // the class whose body defines it
	called   *Cell  // Bool(true) once it was called, in this world
}

// Loc is where the function is defined: the name of a def, the whole of a lambda.
func (f *Func) Loc() parse.Loc {
	if f.Def != nil {
		return parse.Loc{Chunk: f.Chunk, Span: f.Def.NameSpan}
	}
	return parse.Loc{Chunk: f.Chunk, Span: f.Lambda.Span()}
}

// Guessed reports whether the function stands in a statement with a syntax error: its parameters may be others.
func (f *Func) Guessed() bool { return f.Loc().Guessed() }

// Bound is a method with its receiver.
type Bound struct {
	Fn   Value
	Self Value
	Name string
}

// Partial is functools.partial(Fn, Args..., Kw...).
type Partial struct {
	Fn  Value
	Arg Args
	Loc parse.Loc
}

// API is something of JAX (or of the standard library) that the interpreter knows by its canonical dotted name.
type API struct {
	Name string
	Obj  *jax.Object // nil for what is not JAX's
}

// Module is an imported module: one of the workspace when File is set, else known by name only.
type Module struct {
	Name string
	mod  *module
}

// Class is a Python class of the workspace.
type Class struct {
	Name      string
	Def       *parse.ClassDef
	Chunk     *parse.Chunk
	Bases     []Value
	above     []*Class // all classes that it derives from, in the order in which attributes are looked up
	open      bool     // some base is not known, so attributes that are not found may still exist
	attrs     *env
	Dataclass bool
	NamedTup  bool
	Enum      bool
	identity  bool  // of a dataclass: it makes no __eq__
	remade    bool  // by a decorator that is not known
	HiType    bool  // derives from jax's HiType (jax/_src/hijax.py)
	typeFn    Value // that register_hitype was given for its values; nil: none
	Fields    []Field
}

// Field is a field of a dataclass or named tuple.
type Field struct {
	Name    string
	Default Value // nil: none
	Static  bool  // no part of the pytree: dataclasses.field(metadata=dict(static=True))
}

// Instance is an object of a workspace class. Open says that it may have attributes that are not known.
type Instance struct {
	Class  *Class
	fields map[string]*Cell
	Open   bool
	Key    string // identity prefix of unknown attributes
}

// DTypeVal is a dtype object or scalar type such as jnp.float32.
type DTypeVal struct{ DType jax.DType }

// Array is an array or scalar, concrete or traced. Lin is the linear form of an integer scalar.
type Array struct {
	Shape   Shape
	DType   jax.DType
	Weak    bool // weakly typed, as Python scalars become (jax/_src/dtypes.py)
	Traced  bool // known to be a tracer inside a kernel or jit, so that Python control flow on it fails
	Lin     *Int
	Space   jax.Spaces // where pltpu.with_memory_space_constraint put it; empty: nobody says
	NumPy   bool       // a numpy array: a constant that kernels capture
	Outside bool       // JAX's, and made outside of any kernel: a kernel that computes with it captures it
	untold  bool       // numpy's or JAX's: not known which
	Pred    *Pred      // what a truth value says, where known
	Index64 Index64    // of a loop whose bounds Python knows, under jax_enable_x64
	Fill    Value      // the one value of every element where known (jnp.zeros, jnp.full)
	Loc     parse.Loc
}

// ShapeStruct is jax.ShapeDtypeStruct, jax.ShapedArray and their like: a type of an array, not an array.
type ShapeStruct struct {
	Shape  Shape
	DType  jax.DType
	Space  jax.Spaces // pltpu.HBM(...)-like types carry one
	Struct bool       // certainly a jax.ShapeDtypeStruct
	Loc    parse.Loc
}

// Union is one of several values; Alts has at least two, none of them a *Union.
type Union struct{ Alts []Value }

// Arg is one argument of a call: by position when Name is empty. Star marks a *args or **kwargs of unknown content.
type Arg struct {
	Name  string
	Value Value
	Star  int
	Loc   parse.Loc
	Node  parse.Expr
}

// Args are the arguments of a call in order.
type Args []Arg

// Unknown is the value of which nothing is known.
var Unknown = &Opaque{}

func opaque(key string) Value {
	if key == "" || len(key) > 400 {
		return Unknown
	}
	return &Opaque{Key: key}
}

func keyOf(v Value) string {
	if o, ok := v.(*Opaque); ok {
		return o.Key
	}
	return ""
}

// SpaceVal is a memory space used as a value: pltpu.VMEM, pl.ANY, pltpu.MemorySpace.SMEM. Calling it makes a MemSpec.
type SpaceVal struct {
	Space jax.Space
	Name  string // as it was written, for messages
}

// Method is a method of a value that the interpreter models itself: refs, arrays, lists, strings, descriptors.
type Method struct {
	Self Value
	Name string
}

// Wrapped is a function inside a transformation that calls it with the same arguments (jax.jit, jax.checkpoint, ...), or with
// others (jax.vmap, shard_map, grad: Same is false).
type Wrapped struct {
	Kind string
	Fn   Value
	Same bool
	Call *Call

	forward, backward Value // of a custom_vjp, after defvjp; nil: not known
}

// Iter is an iterator over a sequence.
type Iter struct {
	seq Value
	pos *Cell // *Int: how many were taken
}
