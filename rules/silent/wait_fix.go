package silent

import (
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// addWait waits for a copy before the first statement beside its start that has to do with what it copies; nil where that place is not clear.
func addWait(p *rule.Pass, k *infer.Kernel, s *infer.Event) *rule.Fix {
	if s.Call == nil || s.Call.Node == nil || s.Desc.Remote {
		return nil
	}
	spot, ok := edit.Find(p.File, s.Loc.Chunk, s.Call.Node)
	if !ok || !spot.Once() {
		return nil
	}
	stmt, i := spot.Stmt()
	if i == 0 {
		return nil
	}
	if x, is := stmt.(*parse.ExprStmt); is && x.X == parse.Expr(s.Desc.Call.Node) && s.Call.Node == s.Desc.Call.Node {
		return wait(edit.Append(spot.Chunk, x.X, ".wait()")...)
	}
	handle := handleOf(stmt, s)
	if handle == "" {
		return nil
	}
	first, clear := firstUse(k, s, spot, spot.Path[i-1], stmt)
	switch {
	case !clear:
		return nil
	case first == nil:
		return wait(spot.After(handle + ".wait()"))
	}
	before, ok := edit.Find(p.File, spot.Chunk, first)
	if !ok || edit.Indent(spot.Chunk, first.Span().Start) != edit.Indent(spot.Chunk, stmt.Span().Start) {
		return nil
	}
	return wait(before.Before(handle + ".wait()"))
}

func wait(edits ...rule.Edit) *rule.Fix {
	return &rule.Fix{Title: "Wait for the copy", Safety: rule.Unsafe, Edits: edits}
}

// handleOf is the variable that holds the copy, in `name.start()` or `name = async_copy(...)`.
func handleOf(stmt parse.Stmt, s *infer.Event) string {
	switch x := stmt.(type) {
	case *parse.ExprStmt:
		if call, ok := x.X.(*parse.Call); ok && call == s.Call.Node {
			if m, ok := call.Func.(*parse.Attr); ok {
				if name, ok := m.X.(*parse.Name); ok {
					return name.ID
				}
			}
		}
	case *parse.Assign:
		if name, ok := x.Targets[0].(*parse.Name); ok && len(x.Targets) == 1 && x.Value == parse.Expr(s.Desc.Call.Node) {
			return name.ID
		}
	}
	return ""
}

// firstUse is the first statement beside the start of a copy that has to do with either end of it; nil: none has. clear is false when
// something elsewhere comes first.
func firstUse(k *infer.Kernel, s *infer.Event, spot *edit.Spot, parent parse.Node, stmt parse.Stmt) (first parse.Stmt, clear bool) {
	flow := k.Flow()
	for _, e := range flow[slices.Index(flow, s)+1:] {
		if !slices.ContainsFunc(e.Refs, func(r *infer.Ref) bool { return touchesEnds(r, s) }) {
			continue
		}
		for _, o := range beside(parent) {
			if e.Loc.Chunk == spot.Chunk && o.Span().Start > stmt.Span().Start && o.Span().Start <= e.Loc.Start && e.Loc.End <= o.Span().End {
				return o, infer.Within(e.Path, s.Path)
			}
		}
		return nil, false
	}
	return nil, !strings.Contains(spot.Text(stmt), ";")
}

func touchesEnds(r *infer.Ref, s *infer.Event) bool {
	return r != nil && slices.ContainsFunc(s.Refs[:2], func(end *infer.Ref) bool {
		return end != nil && end.Alloc.Sole() != nil && r.On(end.Alloc.Sole())
	})
}

// beside are the statements that a node holds directly.
func beside(n parse.Node) (out []parse.Stmt) {
	parse.Walk(n, func(c parse.Node) bool {
		s, ok := c.(parse.Stmt)
		if ok && c != n {
			out = append(out, s)
		}
		return c == n || !ok
	})
	return out
}
