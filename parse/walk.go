package parse

import (
	"slices"
	"sync"
)

// Walk calls f for n and for every node below it, in the order of the source as far as the tree keeps it. Below a node
// for which f returns false, it does not go. Params, Args, Handlers, MatchCases and patterns are nodes too; a
// CompClause, a DictItem and a WithItem are not, but what they hold is.
func Walk(n Node, f func(Node) bool) {
	due := walkers.Get().(*nodes)
	due.walk(n, f)
	walkers.Put(due)
}

// walkers are empty, with room.
var walkers = sync.Pool{New: func() any { return new(nodes) }}

// walk keeps what is still to be visited behind what the calls around it keep there.
func (ns *nodes) walk(n Node, f func(Node) bool) {
	if !f(n) {
		return
	}
	from := len(*ns)
	ns.below(n)
	for i, to := from, len(*ns); i < to; i++ {
		ns.walk((*ns)[i], f)
	}
	*ns = (*ns)[:from]
}

// NodesAt returns the nodes that hold the byte at off, from the outermost to the innermost. An offset at the very end of
// a node counts when no other node starts there, so that a cursor behind a name finds the name.
func (c *Chunk) NodesAt(off int32) []Node {
	var out []Node
	for _, s := range c.Stmts {
		if touches(s, off) {
			out = descend(out, s, off)
			if s.Span().Contains(off) {
				break
			}
		}
	}
	return out
}

func touches(n Node, off int32) bool {
	s := n.Span()
	return s.Start <= off && off <= s.End
}

// descend replaces the path in out, if n is a better one, by the path from n down to off.
func descend(out []Node, n Node, off int32) []Node {
	path := append(out[:0:0], n)
	for {
		var best Node
		for _, c := range children(path[len(path)-1]) {
			switch {
			case c.Span().Contains(off):
				best = c
			case best == nil && touches(c, off):
				best = c
			}
		}
		if best == nil {
			return path
		}
		path = append(path, best)
	}
}

// nodes gathers children; it leaves out what is absent.
type nodes []Node

func (ns *nodes) expr(xs ...Expr) {
	for _, x := range xs {
		if x != nil {
			*ns = append(*ns, x)
		}
	}
}

func (ns *nodes) stmt(stmts []Stmt) {
	for _, s := range stmts {
		*ns = append(*ns, s)
	}
}

func (ns *nodes) args(args []Arg) {
	for i := range args {
		*ns = append(*ns, &args[i])
	}
}

func (ns *nodes) params(params []*Param) {
	for _, p := range params {
		*ns = append(*ns, p)
	}
}

func (ns *nodes) patterns(ps []Pattern) {
	for _, p := range ps {
		if p != nil {
			*ns = append(*ns, p)
		}
	}
}

// children returns the nodes directly below n.
func children(n Node) []Node {
	var ns nodes
	ns.below(n)
	return slices.Clip(ns)
}

func (ns *nodes) below(n Node) {
	switch n := n.(type) {
	case Expr:
		ns.ofExpr(n)
	case Stmt:
		ns.ofStmt(n)
	case *Arg:
		ns.expr(n.Value)
	case *Param:
		ns.expr(n.Ann, n.Default)
	case *Handler:
		ns.expr(n.Type)
		ns.stmt(n.Body)
	case *MatchCase:
		ns.patterns([]Pattern{n.Pattern})
		ns.expr(n.Guard)
		ns.stmt(n.Body)
	default:
		ns.ofPattern(n)
	}
}

func (ns *nodes) ofExpr(x Expr) {
	switch x := x.(type) {
	case *Str:
		ns.expr(x.Parts...)
	case *Attr:
		ns.expr(x.X)
	case *Call:
		ns.expr(x.Func)
		ns.args(x.Args)
	case *Index:
		ns.expr(x.X)
		ns.expr(x.Items...)
	case *Slice:
		ns.expr(x.Lo, x.Hi, x.Step)
	case *Tuple:
		ns.expr(x.Elems...)
	case *List:
		ns.expr(x.Elems...)
	case *Set:
		ns.expr(x.Elems...)
	case *Dict:
		for _, item := range x.Items {
			ns.expr(item.Key, item.Value)
		}
	case *Binary:
		ns.expr(x.L, x.R)
	case *Unary:
		ns.expr(x.X)
	case *BoolOp:
		ns.expr(x.L, x.R)
	case *Compare:
		ns.expr(x.First)
		ns.expr(x.Rest...)
	case *Lambda:
		ns.params(x.Params)
		ns.expr(x.Body)
	case *IfExp:
		ns.expr(x.Then, x.Cond, x.Else)
	case *Comp:
		ns.expr(x.Key, x.Elt)
		for _, c := range x.Clauses {
			ns.expr(c.Target, c.Iter, c.Cond)
		}
	case *Starred:
		ns.expr(x.X)
	case *Walrus:
		ns.expr(x.Target, x.Value)
	case *Await:
		ns.expr(x.X)
	case *Yield:
		ns.expr(x.X)
	case *UnknownExpr:
		ns.expr(x.Parts...)
	}
}

func (ns *nodes) ofStmt(s Stmt) {
	switch s := s.(type) {
	case *ExprStmt:
		ns.expr(s.X)
	case *Assign:
		ns.expr(s.Targets...)
		ns.expr(s.Value)
	case *AugAssign:
		ns.expr(s.Target, s.Value)
	case *AnnAssign:
		ns.expr(s.Target, s.Ann, s.Value)
	case *FuncDef:
		ns.expr(s.Decorators...)
		ns.params(s.Params)
		ns.expr(s.Returns)
		ns.stmt(s.Body)
	case *ClassDef:
		ns.expr(s.Decorators...)
		ns.args(s.Bases)
		ns.stmt(s.Body)
	case *Return:
		ns.expr(s.X)
	case *If:
		ns.expr(s.Cond)
		ns.stmt(s.Then)
		ns.stmt(s.Else)
	case *For:
		ns.expr(s.Target, s.Iter)
		ns.stmt(s.Body)
		ns.stmt(s.Else)
	case *While:
		ns.expr(s.Cond)
		ns.stmt(s.Body)
		ns.stmt(s.Else)
	case *With:
		for _, item := range s.Items {
			ns.expr(item.Context, item.Target)
		}
		ns.stmt(s.Body)
	case *Try:
		ns.stmt(s.Body)
		for i := range s.Handlers {
			*ns = append(*ns, &s.Handlers[i])
		}
		ns.stmt(s.Else)
		ns.stmt(s.Finally)
	case *Import:
		for i := range s.Names {
			*ns = append(*ns, &s.Names[i])
		}
	case *ImportFrom:
		for i := range s.Names {
			*ns = append(*ns, &s.Names[i])
		}
	case *Raise:
		ns.expr(s.X, s.Cause)
	case *Assert:
		ns.expr(s.Cond, s.Msg)
	case *Delete:
		ns.expr(s.Targets...)
	case *Match:
		ns.expr(s.Subject)
		for i := range s.Cases {
			*ns = append(*ns, &s.Cases[i])
		}
	case *TypeAlias:
		ns.expr(s.Value)
	case *UnknownStmt:
		ns.stmt(s.Body)
	}
}

func (ns *nodes) ofPattern(n Node) {
	switch p := n.(type) {
	case *PatternValue:
		ns.expr(p.X)
	case *PatternAs:
		ns.patterns([]Pattern{p.Pattern})
	case *PatternOr:
		ns.patterns(p.Alternatives)
	case *PatternSeq:
		ns.patterns(p.Elems)
	case *PatternClass:
		ns.expr(p.Class)
		ns.patterns(p.Args)
		for _, k := range p.Keywords {
			ns.patterns([]Pattern{k.Pattern})
		}
	case *PatternMapping:
		ns.expr(p.Keys...)
		ns.patterns(p.Values)
	}
}
