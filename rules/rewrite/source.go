package rewrite

import (
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
)

// source is what the source of a copy is computed from, inside the loop.
type source struct {
	assigns []*parse.Assign // of the loop's body, in order
	moves   bool            // it depends on the index
}

// sourceOf reads the source of a copy; false when it can't be computed a step before, or may not be what it was then.
func (c *copying) sourceOf(k *infer.Kernel) (source, bool) {
	var out source
	ok := c.follow(k, c.src, &out) && constant(k, c.start.Refs[0].Alloc.Sole())
	slices.SortFunc(out.assigns, func(a, b *parse.Assign) int { return int(a.Span().Start - b.Span().Start) })
	return out, ok
}

func (c *copying) follow(k *infer.Kernel, x parse.Expr, out *source) bool {
	if !pure(k, c.loop.run.Chunk, x) || onIndex(x, c.loop.index) {
		return false
	}
	ok := true
	parse.Walk(x, func(n parse.Node) bool {
		name, is := n.(*parse.Name)
		switch {
		case !is || !ok:
		case name.ID == c.loop.index:
			out.moves = true
		case c.loop.binds(name.ID):
			ok = c.define(k, name.ID, out)
		}
		return ok
	})
	return ok
}

// define follows a variable to the one statement of the loop that sets it, before the copy.
func (c *copying) define(k *infer.Kernel, id string, out *source) bool {
	var found *parse.Assign
	var others []parse.Stmt
	for _, s := range c.loop.body {
		a, ok := s.(*parse.Assign)
		if ok && found == nil && len(a.Targets) == 1 && isName(a.Targets[0], id) && a.Span().End <= c.stmts[0].Span().Start {
			found = a
			continue
		}
		others = append(others, s)
	}
	if found == nil || bound(others)[id] || !c.ownLines(found) {
		return false
	}
	if slices.Contains(out.assigns, found) {
		return true
	}
	out.assigns = append(out.assigns, found)
	return c.follow(k, found.Value, out)
}

func isName(x parse.Node, id string) bool {
	n, ok := x.(*parse.Name)
	return ok && n.ID == id
}

// onIndex: an attribute of the index is asked for, which a Python number may not have.
func onIndex(x parse.Expr, index string) bool {
	found := false
	parse.Walk(x, func(n parse.Node) bool {
		a, ok := n.(*parse.Attr)
		found = found || ok && isName(a.X, index)
		return true
	})
	return found
}

// binds: a name means something of the loop's own in its body.
func (l *loop) binds(id string) bool {
	if l.fn != nil {
		return l.fn.Scope == nil || l.fn.Scope.Locals[id]
	}
	return id == l.index || bound(l.body)[id]
}
