// Package edit builds the edits that fixes are made of: it knows indentation, layout, free names and imports, and nothing of JAX.
// All of them work on the text of a file as it is written; what they can't do well they refuse.
package edit

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/rule"
)

// Spot is a node and the nodes around it.
type Spot struct {
	File  *parse.File
	Chunk *parse.Chunk
	Path  []parse.Node // from a statement of the module down to the node
}

// Find returns the spot of a node of the syntax tree; false when the chunk is not part of the file or does not hold the node.
func Find(f *parse.File, chunk *parse.Chunk, node parse.Node) (*Spot, bool) {
	if chunk == nil || node == nil {
		return nil, false
	}
	if _, ok := f.Base(chunk); !ok {
		return nil, false
	}
	for _, s := range chunk.Stmts {
		if path := pathTo(s, node, nil); path != nil {
			return &Spot{File: f, Chunk: chunk, Path: path}, true
		}
	}
	return nil, false
}

func pathTo(n, target parse.Node, path []parse.Node) []parse.Node {
	outer, inner := n.Span(), target.Span()
	if inner.Start < outer.Start || inner.End > outer.End {
		return nil
	}
	path = append(path, n)
	if n == target {
		return path
	}
	var out []parse.Node
	first := true
	parse.Walk(n, func(c parse.Node) bool {
		if first {
			first = false
			return true
		}
		if out == nil {
			out = pathTo(c, target, path[:len(path):len(path)])
		}
		return false
	})
	return out
}

// FindAt returns the spot of the outermost node whose text is exactly the one at loc and for which is holds.
func FindAt(f *parse.File, loc parse.Loc, is func(parse.Node) bool) (*Spot, bool) {
	if loc.Chunk == nil {
		return nil, false
	}
	var found parse.Node
	for _, s := range loc.Chunk.Stmts {
		parse.Walk(s, func(n parse.Node) bool {
			if found == nil && n.Span() == loc.Span && is(n) {
				found = n
			}
			span := n.Span()
			return found == nil && span.Start <= loc.Start && loc.End <= span.End
		})
	}
	return Find(f, loc.Chunk, found)
}

// Node is the node itself.
func (s *Spot) Node() parse.Node { return s.Path[len(s.Path)-1] }

// Up is the spot of the n-th node around this one; nil when there is none.
func (s *Spot) Up(n int) *Spot {
	if n >= len(s.Path) {
		return nil
	}
	return &Spot{File: s.File, Chunk: s.Chunk, Path: s.Path[:len(s.Path)-n]}
}

// Text is the source text of a node of the same chunk.
func (s *Spot) Text(n parse.Node) string { return s.Loc(n).Text() }

// Loc is where a node of the same chunk is.
func (s *Spot) Loc(n parse.Node) parse.Loc { return parse.Loc{Chunk: s.Chunk, Span: n.Span()} }

// Stmt is the innermost statement that holds the node, and its index in the path.
func (s *Spot) Stmt() (parse.Stmt, int) {
	for i := len(s.Path) - 1; i >= 0; i-- {
		if st, ok := s.Path[i].(parse.Stmt); ok {
			return st, i
		}
	}
	return nil, -1
}

// Funcs are the functions in whose bodies the node stands, *parse.FuncDef and *parse.Lambda, the innermost first. A decorator, a default or
// an annotation stands outside of its function.
func (s *Spot) Funcs() []parse.Node {
	var out []parse.Node
	for i := len(s.Path) - 2; i >= 0; i-- {
		switch f := s.Path[i].(type) {
		case *parse.FuncDef:
			if inBody(f.Body, s.Path[i+1]) {
				out = append(out, f)
			}
		case *parse.Lambda:
			if s.Path[i+1] == parse.Node(f.Body) {
				out = append(out, f)
			}
		}
	}
	return out
}

func inBody(body []parse.Stmt, n parse.Node) bool {
	for _, s := range body {
		if parse.Node(s) == n {
			return true
		}
	}
	return false
}

// Once reports whether the node is evaluated exactly once each time its statement runs, and whether a statement can be put before it:
// false in the branches of a conditional expression, in comprehensions and lambdas, in the conditions of while and elif.
func (s *Spot) Once() bool {
	_, i := s.Stmt()
	if i < 0 {
		return false
	}
	for ; i < len(s.Path)-1; i++ {
		if !once(s.Path[i], s.Path[i+1]) {
			return false
		}
	}
	_, i = s.Stmt()
	return !s.isElif(i)
}

func once(n, child parse.Node) bool {
	switch n := n.(type) {
	case *parse.Lambda, *parse.Comp, *parse.While, *parse.ClassDef:
		return false
	case *parse.IfExp:
		return child == parse.Node(n.Cond)
	case *parse.BoolOp:
		return child == parse.Node(n.L)
	case *parse.Compare:
		return child == parse.Node(n.First) || child == parse.Node(n.Rest[0])
	case *parse.Assert:
		return child == parse.Node(n.Cond)
	case *parse.Handler, *parse.MatchCase, *parse.Try, *parse.UnknownStmt, *parse.UnknownExpr:
		return false
	case *parse.With:
		return child == parse.Node(n.Items[0].Context)
	}
	return true
}

// isElif: the i-th node of the path is an `elif`.
func (s *Spot) isElif(i int) bool {
	st, ok := s.Path[i].(*parse.If)
	return ok && strings.HasPrefix(s.Text(st), "elif")
}

// Insert makes an edit that adds text at an offset of a chunk.
func Insert(c *parse.Chunk, at int32, text string) rule.Edit {
	return rule.Edit{Loc: parse.Loc{Chunk: c, Span: parse.Span{Start: at, End: at}}, New: text}
}

// Replace makes an edit that replaces the text of a node.
func (s *Spot) Replace(n parse.Node, text string) rule.Edit {
	return rule.Edit{Loc: s.Loc(n), New: text}
}

// Holds is the variable that an earlier statement of a function around the spot sets to just that text; empty when there is none.
func (s *Spot) Holds(text string) string {
	for _, f := range s.Funcs() {
		def, ok := f.(*parse.FuncDef)
		if !ok {
			return ""
		}
		for _, st := range def.Body {
			a, ok := st.(*parse.Assign)
			if !ok || len(a.Targets) != 1 || st.Span().End > s.Node().Span().Start || s.Text(a.Value) != text {
				continue
			}
			if name, ok := a.Targets[0].(*parse.Name); ok {
				return name.ID
			}
		}
	}
	return ""
}
