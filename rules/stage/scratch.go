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
	return &rule.Fix{Title: title, Kind: "stage.asyncCopy", Safety: rule.Unsafe, Edits: unique(out)}
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

// onlySite: the function is the kernel of this one site.
func (pl *plan) onlySite(k *infer.Kernel) bool { return OnlySite(pl.pass.Facts, k) }

// OnlySite reports whether the function of a kernel is that of this one site and is called from nowhere else, and the site runs no other
// function: then the two can be edited together.
func OnlySite(facts *infer.Facts, k *infer.Kernel) bool {
	ok := true
	for _, e := range facts.Entries {
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

// runs are the kernels of the site in all runs of the file.
func (pl *plan) runs(k *infer.Kernel) []*infer.Kernel {
	var out []*infer.Kernel
	eachKernel(pl.pass.Facts, func(_ *infer.World, o *infer.Kernel) {
		if o.Site.Loc == k.Site.Loc {
			out = append(out, o)
		}
	})
	return out
}

// request is the text that asks for the buffer at the site; empty when its shape or type can't be written there.
func (pl *plan) request(k *infer.Kernel, h *holder) string {
	space := h.names.Name(tpu, pl.space.String())
	if like := pl.likeOperand(k, h); like != "" {
		return space + "(" + like + ")"
	}
	if shape, dtype := pl.shapeText(h), pl.dtypeText(h); shape != "" && dtype != "" {
		return space + "(" + shape + ", " + dtype + ")"
	}
	return ""
}

// shapeText is the buffer's shape as numbers, where all runs agree on them. What a call outside of functions takes is the same for all runs, so
// there the runs that do not know follow those that do: a kernel that is called by the module and by a function of it, say.
func (pl *plan) shapeText(h *holder) string {
	if pl.form == lane {
		return lanes
	}
	text := ""
	for _, e := range pl.peers {
		shape := pl.bufferShape(e)
		_, known := shape.Known()
		switch {
		case !known && h.constant():
		case !known || text != "" && text != shape.String():
			return ""
		default:
			text = shape.String()
		}
	}
	return text
}

// constant: what is written there does not depend on who calls.
func (h *holder) constant() bool { return len(h.call.Funcs()) == 0 }

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
		t := e.Refs[0].Type
		switch {
		case t == "" && h.constant():
		case t == "" || d != "" && t != d:
			return ""
		default:
			d = t
		}
	}
	if d == "" {
		return ""
	}
	name := string(d)
	if d == jax.Bool {
		name = "bool_"
	}
	return h.names.Name(numpy, name)
}
