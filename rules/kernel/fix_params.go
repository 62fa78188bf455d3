package kernel

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

const (
	pallas    = "jax.experimental.pallas"
	pallasTPU = "jax.experimental.pallas.tpu"
)

// makeParams makes pltpu.CompilerParams of a dict, also of one that holds the parameters under "mosaic" as old releases had them, and calls the
// class where it is given itself.
func makeParams(p *rule.Pass, s *infer.Site, loc parse.Loc) *rule.Fix {
	x, ok := edit.ExprAt(p.File, loc)
	names := edit.NamesAt(p.File, loc)
	if !ok || names == nil {
		return nil
	}
	if _, class := s.Params.(*infer.API); class {
		return edit.Fix(true, "Call it", rule.Safe, edit.Append(loc.Chunk, x, "()"))
	}
	items, ok := keywords(x)
	if ok && len(items) == 1 && items[0].name == "mosaic" {
		items, ok = keywords(items[0].value)
	}
	obj, known := p.Release.Lookup(tpuParams)
	if !ok || !known {
		return nil
	}
	var args []string
	for _, it := range items {
		if !obj.Accepts(it.name) {
			return nil
		}
		args = append(args, it.name+"="+locOf(loc.Chunk, it.value).Text())
	}
	text := names.Name(pallasTPU, "CompilerParams") + "(" + strings.Join(args, ", ") + ")"
	return edit.Fix(true, "Make it `pltpu.CompilerParams`", rule.Safe, append(names.Edits, rule.Edit{Loc: loc, New: text}))
}

type keyword struct {
	name  string
	value parse.Expr
}

// keywords are the entries of a dict with strings for keys: {"a": b} or dict(a=b).
func keywords(x parse.Expr) (out []keyword, ok bool) {
	switch x := x.(type) {
	case *parse.Dict:
		for _, it := range x.Items {
			key, isStr := it.Key.(*parse.Str)
			if !isStr {
				return nil, false
			}
			out = append(out, keyword{key.Value, it.Value})
		}
		return out, true
	case *parse.Call:
		if f, named := x.Func.(*parse.Name); !named || f.ID != "dict" {
			return nil, false
		}
		for _, a := range x.Args {
			if a.Name == "" {
				return nil, false
			}
			out = append(out, keyword{a.Name, a.Value})
		}
		return out, true
	}
	return nil, false
}

// nearField respells a field of the compiler parameters.
func nearField(p *rule.Pass, c *infer.Call, a infer.Arg) *rule.Fix {
	obj, ok := p.Release.Lookup(tpuParams)
	call, i, held := edit.Holder(p.File, a.Loc)
	if !ok || !held || call.Args[i].Name != a.Name {
		return nil
	}
	var free []string
	for _, q := range obj.Params {
		if c.Bound[q.Name] == nil && q.Name != "self" {
			free = append(free, q.Name)
		}
	}
	near := edit.Nearest(a.Name, free)
	return edit.Fix(near != "", "Write `"+near+"`", rule.Unsafe, []rule.Edit{{Loc: parse.Loc{Chunk: a.Loc.Chunk, Span: call.Args[i].NameSpan}, New: near}})
}

// toInt makes an int of a float: of a whole literal its number, else int(...).
func toInt(p *rule.Pass, loc parse.Loc) *rule.Fix {
	x, ok := edit.ExprAt(p.File, loc)
	if !ok {
		return nil
	}
	if f, literal := x.(*parse.Float); literal && !f.Imaginary && f.Value == math.Trunc(f.Value) && math.Abs(f.Value) < 1<<53 {
		n := strconv.FormatInt(int64(f.Value), 10)
		return edit.Fix(true, "Write "+n, rule.Safe, []rule.Edit{{Loc: loc, New: n}})
	}
	return edit.Fix(true, "Make it an `int`", rule.Safe, edit.Around(loc, "int(", ")"))
}

// toBool writes the truth value of what stands for one.
func toBool(p *rule.Pass, loc parse.Loc, v infer.Value) *rule.Fix {
	_, ok := edit.ExprAt(p.File, loc)
	text := "True"
	switch v := v.(type) {
	case infer.None:
		text = "False"
	case *infer.Int:
		if v.Is(0) {
			text = "False"
		}
	}
	return edit.Fix(ok, "Write `"+text+"`", rule.Unsafe, []rule.Edit{{Loc: loc, New: text}})
}

// without takes a field out of the compiler parameters, where no other call has the same.
func without(p *rule.Pass, s *infer.Site, name string, safety rule.Safety) *rule.Fix {
	params, ok := s.Params.(*infer.Params)
	if !ok {
		return nil
	}
	sites, few := edit.Sites(p)
	if !few {
		return nil
	}
	for _, other := range sites {
		if q, is := other.Params.(*infer.Params); is && q.Call.Loc == params.Call.Loc && other.Loc != s.Loc {
			return nil
		}
	}
	return edit.WithoutArg(p, params.Call, name, safety)
}

// nameBarrier gives the kernel a number for its barrier.
func nameBarrier(p *rule.Pass, s *infer.Site) *rule.Fix {
	const title = "Give the kernel `collective_id=0`"
	if params, ok := s.Params.(*infer.Params); ok {
		edits, ok := edit.SetArg(p.File, params.Call, "collective_id", "0")
		return edit.Fix(ok, title, rule.Unsafe, edits)
	}
	names := edit.NamesAt(p.File, s.Loc)
	if s.Params != nil || names == nil {
		return nil
	}
	edits, ok := edit.SetArg(p.File, s.Call, "compiler_params", names.Name(pallasTPU, "CompilerParams")+"(collective_id=0)")
	return edit.Fix(ok, title, rule.Unsafe, append(names.Edits, edits...))
}

// inMemory puts a shape and dtype that are written as a type of an array into the memory of the core.
func inMemory(p *rule.Pass, s *infer.Site, loc parse.Loc) *rule.Fix {
	x, _ := edit.ExprAt(p.File, loc)
	call, ok := x.(*parse.Call)
	names := edit.NamesAt(p.File, loc)
	if !ok || len(call.Args) != 2 || names == nil || !strings.HasSuffix(locOf(loc.Chunk, call.Func).Text(), "ShapeDtypeStruct") || wantsSemaphore(s) {
		return nil
	}
	space := "VMEM"
	if s.Core == jax.SCScalarSubcore {
		space = "SMEM"
	}
	written := names.Name(pallasTPU, space)
	return edit.Fix(true, "Allocate it in "+space, rule.Safe, append(names.Edits, rule.Edit{Loc: locOf(loc.Chunk, call.Func), New: written}))
}

// wantsSemaphore: the kernel uses as a semaphore what may be the scratch whose memory is not known.
func wantsSemaphore(s *infer.Site) bool {
	wants := func(c *infer.Call) bool {
		for name, a := range c.Bound {
			if r, ok := a.Value.(*infer.Ref); strings.Contains(name, "sem") && (!ok || r.Mem == nil) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(s.Kernels, func(k *infer.Kernel) bool { return slices.ContainsFunc(k.Calls, wants) })
}

// onMesh says whose a scratch buffer is: one fix for each mesh that has such memory.
func onMesh(p *rule.Pass, s *infer.Site, o *infer.Operand) (out []*rule.Fix) {
	t, ok := sequence(s.Call.Arg("mesh"))
	x, written := edit.ExprAt(p.File, o.Mem.Loc)
	if !ok || !written {
		return nil
	}
	for i, v := range all(t) {
		mesh, isMesh := v.(*infer.Mesh)
		name, isName := elem(p, t, i).(*parse.Name)
		if !isMesh || !isName || o.Mem.Spaces.Never(supported[mesh.Core]...) {
			continue
		}
		out = append(out, &rule.Fix{Title: "Allocate it on `" + name.ID + "`", Safety: rule.Unsafe, Edits: []rule.Edit{edit.Insert(o.Mem.Loc.Chunk, x.Span().End, " @ "+name.ID)}})
	}
	return out
}

func elem(p *rule.Pass, t *infer.Tuple, i int) parse.Expr {
	loc := t.ElemLoc(i)
	if loc == t.Loc {
		return nil
	}
	x, _ := edit.ExprAt(p.File, loc)
	return x
}

// describe makes a type of the shape that stands for an output, with the dtype that all inputs have.
func describe(p *rule.Pass, s *infer.Site, loc parse.Loc) *rule.Fix {
	t, ok := s.OutShape.(*infer.Tuple)
	_, written := edit.ExprAt(p.File, loc)
	names := edit.NamesAt(p.File, loc)
	if !ok || !written || names == nil || t.Rest != nil || len(s.Operands) == 0 || slices.ContainsFunc(all(t), func(v infer.Value) bool { _, isInt := v.(*infer.Int); return !isInt }) {
		return nil
	}
	dtype := jax.DType("")
	for _, a := range s.Operands {
		x, isArray := a.Value.(*infer.Array)
		if !isArray || x.DType == "" || dtype != "" && x.DType != dtype {
			return nil
		}
		dtype = x.DType
	}
	text := names.Name("jax", "ShapeDtypeStruct") + "("
	return edit.Fix(true, "Describe it with `jax.ShapeDtypeStruct`", rule.Unsafe,
		append(edit.Around(loc, text, ", "+names.Name("jax.numpy", string(dtype))+")"), names.Edits...))
}

// toMapping makes a dict of pairs.
func toMapping(p *rule.Pass, loc parse.Loc) *rule.Fix {
	x, ok := edit.ExprAt(p.File, loc)
	var pairs []parse.Expr
	switch x := x.(type) {
	case *parse.List:
		pairs = x.Elems
	case *parse.Tuple:
		pairs = x.Elems
	case *parse.Const:
		return edit.Fix(x.Kind == parse.ConstNone, "Write `{}`", rule.Safe, []rule.Edit{{Loc: loc, New: "{}"}})
	}
	if !ok || len(pairs) == 0 {
		return nil
	}
	var items []string
	for _, e := range pairs {
		pair, isPair := e.(*parse.Tuple)
		if !isPair || len(pair.Elems) != 2 {
			return nil
		}
		items = append(items, locOf(loc.Chunk, pair.Elems[0]).Text()+": "+locOf(loc.Chunk, pair.Elems[1]).Text())
	}
	return edit.Fix(true, "Make it a dict", rule.Safe, []rule.Edit{{Loc: loc, New: "{" + strings.Join(items, ", ") + "}"}})
}

// countPrefetched counts the prefetched scalars among the inputs that aliases name.
func countPrefetched(p *rule.Pass, s *infer.Site, loc parse.Loc) *rule.Fix {
	x, _ := edit.ExprAt(p.File, loc)
	d, ok := x.(*parse.Dict)
	if !ok || s.Prefetch <= 0 {
		return nil
	}
	var edits []rule.Edit
	for _, it := range d.Items {
		n, isInt := it.Key.(*parse.Int)
		if !isInt {
			return nil
		}
		edits = append(edits, rule.Edit{Loc: locOf(loc.Chunk, n), New: strconv.FormatInt(n.Value+int64(s.Prefetch), 10)})
	}
	return edit.Fix(true, "Count the prefetched scalars too", rule.Unsafe, edits)
}

// bufferIn puts the buffers of a pipeline into the memory of the core.
func bufferIn(p *rule.Pass, s *infer.Site, o *infer.Operand) *rule.Fix {
	a := o.Spec.Call.Bound["memory_space"]
	if a == nil {
		return nil
	}
	names := edit.NamesAt(p.File, a.Loc)
	if names == nil || shares(p, s, o) {
		return nil
	}
	space := "VMEM"
	if s.Core == jax.SCScalarSubcore {
		space = "SMEM"
	}
	written := names.Name(pallasTPU, space)
	return edit.Fix(true, "Buffer it in "+space, rule.Unsafe, append(names.Edits, rule.Edit{Loc: a.Loc, New: written}))
}

// shares: another call of the file uses the spec too.
func shares(p *rule.Pass, s *infer.Site, o *infer.Operand) bool {
	sites, few := edit.Sites(p)
	if !few {
		return true
	}
	for _, other := range sites {
		for _, q := range other.Blocks() {
			if other.Loc != s.Loc && q.Spec != nil && q.Spec.Loc == o.Spec.Loc {
				return true
			}
		}
	}
	return false
}

// passOutputs gives a pipeline the outputs of the kernel, where those are what it lacks.
func passOutputs(p *rule.Pass, s *infer.Site, in, out, n int) *rule.Fix {
	x, _ := edit.ExprAt(p.File, s.CallLoc)
	call, ok := x.(*parse.Call)
	if !ok || n != in || out == 0 || s.Outer == nil || s.Outer.Fn == nil || s.CallLoc.Chunk != s.Outer.Fn.Chunk {
		return nil
	}
	var names []string
	for _, r := range s.Outer.Refs {
		if r.Role == infer.Output && len(r.Steps) == 0 && bound(s.Outer.Fn, r.Name) {
			names = append(names, r.Name)
		}
	}
	if len(names) != out {
		return nil
	}
	edits, ok := edit.AddArgs(s.CallLoc.Chunk, call, names...)
	return edit.Fix(ok, "Pass `"+strings.Join(names, "`, `")+"` too", rule.Unsafe, edits)
}
