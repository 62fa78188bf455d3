package stage

import (
	"fmt"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// holder is where a site's scratch is written, or would be.
type holder struct {
	call  *edit.Spot  // the call that takes the scratch
	key   string      // the keyword
	value infer.Value // nil: none given
	names *edit.Names
}

func (pl *plan) holder(k *infer.Kernel) *holder {
	s := k.Site
	h := &holder{value: s.Scratch}
	call := s.Call
	switch {
	case s.API == "kernel" && call.Arg("scratch_types") == nil && call.Arg("scratch_shapes") == nil:
		h.key = pl.keyword(call, "scratch_types", "scratch_shapes")
	case s.API == "pallas_call" && call.Arg("grid_spec") != nil:
		g, ok := call.Arg("grid_spec").(*infer.GridSpec)
		if !ok {
			return nil
		}
		call, h.value, h.key = g.Call, g.Field("scratch_shapes"), "scratch_shapes"
	default:
		h.key = pl.keyword(call, "scratch_shapes")
	}
	if h.value != nil {
		return pl.display(h, k)
	}
	if h.key == "" || call.Open || pl.shared(k, func(o *infer.Site) bool { return sharesArgs(o.Call, call) || sharesSpec(o, call) }) {
		return nil
	}
	if h.call = pl.callSpot(call); h.call == nil {
		return nil
	}
	h.names = &edit.Names{Spot: h.call}
	return h
}

// keyword is the first of the names that the function takes in the release.
func (pl *plan) keyword(c *infer.Call, names ...string) string {
	obj, ok := pl.pass.Release.Lookup(c.API)
	for _, n := range names {
		if !ok || obj.Param(n) != nil {
			return n
		}
	}
	return ""
}

// callSpot is where the call is written: itself, or the partial that holds its arguments.
func (pl *plan) callSpot(c *infer.Call) *edit.Spot {
	if c.Node != nil {
		s, ok := edit.Find(pl.pass.File, c.Loc.Chunk, c.Node)
		if ok {
			return s
		}
		return nil
	}
	for _, a := range c.Args {
		if a.Name == "" || a.Star != 0 {
			continue
		}
		s, ok := edit.FindAt(pl.pass.File, a.Loc, func(n parse.Node) bool { _, isArg := n.(*parse.Arg); return !isArg })
		if !ok {
			continue
		}
		for up := 1; up <= 2; up++ {
			if o := s.Up(up); o != nil {
				if _, isCall := o.Node().(*parse.Call); isCall {
					return o
				}
			}
		}
	}
	return nil
}

// shared: another site has part of what is to be edited.
func (pl *plan) shared(k *infer.Kernel, has func(*infer.Site) bool) bool {
	for _, e := range pl.pass.Facts.Entries {
		for _, w := range e.Worlds {
			for _, s := range w.Sites {
				if s.Loc != k.Site.Loc && has(s) {
					return true
				}
			}
		}
	}
	return false
}

func sharesArgs(a, b *infer.Call) bool {
	if a == nil || a.Node != nil && b.Node != nil {
		return a != nil && a.Node == b.Node
	}
	for _, x := range a.Args {
		for _, y := range b.Args {
			if x.Loc.Valid() && x.Loc == y.Loc {
				return true
			}
		}
	}
	return false
}

func sharesSpec(o *infer.Site, call *infer.Call) bool {
	g, ok := o.Call.Arg("grid_spec").(*infer.GridSpec)
	return ok && g.Call.Loc == call.Loc
}

// display: the scratch that is there is written as a display that can be extended, for this site alone.
func (pl *plan) display(h *holder, k *infer.Kernel) *holder {
	loc, ok := displayOf(h.value)
	if !ok || pl.shared(k, func(o *infer.Site) bool { other, _ := displayOf(scratchOf(o)); return other == loc }) {
		return nil
	}
	for _, same := range pl.runs(k) {
		if other, _ := displayOf(scratchOf(same.Site)); other != loc {
			return nil
		}
	}
	spot, ok := edit.FindAt(pl.pass.File, loc, func(n parse.Node) bool {
		switch n.(type) {
		case *parse.List, *parse.Tuple, *parse.Dict, *parse.Call:
			return true
		}
		return false
	})
	if !ok {
		return nil
	}
	h.call, h.names = spot, &edit.Names{Spot: spot}
	return h
}

func scratchOf(s *infer.Site) infer.Value {
	if g, ok := s.Call.Arg("grid_spec").(*infer.GridSpec); ok && s.API == "pallas_call" {
		return g.Field("scratch_shapes")
	}
	return s.Scratch
}

// displayOf is where a scratch value is written, if it is just what is written there.
func displayOf(v infer.Value) (parse.Loc, bool) {
	switch v := v.(type) {
	case *infer.List:
		t, ok := v.Content().(*infer.Tuple)
		n, isList := v.Node.(*parse.List)
		return v.Loc, ok && isList && !v.Changed && plain(n.Elems, t)
	case *infer.Tuple:
		n, ok := v.Node.(*parse.Tuple)
		return v.Loc, ok && v.Class == nil && plain(n.Elems, v)
	case *infer.Dict:
		keys, _, open := v.Items()
		switch n := v.Node.(type) {
		case *parse.Dict:
			for _, it := range n.Items {
				open = open || it.Key == nil
			}
			return v.Loc, !open && len(n.Items) == len(keys)
		case *parse.Call:
			return v.Loc, !open && len(n.Args) == len(keys)
		}
	}
	return parse.Loc{}, false
}

func plain(elems []parse.Expr, t *infer.Tuple) bool {
	n, known := t.Len()
	for _, x := range elems {
		if _, star := x.(*parse.Starred); star {
			return false
		}
	}
	return known && n == len(elems)
}

// params is where in the kernel's parameter list the new ones belong; -1 when that is not certain.
func (h *holder) params(k *infer.Kernel) int {
	n, ok := given(k.Site.Kernel)
	for _, a := range k.Args {
		ok = ok && a.Star == 0
		if a.Name == "" {
			n++
		}
	}
	params := k.Fn.Def.Params
	if !ok || n > len(params) {
		return -1
	}
	for _, p := range params[:n] {
		if p.Kind != parse.Positional && p.Kind != parse.PositionalOnly || p.Default != nil {
			return -1
		}
	}
	d, isDict := h.value.(*infer.Dict)
	if !isDict {
		return n
	}
	keys, _, _ := d.Items()
	for i := n; i < len(params); i++ {
		for _, key := range keys {
			if s, ok := key.(infer.Str); ok && string(s) == params[i].Name && params[i].Default == nil && i == n {
				n++
			}
		}
	}
	return n
}

// given counts what partials and methods bind by position.
func given(v infer.Value) (n int, ok bool) {
	switch v := v.(type) {
	case *infer.Func:
		return 0, true
	case *infer.Bound:
		n, ok = given(v.Fn)
		return n + 1, ok
	case *infer.Partial:
		n, ok = given(v.Fn)
		for _, a := range v.Arg {
			ok = ok && a.Star == 0
			if a.Name == "" {
				n++
			}
		}
		return n, ok
	case *infer.Wrapped:
		if v.Same {
			return given(v.Fn)
		}
	}
	return 0, false
}

// add writes the new entries.
func (h *holder) add(names, values [2]string) ([]rule.Edit, bool) {
	if h.value == nil {
		return edit.AddArgs(h.call.Chunk, h.call.Node().(*parse.Call), fmt.Sprintf("%s=[%s, %s]", h.key, values[0], values[1]))
	}
	switch n := h.call.Node().(type) {
	case *parse.Call:
		return edit.AddArgs(h.call.Chunk, n, names[0]+"="+values[0], names[1]+"="+values[1])
	case *parse.Dict:
		q := `"`
		if len(n.Items) > 0 && h.call.Text(n.Items[0].Key)[0] == '\'' {
			q = "'"
		}
		return edit.Extend(h.call.Chunk, n, q+names[0]+q+": "+values[0], q+names[1]+q+": "+values[1])
	case parse.Expr:
		return edit.Extend(h.call.Chunk, n, values[0], values[1])
	}
	return nil, false
}
