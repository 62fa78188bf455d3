package silent

import (
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// fromEnd writes the index that is meant where it counts from the end.
func (s subscript) fromEnd(p *rule.Pass) *rule.Fix {
	x, ok := edit.ExprAt(p.File, s.Loc)
	u, neg := x.(*parse.Unary)
	if !ok || !neg || u.Op != "-" || s.at.Lo != s.at.Hi || s.at.Lo+s.size < 0 {
		return nil
	}
	if _, literal := u.X.(*parse.Int); !literal {
		return nil
	}
	n := strconv.FormatInt(s.at.Lo+s.size, 10)
	return edit.Fix(true, "Write "+n, rule.Unsafe, []rule.Edit{{Loc: s.Loc, New: n}})
}

// waitOnce takes out a wait that is a statement of its own.
func waitOnce(p *rule.Pass, w *infer.Event) *rule.Fix {
	spot, ok := waitStmt(p, w)
	if !ok {
		return nil
	}
	return edit.Fix(true, "Take this wait out", rule.Unsafe, []rule.Edit{spot.Delete()})
}

func waitStmt(p *rule.Pass, w *infer.Event) (*edit.Spot, bool) {
	if w.Call == nil || w.Call.Node == nil {
		return nil, false
	}
	spot, ok := edit.Find(p.File, w.Call.Loc.Chunk, w.Call.Node)
	if !ok || spot.Up(1) == nil {
		return nil, false
	}
	_, alone := spot.Up(1).Node().(*parse.ExprStmt)
	return spot, alone
}

// startFirst starts the copy before the wait for it.
func startFirst(p *rule.Pass, w *infer.Event) *rule.Fix {
	spot, ok := waitStmt(p, w)
	if !ok {
		return nil
	}
	a, ok := w.Call.Node.Func.(*parse.Attr)
	if !ok {
		return nil
	}
	if made, is := a.X.(*parse.Call); is {
		if f, isAttr := made.Func.(*parse.Attr); isAttr && f.Name == "make_async_copy" {
			return edit.Fix(true, "Start the copy", rule.Unsafe, []rule.Edit{{Loc: parse.Loc{Chunk: spot.Chunk, Span: f.NameSpan}, New: "async_copy"}})
		}
		return nil
	}
	if _, named := a.X.(*parse.Name); !named || w.Which != "wait" {
		return nil
	}
	return edit.Fix(true, "Start the copy before", rule.Unsafe, []rule.Edit{spot.Before(spot.Text(a.X) + ".start()")})
}

// inOrder gives up the order in which an axis is not run.
func inOrder(p *rule.Pass, loc parse.Loc) *rule.Fix {
	x, _ := edit.ExprAt(p.File, loc)
	if _, ok := x.(*parse.Str); !ok {
		return nil
	}
	quote := `"`
	if strings.HasPrefix(loc.Text(), "'") {
		quote = "'"
	}
	text := quote + "arbitrary" + quote
	return edit.Fix(true, "Write "+text, rule.Unsafe, []rule.Edit{{Loc: loc, New: text}})
}

// inBlocks takes the size of a block out of an index that counts elements.
func inBlocks(p *rule.Pass, o *infer.Operand, d int) *rule.Fix {
	fn, ok := o.Spec.IndexMap.(*infer.Func)
	if !ok || fn.Lambda == nil {
		return nil
	}
	sites, all := edit.Sites(p)
	if !all {
		return nil
	}
	for _, s := range sites {
		for _, q := range s.Blocks() {
			if q.Spec != nil && q.Spec.IndexMap == infer.Value(fn) && q.Spec.Loc != o.Spec.Loc {
				return nil
			}
		}
	}
	x := fn.Lambda.Body
	if t, isTuple := x.(*parse.Tuple); isTuple && d < len(t.Elems) {
		x = t.Elems[d]
	}
	b, ok := x.(*parse.Binary)
	if !ok || b.Op != "*" {
		return nil
	}
	index := b.L
	if _, number := b.L.(*parse.Int); number {
		index = b.R
	}
	name, ok := index.(*parse.Name)
	loc := parse.Loc{Chunk: fn.Chunk, Span: x.Span()}
	if _, _, in := p.File.Range(loc); !ok || !in {
		return nil
	}
	return edit.Fix(true, "Count in blocks: `"+name.ID+"`", rule.Unsafe, []rule.Edit{{Loc: loc, New: name.ID}})
}
