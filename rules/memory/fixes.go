package memory

import (
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// aligned promises that the computed start of a slice is a multiple of the tile. A lone index has no such promise to make.
func aligned(p *rule.Pass, x infer.IndexItem, tile int64) *rule.Fix {
	e, ok := edit.ExprAt(p.File, x.Loc)
	call, is := e.(*parse.Call)
	if _, dynamic := x.Value.(*infer.Dynamic); !ok || !is || !dynamic || len(call.Args) == 0 {
		return nil
	}
	start := call.Args[0]
	if start.Name != "" && start.Name != "start" || start.Star > 0 {
		return nil
	}
	return edit.Multiple(p, parse.Loc{Chunk: x.Loc.Chunk, Span: start.Value.Span()}, strconv.FormatInt(tile, 10))
}

// allocated puts what a kernel allocates into another memory.
func allocated(p *rule.Pass, r *infer.Ref, space string) *rule.Fix {
	if r.Mem == nil || r.Mem.Mesh != nil {
		return nil
	}
	return edit.Space(p, r.Mem.Loc, space)
}

// plainAdd writes ref[...] += value for a call that adds to a ref.
func plainAdd(p *rule.Pass, store *infer.Event) *rule.Fix {
	c := store.Call
	if c == nil || c.Node == nil {
		return nil
	}
	spot, ok := edit.Find(p.File, c.Loc.Chunk, c.Node)
	if !ok || spot.Up(1) == nil {
		return nil
	}
	if _, alone := spot.Up(1).Node().(*parse.ExprStmt); !alone {
		return nil
	}
	args := c.Node.Args
	for _, a := range args {
		if a.Name != "" || a.Star > 0 {
			return nil
		}
	}
	target := ""
	switch len(args) {
	case 2: // of a view
		target = element(spot, args[0].Value)
	case 3:
		target = spot.Text(args[0].Value) + "[" + subscript(spot, args[1].Value) + "]"
	default:
		return nil
	}
	text := target + " += " + spot.Text(args[len(args)-1].Value)
	return edit.Fix(target != "", "Write `"+target+" += ...`", rule.Safe, []rule.Edit{{Loc: spot.Loc(c.Node), New: text}})
}

// element is a view by .at as it is written to load from it.
func element(spot *edit.Spot, x parse.Expr) string {
	index, ok := x.(*parse.Index)
	if !ok {
		return ""
	}
	a, ok := index.X.(*parse.Attr)
	if !ok || a.Name != "at" {
		return ""
	}
	return spot.Text(a.X) + spot.Text(index)[a.Span().End-index.Span().Start:]
}

func subscript(spot *edit.Spot, x parse.Expr) string {
	t, ok := x.(*parse.Tuple)
	if !ok {
		return spot.Text(x)
	}
	if len(t.Elems) == 0 {
		return "..."
	}
	var items []string
	for _, e := range t.Elems {
		items = append(items, spot.Text(e))
	}
	return strings.Join(items, ", ")
}

// loadFirst indexes the value that is loaded instead of the ref.
func loadFirst(p *rule.Pass, e *infer.Event) *rule.Fix {
	x, ok := e.Node.(*parse.Index)
	if !ok || e.Op != infer.OpLoad || e.Aug != "" || !e.Refs[0].Spaces.Only(jax.VMEM) {
		return nil
	}
	if a, is := x.X.(*parse.Attr); is && a.Name == "at" {
		return nil
	}
	return edit.Fix(true, "Index the value that is loaded", rule.Safe, []rule.Edit{edit.Insert(e.Loc.Chunk, x.X.Span().End, "[...]")})
}

// ofType allocates a semaphore of another type, where no copy uses it.
func ofType(p *rule.Pass, k *infer.Kernel, r *infer.Ref) *rule.Fix {
	for _, e := range k.Events {
		for i, x := range e.Refs {
			if x != nil && x.Alloc == r.Alloc && i > 1 {
				return nil
			}
		}
	}
	return edit.SemaphoreType(p, r, "DMA", "REGULAR")
}

// whereLoaded loads the whole and selects, for a load with a mask.
func whereLoaded(p *rule.Pass, load *infer.Event) *rule.Fix {
	spot, region, ok := maskedCall(p, load)
	if !ok {
		return nil
	}
	args := load.Call.Bound
	other := "0"
	if load.Refs[0].Type == jax.Bool {
		other = "False"
	}
	if a := args["other"]; a != nil {
		other = a.Loc.Text()
	}
	names := &edit.Names{Spot: spot}
	text := names.Name("jax.numpy", "where") + "(" + args["mask"].Loc.Text() + ", " + region + ", " + other + ")"
	return edit.Fix(true, "Load all and select", rule.Unsafe, append(names.Edits, spot.Replace(spot.Node(), text)))
}

// whereStored stores what is selected from the new value and what is there, for a store with a mask.
func whereStored(p *rule.Pass, store *infer.Event) *rule.Fix {
	spot, region, ok := maskedCall(p, store)
	if !ok || spot.Up(1) == nil {
		return nil
	}
	value := store.Call.Bound["val"]
	if _, alone := spot.Up(1).Node().(*parse.ExprStmt); !alone || value == nil || !value.Loc.Valid() {
		return nil
	}
	names := &edit.Names{Spot: spot}
	text := region + " = " + names.Name("jax.numpy", "where") + "(" + store.Call.Bound["mask"].Loc.Text() + ", " + value.Loc.Text() + ", " + region + ")"
	return edit.Fix(true, "Select before the store", rule.Safe, append(names.Edits, spot.Replace(spot.Node(), text)))
}

// maskedCall is the call of a load or store that is given a ref, or a view of one, and a mask, all written there; and the region as it is
// written in brackets.
func maskedCall(p *rule.Pass, e *infer.Event) (spot *edit.Spot, region string, ok bool) {
	c := e.Call
	if c == nil || c.Node == nil || c.Open || c.Bound["ref"] == nil || c.Bound["mask"] == nil || !c.Bound["mask"].Loc.Valid() {
		return nil, "", false
	}
	spot, ok = edit.Find(p.File, c.Loc.Chunk, c.Node)
	x, found := edit.ExprAt(p.File, c.Bound["ref"].Loc)
	if !ok || !found || strings.Contains(spot.Text(c.Node), "#") { // a comment would be lost
		return nil, "", false
	}
	if _, named := x.(*parse.Name); named {
		return spot, spot.Text(x) + "[...]", true
	}
	region = element(spot, x)
	return spot, region, region != ""
}

// vectorFirst converts what is loaded to float32 before an element is taken, and the element back where nothing converts it anyway.
func vectorFirst(p *rule.Pass, load *infer.Event) *rule.Fix {
	x, ok := load.Node.(*parse.Index)
	spot, found := edit.Find(p.File, load.Loc.Chunk, load.Node)
	if !ok || !found || load.Op != infer.OpLoad || load.Aug != "" || load.Refs[0].Type != jax.BFloat16 {
		return nil
	}
	for _, item := range load.Index {
		if _, known := infer.AsInt(item.Value).Known(); !known { // no vector is indexed by what only the run knows
			return nil
		}
	}
	if _, named := x.X.(*parse.Name); !named {
		return nil
	}
	names := &edit.Names{Spot: spot}
	edits := []rule.Edit{edit.Insert(spot.Chunk, x.X.Span().End, "[...].astype("+names.Name("jax.numpy", "float32")+")")}
	if up := spot.Up(1); up != nil {
		if a, is := up.Node().(*parse.Attr); !is || a.Name != "astype" {
			edits = append(edits, edit.Insert(spot.Chunk, x.Span().End, ".astype("+spot.Text(x.X)+".dtype)"))
		}
	}
	return edit.Fix(true, "Convert before taking the element", rule.Unsafe, append(names.Edits, edits...))
}
