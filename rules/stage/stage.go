// Package stage builds the fixes for loads from and stores to memory that a core can't address: the data is copied through memory that
// it can. Rules call Load and Store; what is not known to be right is not offered.
package stage

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const (
	pallas = "jax.experimental.pallas"
	tpu    = "jax.experimental.pallas.tpu"
	numpy  = "jax.numpy"
)

// Load returns the fixes for a load from a ref that is out of the core's reach, best first: with scratch of the call site and
// async_copy, with a local buffer and sync_copy. Where the loaded value is the end of a copy, the copy takes the ref instead.
func Load(p *rule.Pass, e *infer.Event) []*rule.Fix {
	if !reads(e) {
		return nil
	}
	if f, is := valueEnd(p, e); is {
		return some(f)
	}
	return fixes(p, e)
}

// Store returns the fixes for a store to a ref that is out of the core's reach.
func Store(p *rule.Pass, e *infer.Event) []*rule.Fix {
	if !writes(e) {
		return nil
	}
	return fixes(p, e)
}

func reads(e *infer.Event) bool { return e.Op == infer.OpLoad || e.Op == infer.OpGather }

func writes(e *infer.Event) bool { return e.Op == infer.OpStore || e.Op == infer.OpScatter }

func fixes(p *rule.Pass, e *infer.Event) []*rule.Fix {
	other, only := elsewhere(p, e)
	pl := newPlan(p, e)
	if pl == nil || only {
		return some(other)
	}
	return some(other, pl.scratch(), pl.local())
}

func some(fs ...*rule.Fix) []*rule.Fix {
	var out []*rule.Fix
	for _, f := range fs {
		if f != nil {
			out = append(out, f)
		}
	}
	return out
}

// form is how the buffer stands for what is accessed.
type form uint8

const (
	block form = iota // the buffer has the shape of the region
	lane              // a scalar in the first lane of a vector: SparseCore vector subcores have no scalar loads from VMEM
	cell              // a scalar in a row, or a whole ref, in SMEM
)

// plan is what all fixes of one access have in common.
type plan struct {
	pass     *rule.Pass
	event    *infer.Event
	kernel   *infer.Kernel
	ref      *infer.Ref
	peers    []*infer.Event // what the statement does with that region in any run, events of unrolled loops included
	spot     *edit.Spot     // of the access
	uses     []use
	loads    bool // something reads: the buffer is filled before
	stores   bool // something writes: the buffer is copied back after
	form     form
	space    jax.Space
	base     string // text of the ref
	baseNode parse.Node
	region   string // text of the ref to be copied
	whole    bool
	wide     bool   // all of the ref is copied, though a part is read
	index    string // cell: the subscript inside the buffer
	name     string // what variables are named after
}

// use is one place of the statement that is rewritten to use the buffer.
type use struct {
	node parse.Node
	tail string // what follows the buffer's name there
}

func newPlan(p *rule.Pass, e *infer.Event) *plan {
	pl := &plan{pass: p, event: e, kernel: e.Kernel, ref: e.Refs[0]}
	if pl.kernel == nil || !beyond(e) || pl.ref.High || pl.ref.Operand != nil && pl.ref.Operand.Squeezed > 0 {
		return nil // high types and squeezed blocks have copies of their own kinds
	}
	node, via := accessed(e)
	if node == nil {
		return nil
	}
	spot, ok := edit.Find(p.File, e.Loc.Chunk, node)
	if !ok || !insertable(spot) {
		return nil
	}
	pl.spot = spot
	pl.name = varName(pl.ref, node)
	if !pl.gather(via) || !pl.shapeUp(node) {
		return nil
	}
	return pl
}

// beyond: the core can't make the access, but a DMA can reach what is accessed.
func beyond(e *infer.Event) bool {
	return outOfReach(e.Kernel.Core, e.Refs[0]) || arrayInSMEM(e)
}

// arrayInSMEM: a TensorCore accesses SMEM one scalar at a time.
func arrayInSMEM(e *infer.Event) bool {
	rank, known := e.Result.Rank()
	return e.Kernel.Core == jax.TensorCore && e.Refs[0].Spaces.Only(jax.SMEM) && e.RShape && known && rank > 0
}

// outOfReach is farAway, but for tests that pretend.
var outOfReach = farAway

// farAway: the core can't load from or store to the ref, wherever it may be, but a DMA can.
func farAway(core jax.Core, r *infer.Ref) bool {
	switch {
	case core.IsSparseCore():
		return r.Spaces.Only(jax.HBM, jax.ANY, jax.VMEMShared)
	case core == jax.TensorCore:
		return r.Spaces.Only(jax.HBM, jax.ANY)
	}
	return false
}

// viaCall are the functions that take a ref and access it; those that insist on a view get one.
var viaCall = map[string]string{"plsc.load_gather": "", "plsc.store_scatter": "", "plsc.load_expanded": ".at[...]",
	"plsc.store_compressed": ".at[...]", "plsc.addupdate": ".at[...]", "plsc.addupdate_compressed": ".at[...]"}

// accessed is the node of the source that names what is accessed: a subscript, or an argument of one of those functions.
func accessed(e *infer.Event) (node parse.Node, via string) {
	if x, ok := e.Node.(*parse.Index); ok && e.Via == "indexing" {
		return x, ""
	}
	if _, ok := viaCall[e.Via]; !ok || e.Call == nil || e.Call.Node == nil {
		return nil, ""
	}
	for _, a := range e.Call.Args {
		if r, ok := a.Value.(*infer.Ref); ok && r.Alloc == e.Refs[0].Alloc && a.Node != nil {
			return a.Node, e.Via
		}
	}
	return nil, ""
}

// insertable: statements can be put around the one that holds the node, and they run exactly as often.
func insertable(s *edit.Spot) bool {
	funcs := s.Funcs()
	if !s.Once() || len(funcs) == 0 {
		return false
	}
	_, def := funcs[0].(*parse.FuncDef)
	return def
}

// gather finds what else the statement does with the same region, so that all of it goes through one buffer.
func (pl *plan) gather(via string) bool {
	stmt, _ := pl.spot.Stmt()
	text := pl.text(pl.spot.Node())
	seen := map[parse.Node]bool{}
	for _, ev := range pl.events(stmt) {
		node, v := accessed(ev)
		if node == nil || pl.text(node) != text {
			continue
		}
		if ev.Refs[0].Alloc.Name != pl.ref.Alloc.Name || !beyond(ev) || ev.Kernel.Core != pl.kernel.Core {
			return false // another ref, or one that another call of this function may access
		}
		pl.peers = append(pl.peers, ev)
		pl.loads = pl.loads || reads(ev) || ev.Aug != "" || v != ""
		pl.stores = pl.stores || writes(ev)
		if seen[node] {
			continue
		}
		seen[node] = true
		spot, ok := edit.Find(pl.pass.File, ev.Loc.Chunk, node)
		if !ok || !spot.Once() || writes(ev) && !storeStmt(stmt) {
			return false
		}
		tail, isCall := viaCall[v]
		if !isCall {
			tail = "[...]"
		}
		pl.uses = append(pl.uses, use{node, tail})
	}
	return len(pl.uses) > 0 && !pl.rebinds(stmt)
}

// events are the loads and stores of the statement in all runs of the file.
func (pl *plan) events(stmt parse.Stmt) []*infer.Event {
	var out []*infer.Event
	span, chunk := stmt.Span(), pl.spot.Chunk
	eachKernel(pl.pass.Facts, func(_ *infer.World, k *infer.Kernel) {
		for _, e := range k.Events {
			if (reads(e) || writes(e)) && e.Loc.Chunk == chunk && span.Start <= e.Loc.Start && e.Loc.End <= span.End {
				out = append(out, e)
			}
		}
	})
	return out
}

func eachKernel(facts *infer.Facts, f func(*infer.World, *infer.Kernel)) {
	if facts == nil {
		return
	}
	for _, e := range facts.Entries {
		for _, w := range e.Worlds {
			for _, k := range w.Kernels {
				f(w, k)
			}
		}
	}
}

func storeStmt(s parse.Stmt) bool {
	switch s.(type) {
	case *parse.Assign, *parse.AugAssign, *parse.AnnAssign, *parse.ExprStmt:
		return true
	}
	return false
}

// rebinds: the statement gives a new value to a name that the access depends on.
func (pl *plan) rebinds(stmt parse.Stmt) bool {
	bound := map[string]bool{}
	target := func(x parse.Expr) {
		parse.Walk(x, func(n parse.Node) bool {
			if name, ok := n.(*parse.Name); ok {
				bound[name.ID] = true
			}
			switch n.(type) {
			case *parse.Index, *parse.Attr:
				return false
			}
			return true
		})
	}
	switch s := stmt.(type) {
	case *parse.Assign:
		for _, t := range s.Targets {
			target(t)
		}
	case *parse.For, *parse.With:
		if pl.stores {
			return true
		}
	}
	parse.Walk(stmt, func(n parse.Node) bool {
		if w, ok := n.(*parse.Walrus); ok {
			bound[w.Target.ID] = true
		}
		_, def := n.(*parse.FuncDef)
		return !def
	})
	for name := range edit.Mentions(pl.spot.Node()) {
		if bound[name] && (pl.stores || pl.walrus(stmt, name)) {
			return true
		}
	}
	return false
}

func (pl *plan) walrus(stmt parse.Stmt, name string) bool {
	found := false
	parse.Walk(stmt, func(n parse.Node) bool {
		if w, ok := n.(*parse.Walrus); ok && w.Target.ID == name {
			found = true
		}
		return true
	})
	return found
}

// text is the source of a node without blanks, for comparing.
func (pl *plan) text(n parse.Node) string {
	return strings.Join(strings.Fields(pl.spot.Text(n)), "")
}

// varName is what the buffer is named after: the variable that the author used.
func varName(r *infer.Ref, n parse.Node) string {
	for {
		switch x := n.(type) {
		case *parse.Index:
			n = x.X
			continue
		case *parse.Name:
			return x.ID
		case *parse.Attr:
			if x.Name == "at" || x.Name == "T" {
				n = x.X
				continue
			}
			return x.Name
		case *parse.Call:
			if f, ok := x.Func.(*parse.Attr); ok {
				n = f.X
				continue
			}
		}
		break
	}
	if identifier(r.Name) {
		return r.Name
	}
	return "ref"
}

func identifier(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
