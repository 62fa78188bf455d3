package stage

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// elsewhere are fixes that put the ref itself into memory that the core can access, where staging is not the cure: a pipeline that was told to leave
// the block where it is, scratch in a memory in which the core has none. only is true when staging would not help.
func elsewhere(p *rule.Pass, e *infer.Event) (fix *rule.Fix, only bool) {
	k, ref := e.Kernel, e.Refs[0]
	if k == nil {
		return nil, false
	}
	if ref.Mem != nil && (k.Core == jax.TensorCore && ref.Spaces.Only(jax.HBM, jax.ANY) || ref.Spaces.Only(jax.ANY)) {
		return reallocate(p, k, ref), true
	}
	if e.Op == infer.OpGather || e.Op == infer.OpScatter {
		switch {
		case ref.Mem != nil && ref.Mem.Mesh != nil:
			return withoutMesh(p, ref), true
		case ref.Mem != nil && ref.Spaces.Only(jax.SMEM) && indexedOnly(k, ref):
			return reallocate(p, k, ref), true
		}
	}
	return pipelined(p, e), false
}

// indexedOnly: the kernel does nothing with the memory but pick elements by vectors of indices, and copy.
func indexedOnly(k *infer.Kernel, ref *infer.Ref) bool {
	for _, e := range k.Events {
		for _, r := range e.Refs {
			if r != nil && r.Alloc == ref.Alloc && (e.Op == infer.OpLoad || e.Op == infer.OpStore) {
				return false
			}
		}
	}
	return !k.Blind
}

// withoutMesh drops the `@ mesh` from a request for memory.
func withoutMesh(p *rule.Pass, ref *infer.Ref) *rule.Fix {
	c := ref.Mem.Call
	if c == nil || c.Node == nil {
		return nil
	}
	spot, ok := edit.Find(p.File, c.Loc.Chunk, c.Node)
	if !ok || spot.Up(1) == nil {
		return nil
	}
	both, ok := spot.Up(1).Node().(*parse.Binary)
	if !ok || both.Op != "@" || both.L != parse.Expr(c.Node) {
		return nil
	}
	return &rule.Fix{Title: "Allocate `" + ref.Name + "` without `@ " + spot.Text(both.R) + "`", Safety: rule.Unsafe,
		Edits: []rule.Edit{{Loc: parse.Loc{Chunk: spot.Chunk, Span: parse.Span{Start: c.Node.Span().End, End: both.Span().End}}}}}
}

// reallocate requests the scratch in the core's own memory.
func reallocate(p *rule.Pass, k *infer.Kernel, ref *infer.Ref) *rule.Fix {
	c := ref.Mem.Call
	if c == nil || c.Node == nil {
		return nil
	}
	spot, ok := edit.Find(p.File, c.Loc.Chunk, c.Node.Func)
	if !ok {
		return nil
	}
	space := jax.VMEM
	if k.Core == jax.SCScalarSubcore {
		space = jax.SMEM
	}
	names := &edit.Names{Spot: spot}
	return &rule.Fix{Title: "Allocate `" + ref.Name + "` in " + space.String(), Safety: rule.Unsafe,
		Edits: append([]rule.Edit{spot.Replace(spot.Node(), names.Name(tpu, space.String()))}, names.Edits...)}
}

// pipelined drops the memory space from a BlockSpec, so that the pipeline brings the block to VMEM.
func pipelined(p *rule.Pass, e *infer.Event) *rule.Fix {
	x, ok := e.Node.(*parse.Index)
	if !ok || e.Kernel.Site.API != "emit_pipeline" || e.Kernel.Fn == nil {
		return nil
	}
	name, ok := x.X.(*parse.Name)
	spec := specOf(e.Kernel, name, ok)
	if spec == nil || spec.NoBlock || spec.Space == nil || spec.Call == nil || spec.Call.Node == nil || !spec.Spaces.Only(jax.HBM, jax.ANY) {
		return nil
	}
	for i, a := range spec.Call.Node.Args {
		if _, in := p.File.Base(spec.Loc.Chunk); in && a.Name == "memory_space" {
			return &rule.Fix{Title: "Let the pipeline bring `" + name.ID + "` to VMEM (drops memory_space)", Safety: rule.Unsafe,
				Edits: []rule.Edit{edit.RemoveArg(spec.Loc.Chunk, spec.Call.Node, i)}}
		}
	}
	return nil
}

// specOf is the BlockSpec of the parameter of a pipeline's body.
func specOf(k *infer.Kernel, name *parse.Name, ok bool) *infer.BlockSpec {
	for i, prm := range k.Fn.Params {
		if !ok || prm.Name != name.ID || i >= len(k.Args) || k.Args[i].Name != "" || k.Args[i].Star != 0 {
			continue
		}
		if r, isRef := k.Args[i].Value.(*infer.Ref); isRef && r.Operand != nil && k.Site.Kernel == infer.Value(k.Fn) {
			return r.Operand.Spec
		}
	}
	return nil
}
