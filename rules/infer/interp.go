package infer

import (
	"strconv"

	"pallas-lsp/parse"
	"pallas-lsp/rules/jax"
)

// The bounds of one analysis. Running out gives Unknown, never an error.
const (
	maxSteps     = 200_000 // evaluated nodes of one world
	maxBlind     = 12_000  // of one that has met no site by then
	maxModules   = 200_000 // of the bodies of the module and of all that it imports
	maxEntry     = 240_000 // of all worlds of an entry, about
	maxDepth     = 48      // nested calls of Python functions
	maxRecursion = 3       // calls of one function inside itself that nothing shows to end
	maxKernels   = 8       // kernels around one
	maxUnroll    = 64      // iterations of a loop of known length that are run one by one
	maxTurns     = 10_000  // steps of a while loop that is run turn by turn
	maxElems     = 4096    // elements of a sequence that is built element by element
	maxAlts      = 6       // values of a Union
	maxForks     = 5       // conditions of one entry that are tried both ways
)

// Cell is a place that holds a value: a variable, a field, the content of a list. All mutable state lives in cells and changes only
// through interp.set, so that a branch can be undone and joined.
type Cell struct {
	v     Value
	noted *readLog // that has it as read, when it is a module's
	seen  uint64   // the last walk over the journal that met it
	again int      // a name of a module that was given another value: how often names were by then
}

type undo struct {
	cell *Cell
	old  Value
}

// env is a scope at run time.
type env struct {
	vars   map[string]*Cell
	parent *env
	mod    *module
	scope  *parse.Scope
	class  bool // a class body: invisible to the functions inside
	comp   bool // a comprehension: walrus targets go to the scope around it
}

func newEnv(parent *env, mod *module, scope *parse.Scope) *env {
	return &env{vars: map[string]*Cell{}, parent: parent, mod: mod, scope: scope}
}

// frame is one execution of a function body, a module or a class body.
type frame struct {
	env   *env
	chunk *parse.Chunk
	fn    *Func
	key   string // prefix of the identities of its parameters

	mark        int    // where the journal stood when it began
	result      Value  // of the return statement that ended it
	exits       []exit // returns under conditions that are not known
	leftByExits bool   // every way out is among exits
	loops       []*loopCtx
	assumed     []func()    // conditions known since a branch left; undone at its end
	yields      *seqBuilder // of a generator
	perhaps     bool        // of a generator: what it yields is not certain in number
}

type exit struct {
	value Value
	delta delta
	tests []*test // the undecided conditions under which it is taken
}

func (fr *frame) loc(n parse.Node) parse.Loc { return parse.Loc{Chunk: fr.chunk, Span: n.Span()} }

// test is what is known of a condition that could not be decided.
type test struct {
	key    string
	locs   map[parse.Loc]bool
	host   bool      // asked outside kernels
	kernel bool      // asked inside one
	lossy  bool      // joining its branches lost something, outside kernels
	assign *equality // what holds when the condition is true
}

type equality struct {
	key   string
	value Value
}

// putOff is what is run when nothing has called it by the end.
type putOff[T any] struct {
	what T
	made int // interp.again when it was made
}

// now is interp.again at the time at which the code that runs was called.
func (ip *interp) now() int {
	if ip.asOf != nil {
		return *ip.asOf
	}
	return ip.again
}

type interp struct {
	opts        Options
	rel         *jax.Release
	mods        map[string]*module
	main        *module
	world       *World
	kernel      *Kernel
	transforms  []*Transform // those in which the run is
	interpret   int          // depth of contexts that force interpret mode
	body        *Body        // the innermost function that something runs in place
	path        *path
	journal     []undo
	walks       uint64 // over the journal
	steps       int
	imported    int // steps of the bodies of modules
	importing   int // depth of imports
	depth       int
	active      map[*parse.FuncDef][]Args // what each function that runs was called with, outermost first
	called      map[parse.Node]bool       // functions that ran in an entry before
	x64         *Cell                     // jax_enable_x64: nil while nobody has said, else Bool or what stands for it
	decide      map[string]bool
	equals      map[string]Value
	tests       map[string]*test
	ranks       map[string]int       // length of an opaque sequence, learned from unpacking
	equalities  map[string]*equality // what an undecided comparison means when it holds
	calledHere  map[parse.Node]bool  // in the world that is run
	pending     []putOff[*Func]      // nested functions that were defined or escaped, in order
	hidden      []*Func              // functions and methods of modules behind decorators that are not known
	sites       []putOff[*PallasFn]  // made in this world
	again       int                  // how often names of modules were given another value
	asOf        *int                 // what again was when that was made which runs now; nil: it is not put off
	atoms       int
	inRecord    int      // depth of records whose fields become refs
	guarded     int      // depth of try and hasattr
	defaultCore jax.Core // of a pallas_call that does not say
	subcores    int64    // vector subcores of a SparseCore, 0 when not known
	moduleRun   bool     // the module body has run: later worlds take their changes back
	missing     int      // names of modules that were not there, counted to tell whether a try failed
	unrolling   int      // product of the lengths of the loops being unrolled

	seq   int      // events so far
	log   *readLog // of the entry that runs
	words *words   // of the main file

	loaded    []*module            // in the order in which they were
	learned   map[string]*equality // by the first run of the entry, while its worlds run
	twins     []*interp            // to run worlds at the same time
	due       []*module            // of a twin: what it must have loaded
	functions map[parse.Node]*Func // of a twin: its functions and methods of the main module

	bodies    ofSyntax[*parse.FuncDef, *bodyReads]
	readNames map[*parse.FuncDef]map[string]bool // names that a function reads, worked out when first asked
	mentions  ofSyntax[parse.Stmt, []string]     // names that stand in a statement
	members   map[member]found                   // of JAX's modules
}

func (ip *interp) set(c *Cell, v Value) {
	ip.journal = append(ip.journal, undo{c, c.v})
	c.v = v
	if ip.heavy(v) { // asked when it is there, as it may hold the cell
		c.v = Unknown
	}
}

// delta is what a branch changed: cell to the value after it.
type delta []undo

// collect takes back all changes since mark and returns them.
func (ip *interp) collect(mark int) delta {
	made := ip.journal[mark:]
	if len(made) == 0 {
		return nil
	}
	d := make(delta, 0, len(made))
	first := ip.firstSeen()
	for i := len(made) - 1; i >= 0; i-- {
		if first(made[i].cell) {
			d = append(d, undo{made[i].cell, made[i].cell.v})
		}
	}
	for i := len(made) - 1; i >= 0; i-- {
		made[i].cell.v = made[i].old
	}
	ip.journal = ip.journal[:mark]
	return d
}

// firstSeen begins a walk over the journal, and tells of each cell whether the walk meets it for the first time.
func (ip *interp) firstSeen() func(*Cell) bool {
	ip.walks++
	walk := ip.walks
	return func(c *Cell) bool {
		first := c.seen != walk
		c.seen = walk
		return first
	}
}

// merge applies the join of two branches to the state before them. It reports whether a join lost something that one of the branches
// knew for certain, such as the length of a list.
func (ip *interp) merge(a, b delta) (lossy bool) {
	after := make(map[*Cell]Value, len(a))
	for _, u := range a {
		after[u.cell] = u.old
	}
	for _, u := range b {
		left, ok := after[u.cell]
		if !ok {
			left = u.cell.v
		}
		delete(after, u.cell)
		lossy = ip.join2(u.cell, left, u.old) || lossy
	}
	for _, u := range a {
		if v, ok := after[u.cell]; ok {
			lossy = ip.join2(u.cell, v, u.cell.v) || lossy
		}
	}
	return lossy
}

func (ip *interp) join2(c *Cell, a, b Value) (lossy bool) {
	v := join(a, b)
	ip.set(c, v)
	switch v := v.(type) {
	case *Union:
		return true
	case *Opaque:
		return v.Key == "" && a != nil && b != nil
	}
	return false
}

// apply makes the changes of a branch.
func (ip *interp) apply(d delta) {
	for _, u := range d {
		ip.set(u.cell, u.old)
	}
}

// step counts work; it is false when the budget is used up.
func (ip *interp) step() bool {
	ip.steps++
	if ip.steps < ip.budget() {
		return true
	}
	ip.hide()
	return false
}

func (ip *interp) budget() int {
	switch {
	case ip.importing > 0:
		return maxModules
	case len(ip.world.Sites) > 0:
		return maxSteps
	}
	return maxBlind
}

// fresh makes an identity of its own for something unknown.
func (ip *interp) fresh(hint string) string {
	ip.atoms++
	return hint + "\x00" + strconv.Itoa(ip.atoms)
}

func (ip *interp) reach(loc parse.Loc) { ip.world.reached[loc] = true }

// blind notes that something in the current kernel could not be followed.
func (ip *interp) blind() {
	for k := ip.kernel; k != nil; k = k.Outer {
		k.Blind, k.Hidden, k.Lost = true, true, true
	}
}

// blur notes that the current kernel reads or writes memory that is not known.
func (ip *interp) blur() {
	for k := ip.kernel; k != nil; k = k.Outer {
		k.Blind, k.Hidden = true, true
	}
}

// hide notes that something which could reach the refs of the current kernel was lost sight of.
func (ip *interp) hide() { hide(ip.kernel) }

func hide(k *Kernel) {
	for ; k != nil; k = k.Outer {
		k.Hidden, k.Lost = true, true
	}
}

func (ip *interp) fault(kind string, loc parse.Loc, detail string, values ...Value) {
	f := &Fault{Kind: kind, Loc: loc, Detail: detail, Values: values, Kernel: ip.kernel, Path: ip.path.conds()}
	ip.reach(loc)
	ip.world.Faults = append(ip.world.Faults, f)
}

// under runs f with a condition or loop added to the path.
func (ip *interp) under(c Cond, f func()) {
	outer := ip.path
	ip.path = &path{last: c, outer: outer}
	f()
	ip.path = outer
}

// path is the conditions and loops around what runs, the innermost last; nil: none.
type path struct {
	last  Cond
	outer *path
	all   []Cond // once something has asked: all that happens under the same conditions shares it
}

// conds lists the path from the outermost. Nobody may write to what it returns.
func (p *path) conds() []Cond {
	if p == nil {
		return nil
	}
	if p.all == nil {
		outer := p.outer.conds()
		p.all = append(outer[:len(outer):len(outer)], p.last)
	}
	return p.all
}

// lookup finds a name as Python does: the scope, the enclosing function scopes, the module, the builtins.
func (ip *interp) lookup(e *env, name string) Value {
	if c := ip.find(e, name); c != nil && c.v != nil {
		return c.v
	}
	if v := ip.moduleStar(e.mod, name); v != nil {
		return v
	}
	if v := builtin(name); v != nil {
		return v
	}
	return Unknown
}

// find is the cell that a name means in a scope, nil when it is not bound. What a module binds is noted as read.
func (ip *interp) find(e *env, name string) *Cell {
	if e.scope == nil || !e.scope.Globals[name] {
		if c := e.vars[name]; c != nil && c.v != nil && e != e.mod.env {
			return c
		}
		for p := e.parent; p != nil; p = p.parent {
			if c := p.vars[name]; c != nil && c.v != nil && !p.class && p != e.mod.env {
				return c
			}
		}
	}
	return ip.global(e.mod, name)
}

// global is the cell of a name of a module, nil when it has none.
func (ip *interp) global(m *module, name string) *Cell {
	c := m.env.vars[name]
	if c == nil || c.noted != ip.log {
		ip.log.names[moduleName{m.file.Path, name}] = true
	}
	if c == nil {
		return nil
	}
	c.noted = ip.log
	if ip.asOf != nil && c.again > *ip.asOf { // it was called out of sight, when the name may still have had its old value
		return &Cell{v: Unknown}
	}
	return c
}

// target is the cell that an assignment to name in this scope writes.
func (e *env) target(name string) *Cell {
	switch {
	case e.scope != nil && e.scope.Globals[name]:
		return e.mod.env.cell(name)
	case e.scope != nil && e.scope.Nonlocal[name]:
		for p := e.parent; p != nil; p = p.parent {
			if c := p.vars[name]; c != nil && !p.class {
				return c
			}
		}
	}
	return e.cell(name)
}

func (e *env) cell(name string) *Cell {
	c := e.vars[name]
	if c == nil {
		c = &Cell{}
		e.vars[name] = c
	}
	return c
}

// bind assigns a value to a name in the scope.
func (ip *interp) bind(e *env, name string, v Value) {
	c := e.target(name)
	if c.v != nil && c == e.mod.env.vars[name] {
		ip.again++
		c.again = ip.again
	}
	ip.set(c, v)
}
