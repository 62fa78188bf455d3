package stage

import (
	"fmt"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// scratch stages through a buffer that the call site allocates: the kernel gets two more parameters, the buffer and a semaphore.
func (pl *plan) scratch() *rule.Fix {
	k := pl.owner()
	if k == nil || pl.parallel() {
		return nil
	}
	h := pl.holder(k)
	if h == nil {
		return nil
	}
	at := h.params(k)
	mem := pl.request(k, h)
	if at < 0 || mem == "" {
		return nil
	}
	w := pl.writer()
	w.taken = edit.Mentions(k.Fn.Def)
	buf, sem := w.free(pl.bufferName()), w.free(pl.name+"_sem")
	added, ok := h.add([2]string{buf, sem}, [2]string{mem, h.names.Name(tpu, "SemaphoreType") + ".DMA"})
	if !ok {
		return nil
	}
	out := append(added, edit.AddParams(k.Fn.Chunk, k.Fn.Def, at, buf, sem)...)
	var before, after []string
	copying := func(from, to string) []string {
		return []string{fmt.Sprintf("%s(%s, %s, %s).wait()", w.name(tpu, "async_copy"), from, to, sem)}
	}
	if pl.loads {
		before = copying(w.region(), w.end(buf))
	}
	if pl.stores {
		after = copying(w.end(buf), w.region())
	}
	out = append(out, w.edits(buf, before, after)...)
	out = append(out, h.names.Edits...)
	title := fmt.Sprintf("Stage `%s` through %s with async_copy (adds scratch `%s`, semaphore `%s`)", pl.name, pl.space, buf, sem)
	return &rule.Fix{Title: title, Safety: rule.Unsafe, Edits: unique(out)}
}

// owner is the kernel around the access whose site has scratch, and in whose function the access stands.
func (pl *plan) owner() *infer.Kernel {
	for k := pl.kernel; k != nil; k = k.Outer {
		if k.Site == nil || k.Fn == nil || k.Fn.Def == nil {
			continue
		}
		switch k.Site.API {
		case "pallas_call", "kernel", "core_map":
			if pl.inside(k.Fn) && pl.onlySite(k) {
				return k
			}
			return nil
		}
	}
	return nil
}

func (pl *plan) inside(f *infer.Func) bool {
	for _, n := range pl.spot.Funcs() {
		if n == parse.Node(f.Def) {
			return true
		}
	}
	return false
}

// onlySite: the function is the kernel of this one site and is called from nowhere else, and the site runs no other function.
func (pl *plan) onlySite(k *infer.Kernel) bool {
	ok := true
	for _, e := range pl.pass.World.Facts().Entries {
		for _, w := range e.Worlds {
			at, known := w.Callers(k.Fn)
			ok = ok && known
			for _, loc := range at {
				ok = ok && loc == k.Site.Loc
			}
			for _, other := range w.Kernels {
				same := other.Fn != nil && other.Fn.Def == k.Fn.Def
				ok = ok && same == (other.Site.Loc == k.Site.Loc)
			}
		}
	}
	return ok
}

// parallel: the access is in a loop whose iterations must not share memory.
func (pl *plan) parallel() bool {
	for _, e := range pl.peers {
		for _, c := range e.Path {
			for _, call := range e.Kernel.Calls {
				if call.Loc == c.Loc && call.API == "jax.experimental.pallas.tpu_sc.parallel_loop" {
					return true
				}
			}
		}
	}
	return false
}

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
	for _, e := range pl.pass.World.Facts().Entries {
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

// runs are the kernels of the site in all runs of the file.
func (pl *plan) runs(k *infer.Kernel) []*infer.Kernel {
	var out []*infer.Kernel
	eachKernel(pl.pass.World, func(_ *infer.World, o *infer.Kernel) {
		if o.Site.Loc == k.Site.Loc {
			out = append(out, o)
		}
	})
	return out
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

// request is the text that asks for the buffer at the site; empty when its shape or type can't be written there.
func (pl *plan) request(k *infer.Kernel, h *holder) string {
	space := h.names.Name(tpu, pl.space.String())
	if like := pl.likeOperand(k, h); like != "" {
		return space + "(" + like + ")"
	}
	if shape, dtype := pl.shapeText(), pl.dtypeText(h); shape != "" && dtype != "" {
		return space + "(" + shape + ", " + dtype + ")"
	}
	return ""
}

// shapeText is the buffer's shape as numbers, where all runs agree on them.
func (pl *plan) shapeText() string {
	if pl.form == lane {
		return lanes
	}
	text := ""
	for _, e := range pl.peers {
		shape := pl.bufferShape(e)
		if _, known := shape.Known(); !known || text != "" && text != shape.String() {
			return ""
		}
		text = shape.String()
	}
	return text
}

// bufferShape is the shape of what is copied for an event.
func (pl *plan) bufferShape(e *infer.Event) infer.Shape {
	switch {
	case pl.form == cell:
		return infer.Shape{Dims: []*infer.Int{lastDim(e)}}
	case pl.wide:
		return e.Refs[0].Alloc.Shape
	}
	return taken(e)
}

func lastDim(e *infer.Event) *infer.Int {
	dims, ok := selected(e.Refs[0], e.Index)
	if !ok {
		return nil
	}
	return dims[len(dims)-1].size
}

func (pl *plan) dtypeText(h *holder) string {
	var d jax.DType
	for _, e := range pl.peers {
		if d != "" && e.Refs[0].Type != d || e.Refs[0].Type == "" {
			return ""
		}
		d = e.Refs[0].Type
	}
	name := string(d)
	if d == jax.Bool {
		name = "bool_"
	}
	return h.names.Name(numpy, name)
}
