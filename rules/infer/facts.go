package infer

import (
	"slices"
	"sync"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// Facts is what was inferred of one file.
type Facts struct {
	File    *parse.File
	Release *jax.Release
	Entries []*Entry
	LeftOut int // functions that were not run, as those before them took all that a file may take
}

// Entry is one starting point of the interpretation: the module body, or a function that nothing in the file calls.
// It was run once for each combination of the conditions that could not be decided and that mattered (a world). What is
// true in every world that reaches a place is true there.
type Entry struct {
	Name   string
	Worlds []*World
}

// cost is what the entry took, in steps.
func (e *Entry) cost() int {
	n := entryCost
	for _, w := range e.Worlds {
		n += w.steps
	}
	return n
}

// World is one run of an entry.
type World struct {
	Assumed []string // the conditions assumed, for people
	Kernels []*Kernel
	Sites   []*Site
	Calls   []*Call // calls of JAX's API outside kernels; those inside are in Kernel.Calls
	Names   []*NameUse
	Faults  []*Fault
	named   map[parse.Loc]*NameUse // the last of each place
	reached map[parse.Loc]bool
	steps   int                               // nodes evaluated
	callers map[parse.Node]map[parse.Loc]bool // of each function
	escaped map[parse.Node]bool               // functions given to code that can't be followed
}

// Sure is the run without what rests on statements with a syntax error, which are read as what they may become.
func (w *World) Sure() *World {
	if !slices.ContainsFunc(w.Sites, (*Site).guessed) && !slices.ContainsFunc(w.Kernels, (*Kernel).guessed) && !slices.ContainsFunc(w.Calls, (*Call).guessed) {
		return w
	}
	sure := *w
	sure.Sites = slices.DeleteFunc(slices.Clone(w.Sites), (*Site).guessed)
	sure.Kernels = slices.DeleteFunc(slices.Clone(w.Kernels), (*Kernel).guessed)
	sure.Calls = slices.DeleteFunc(slices.Clone(w.Calls), (*Call).guessed)
	sure.Faults = slices.DeleteFunc(slices.Clone(w.Faults), func(f *Fault) bool { return f.Kernel.guessed() })
	return &sure
}

func (s *Site) guessed() bool {
	return s.Loc.Guessed() || s.CallLoc.Guessed() || s.Outer.guessed()
}

func (c *Call) guessed() bool { return c.Loc.Guessed() }

func (k *Kernel) guessed() bool {
	return k != nil && (k.Loc.Guessed() || k.Site.guessed() || k.Outer.guessed())
}

// Reached reports whether the run evaluated the call, subscript or definition at loc.
func (w *World) Reached(loc parse.Loc) bool { return w.reached[loc] }

// Size is about how much the run has of what rules look at.
func (w *World) Size() int {
	n := len(w.Calls) + len(w.Sites)
	for _, k := range w.Kernels {
		n += len(k.Calls) + len(k.Events)
	}
	return n
}

// Callers are the places that called a function in this run: calls, and for a kernel function its sites. known is false when the function was
// also given to code that can't be followed.
func (w *World) Callers(f *Func) (at []parse.Loc, known bool) {
	for loc := range w.callers[f.node()] {
		at = append(at, loc)
	}
	return at, !w.escaped[f.node()]
}

// Site is a call that binds specs to a kernel function: pl.pallas_call(...), pl.kernel(...), pl.run_scoped(...), ...
type Site struct {
	API       string    // as in `inspect`: pallas_call, kernel, core_map, emit_pipeline, run_scoped, mpmd_map
	Call      *Call     // the API call with its arguments
	Loc       parse.Loc // of the call
	CallLoc   parse.Loc // where what it returned was called
	Kernel    Value     // the kernel function as given (function, partial, ...)
	Core      jax.Core
	Mesh      *Mesh
	Grid      []*Int // nil: none given or not known (see GridKnown)
	GridKnown bool
	GridArg   Value // as given
	InSpecs   Value // tuple or tree of *BlockSpec, None, ...; nil when not given
	OutSpecs  Value
	OutShape  Value
	Scratch   Value
	Prefetch  int // num_scalar_prefetch; -1 not known
	Operands  Args
	Called    bool // with operands, as opposed to only made
	Open      bool // some of its arguments are not known
	Inputs    []*Operand
	Outputs   []*Operand
	Scratches []*Operand
	Aliases   Value
	Params    Value // compiler_params
	Interpret Value
	Kernels   []*Kernel
	Outer     *Kernel      // the kernel in whose body the site stands, if any
	Body      *Body        // of run_scoped inside a kernel: the function and what it returned
	Complete  bool         // inputs, outputs and scratch are all known in number
	Under     []*Transform // jax.grad, jax.vmap, shard_map, ... in which it was called, the outermost first
}

// Transform is the call of a function inside a transformation such as jax.grad or jax.vmap.
type Transform struct {
	*Wrapped
	Loc  parse.Loc // of the call
	Args Args      // that the function was given
}

// Operand is one leaf among the inputs, outputs or scratch of a site, with all that was found of it.
type Operand struct {
	Index    int        // among its kind
	Spec     *BlockSpec // nil: none
	SpecLoc  parse.Loc
	Mem      *MemSpec // of a scratch entry
	Value    Value    // the operand itself (array), or the out_shape leaf
	Array    Shape    // of the whole array
	DType    jax.DType
	Ref      *Ref   // as the kernel sees it
	Param    string // the kernel parameter it binds to, when known
	ParamLoc parse.Loc
	Direct   bool    // of a pipeline: not buffered, the body gets a part of the operand itself
	Squeezed int     // block dimensions that the kernel does not see
	Map      *MapRun // its index map as it ran; nil: none, or not run
}

// Kernel is a kernel function as one site runs it.
type Kernel struct {
	Name     string
	Loc      parse.Loc // of the function's name (or the lambda)
	Fn       *Func     // nil: not in the workspace
	Core     jax.Core
	Site     *Site
	Outer    *Kernel  // of a pipeline body or run_scoped: the kernel around it
	level    int      // how many kernels are around it
	Args     Args     // what the site calls the function with, beside what partials have bound
	Body     *Body    // how it was called, and what it returns
	Map      *Operand // set where an index map runs, which is no kernel: the operand it is of
	Refs     []*Ref   // parameters, then scoped and captured refs, in order of appearance
	Events   []*Event
	Calls    []*Call
	Inner    []*Site // pipelines and run_scoped that stand in the body
	Blind    bool    // part of the body could not be followed: absence of an event proves nothing
	Hidden   bool    // like Blind, and set for more: a function or handle that could reach its refs was lost sight of
	Lost     bool    // a copy may have been started or waited for, or a semaphore used, out of sight
	flowOnce sync.Once
	flow     []*Event
	derived  sync.Map  // by key: what rules worked out of the kernel
	Rebinds  []*Rebind // names of outputs that were given another value
	stmts    map[parse.Loc]bool
	X64      X64              // jax_enable_x64 where the kernel is traced
	Strange  bool             // something that is not known was called: it may call anything of JAX's but, unless Blind, was given no ref
	Wraps    []*Transform     // functions inside jax.checkpoint, jax.vmap, ... that it called
	scoped   map[string]*Func // parameters of functions that run_scoped has run
}

// Derived returns what was worked out of the kernel under the key, which is worked out now if it was not before. It is safe for concurrent use.
func Derived[T any](k *Kernel, key any, work func(*Kernel) T) T {
	v, known := k.derived.Load(key)
	if !known {
		v, _ = k.derived.LoadOrStore(key, work(k))
	}
	return v.(T)
}

// Role says how a kernel came to a ref.
type Role string

// The roles, as `inspect` prints them.
const (
	Input    Role = "input"
	Output   Role = "output"
	Scratch  Role = "scratch"
	Prefetch Role = "prefetch"
	Scoped   Role = "scoped"
	Captured Role = "captured"
)

// Alloc is one piece of memory: what a ref and all its views have in common.
type Alloc struct {
	Name      string // of the parameter or variable
	Role      Role
	Spaces    jax.Spaces // empty: not known
	Shape     Shape
	DType     jax.DType // empty: not known
	Loc       parse.Loc // the parameter, or the call that made it
	Why       *Why
	Operand   *Operand // of a site's operand
	Mem       *MemSpec
	High      bool   // its element type derives from HiType, so that DMA on it goes through LoJAX
	HiType    *Class // that type, where it is known
	AnyWindow bool
	Kernel    *Kernel
	Param     parse.Loc // the kernel parameter or variable that names it, where there is one
	Guess     bool      // may be a tree of refs or no ref at all: its space and place are as said if it is one
	Many      bool      // stands for any number of operands of one kind
	either    bool      // has one of several specs
	Selected  bool      // stands for those that pl.select_ref chooses among
	hint      bool      // Name is made up from where it was found
	Default   bool      // the space is the API's default, nobody wrote it
	Skipped   bool      // code that is not run in this call, for a condition of Python's that does not hold, mentions it
	Dropped   bool      // `del` of its name
	of        []*Alloc  // the memory that it is a part of or stands for, where it is none of its own
}

// Ref is a ref, or a view of one by .at, bitcast, reshape or transpose.
type Ref struct {
	*Alloc
	View  Shape
	Type  jax.DType
	Steps []Step    // from the allocation to the view
	Loc   parse.Loc // of the expression that made the view
	base  *Ref      // what .at was applied to, when that was the last step
	at    []item    // the subscripts of that step
}

// Step is one transformation of a ref.
type Step struct {
	Kind  string // at, bitcast, reshape, transpose, and other names as JAX has them
	Index []IndexItem
	Loc   parse.Loc
	From  Shape // of what is transformed
}

// IndexItem is one subscript of a ref.
type IndexItem struct {
	Kind   IndexKind
	Value  Value // the integer, the array, the *Dynamic, the *SliceVal
	Start  *Int  // nil: not known (or traced)
	Size   *Int  // elements selected along the dimension; 1 for an integer
	Step   *Int
	Dim    int  // the dimension of the indexed ref it applies to; -1 for None
	Traced bool // depends on a value known only when the kernel runs
	Loc    parse.Loc
	Node   parse.Expr
}

// IndexKind says what a subscript is.
type IndexKind uint8

// The kinds of subscript.
const (
	IndexUnknown IndexKind = iota
	IndexInt               // an integer, static or traced: removes the dimension
	IndexSlice             // a:b:c or pl.ds
	IndexFull              // : over the whole dimension, or what ... stands for
	IndexArray             // an array or a ref of indices
	IndexNew               // None
)

// Why is what decided a fact: a place and a reason, and what that rests on in turn.
type Why struct {
	Loc    parse.Loc
	Reason string
	From   *Why
}

// Op says what an event does.
type Op string

// The operations, as `inspect` prints them; those after Alloc are not printed.
const (
	OpLoad      Op = "load"
	OpStore     Op = "store"
	OpDMAStart  Op = "dma_start"
	OpDMAWait   Op = "dma_wait"
	OpSemSignal Op = "sem_signal"
	OpSemWait   Op = "sem_wait"
	OpSemRead   Op = "sem_read"
	OpAlloc     Op = "alloc"
	OpGather    Op = "gather"  // plsc.load_gather: elements by index
	OpScatter   Op = "scatter" // plsc.store_scatter and its like
)

// Event is one thing that a kernel does, in program order.
type Event struct {
	Op       Op
	Loc      parse.Loc
	Node     parse.Node
	Refs     []*Ref      // load, store: the ref indexed; DMA: source, destination, destination semaphore, source semaphore (nil: none)
	Slots    []Value     // DMA: the four as given, before anything was concluded; load, store: the base value
	Locs     []parse.Loc // of the operands
	Index    []IndexItem // load, store: the subscripts
	Result   Shape       // load: of the value; store: of the region
	RShape   bool        // Result is known at least in rank
	Value    Value       // store: the value stored; load: the value read
	Aug      string      // the operator, when part of `r[...] op= v`
	Unused   bool        // load: the value reaches nothing
	Via      string      // the API: indexing, pltpu.async_copy, ...
	Desc     *Desc       // DMA: the descriptor
	Implicit bool        // a copy that a pipeline makes by itself
	Which    string      // dma_wait: wait, wait_send, wait_recv, wait_read, wait_write
	Path     []Cond      // the conditions and loops around it inside the kernel, outermost first
	Call     *Call
	Kernel   *Kernel
	Seq      int // its place among the events of all kernels
}

// Rebind is an assignment to a name that held a ref of an output, of a value that is no ref.
type Rebind struct {
	Ref *Ref
	Loc parse.Loc // of the name
}

// Cond is a condition or loop around an event.
type Cond struct {
	Kind  string // when, if, else, for, while, cond
	Test  string // if, else: the identity of what Python could not decide; empty: it has none
	Loc   parse.Loc
	Value Value
	Each  bool // for: run once for each of its items, one after another, as opposed to once for all
	Arm   int  // cond: which of its functions
	Count *Int // for: how often it runs; nil: not known
}

// Desc is a DMA descriptor (jax/_src/pallas/mosaic/primitives.py AsyncCopyDescriptor).
type Desc struct {
	Src, Dst, DstSem, SrcSem Value
	Device                   Value // of a remote copy
	Remote                   bool
	Sync                     bool
	Add                      Value
	Priority                 Value
	Started                  *Cell // Bool
	Loc                      parse.Loc
	Call                     *Call
	Escaped                  bool
}

// Call is a call of JAX's API, with arguments bound to parameter names where the signature is known.
type Call struct {
	API     string // canonical dotted name
	Fn      *Func  // the function in whose body the call stands; nil: the module's
	Loc     parse.Loc
	Func    parse.Loc // of the callee expression
	Args    Args      // as given, partials included
	Bound   map[string]*Arg
	Extra   Args        // what no parameter takes: too many positions, unknown keywords
	Missing []jax.Param // required parameters that get no argument
	Guarded bool        // inside try: what it raises may be caught
	Open    bool        // a *args or **kwargs of unknown content was given
	Result  Value
	Kernel  *Kernel
	Site    *Site
	Path    []Cond
	Node    *parse.Call // nil when not called by an ordinary call expression (decorators)
	Method  *Value      // the receiver of a method
	Desc    *Desc       // of a method of a DMA descriptor
	Seq     int         // that of the last event before it
	Unused  bool        // nothing uses its result, and nothing that it is part of has an effect
	Prims   []Prim      // what it binds, in order; nil when that is not certain
	Bodies  []*Body     // the functions it ran in place
}

// Arg returns the value given for a parameter, nil when it was not given.
func (c *Call) Arg(name string) Value {
	if a := c.Bound[name]; a != nil {
		return a.Value
	}
	return nil
}

// ArgLoc returns where the argument for a parameter is written, or the call when it was not given.
func (c *Call) ArgLoc(name string) parse.Loc {
	if a := c.Bound[name]; a != nil && a.Loc.Valid() {
		return a.Loc
	}
	return c.Loc
}

// NameUse is a reference to a name of JAX's public modules.
type NameUse struct {
	Name    string // dotted, as the modules are called: jax.experimental.pallas.tpu.TPUMemorySpace
	Obj     *jax.Object
	Missing bool // the release is known to lack it
	Absence *jax.Absence
	Loc     parse.Loc
	Guarded bool // inside try, hasattr or getattr with a default
}

// Fault is a Python error that the interpretation itself ran into, such as a call with the wrong number of arguments.
type Fault struct {
	Kind   string
	Loc    parse.Loc
	Detail string
	Values []Value
	Kernel *Kernel
	Path   []Cond
	Why    *Why
}

// BlockSpec is pl.BlockSpec(...) (jax/_src/pallas/core.py BlockSpec).
type BlockSpec struct {
	Call     *Call
	Loc      parse.Loc
	Block    Value      // block_shape as given, nil when absent
	Dims     []BlockDim // nil: no block shape, or not known
	NoBlock  bool       // block_shape is absent or None
	IndexMap Value      // nil: absent
	Space    Value      // memory_space as given, nil when absent
	Spaces   jax.Spaces // what Space means; empty when absent or not known
	Mode     Value      // pipeline_mode
}

// BlockDim is one entry of a block shape.
type BlockDim struct {
	Size *Int   // the size; 1 for None and Squeezed
	Kind string // blocked, squeezed (None included), element, bounded_slice, indirect, unknown
	None bool   // written None
	Loc  parse.Loc
}

// MemSpec is a request for memory: pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.DMA((2,)), a BufferedRef, ...
type MemSpec struct {
	Call   *Call // nil for a bare semaphore type
	Loc    parse.Loc
	Spaces jax.Spaces
	Shape  Shape
	DType  jax.DType
	Sem    bool
	High   bool
	HiType *Class
	Mesh   *Mesh // `spec @ mesh`
}

// Mesh is a mesh of cores.
type Mesh struct {
	Call  *Call
	Loc   parse.Loc
	Core  jax.Core
	Axes  map[string]*Int // axis name -> size, nil when not known
	Names []string
}

// GridSpec is pl.GridSpec or pltpu.PrefetchScalarGridSpec.
type GridSpec struct {
	Call   *Call
	Loc    parse.Loc
	fields map[string]Value
}

// Field returns a field of the grid spec as given, nil when absent.
func (g *GridSpec) Field(name string) Value { return g.fields[name] }

// PallasFn is what pl.pallas_call, pl.kernel, pltpu.emit_pipeline and pl.core_map return: a function that runs the kernel.
type PallasFn struct {
	Site  *Site
	calls int
	parts []*Site // of an mpmd kernel
}

// Loads returns the loads of the kernel in program order.
func (k *Kernel) Loads() []*Event { return k.events(OpLoad) }

// Stores returns the stores of the kernel in program order.
func (k *Kernel) Stores() []*Event { return k.events(OpStore) }

// Starts returns the starts of copies.
func (k *Kernel) Starts() []*Event { return k.events(OpDMAStart) }

// Waits returns the waits for copies.
func (k *Kernel) Waits() []*Event { return k.events(OpDMAWait) }

func (k *Kernel) events(op Op) []*Event {
	var out []*Event
	for _, e := range k.Events {
		if e.Op == op && !e.Implicit {
			out = append(out, e)
		}
	}
	return out
}

// Interpreted reports whether the kernel is known to run in interpret mode, where the compiler never sees it.
func (k *Kernel) Interpreted() bool {
	for ; k != nil; k = k.Outer {
		switch v := k.Site.Interpret.(type) {
		case Bool:
			if bool(v) {
				return true
			}
		case *Params, *Instance:
			return true
		}
	}
	return false
}

// Elements returns the elements of a tuple or list whose length is known.
func Elements(v Value) ([]Value, bool) {
	switch v := v.(type) {
	case *Tuple:
		return elems(v), v.Rest == nil
	case *List:
		return Elements(v.cell.v)
	}
	return nil, false
}

// ShapeOfValue is the shape of an array, of a ref, or of a Python number; known is false for anything else.
func ShapeOfValue(v Value) (s Shape, known bool) {
	if r, ok := v.(*Ref); ok {
		return r.View, true
	}
	a, ok := toArray(v)
	if !ok {
		return Shape{}, false
	}
	return a.Shape, true
}

// Partial reports whether the ref is a part of another one although no step made it so: the block that a pipeline hands its body.
func (r *Ref) Partial() bool { return r.base != nil }
