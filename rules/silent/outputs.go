package silent

import (
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// outputs lists the outputs of a kernel that is called with all its operands known in number.
func outputs(k *infer.Kernel) []*infer.Operand {
	s := k.Site
	if s.Open || !s.Complete {
		return nil
	}
	var out []*infer.Operand
	for _, o := range s.Outputs {
		if o.Ref != nil && !o.Ref.Alloc.Guess && !o.Ref.Alloc.Many && !o.Ref.Alloc.Skipped && !o.Ref.Type.IsSemaphore() && !o.Ref.Spaces.Has(jax.Semaphore) {
			out = append(out, o)
		}
	}
	return out
}

// mayWrite: the event writes the memory, or something may be done to it that can't be seen.
func mayWrite(e *infer.Event, a *infer.Alloc) bool {
	at := func(i int) bool { return i < len(e.Refs) && e.Refs[i].On(a) }
	switch e.Op {
	case infer.OpStore, infer.OpScatter:
		return at(0)
	case infer.OpDMAStart, infer.OpDMAWait:
		return at(1) || e.Op == infer.OpDMAWait && at(0)
	}
	return false
}

// mayRead: the event reads the memory.
func mayRead(e *infer.Event, a *infer.Alloc) bool {
	switch e.Op {
	case infer.OpLoad, infer.OpGather, infer.OpDMAStart:
		return e.Refs[0].On(a) && !e.Unused
	}
	return false
}

func written(k *infer.Kernel, a *infer.Alloc) bool {
	return slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool { return mayWrite(e, a) })
}

// aliased tells whether input_output_aliases gives the output the memory of an input; known is false when that can't be said.
func aliased(s *infer.Site, output int) (yes, known bool) {
	switch d := s.Aliases.(type) {
	case nil, infer.None:
		return false, true
	case *infer.Dict:
		_, vals, open := d.Items()
		known = !open
		for _, v := range vals {
			n, isInt := v.(*infer.Int)
			k, ok := n.Known()
			if !isInt || !ok {
				known = false
				continue
			}
			yes = yes || int(k) == output
		}
		return yes, known || yes
	}
	return false, false
}

// aliasedInput tells whether the input's memory is given to an output.
func aliasedInput(s *infer.Site, input int) (yes, known bool) {
	switch d := s.Aliases.(type) {
	case nil, infer.None:
		return false, true
	case *infer.Dict:
		keys, _, open := d.Items()
		known = !open
		for _, v := range keys {
			n, isInt := v.(*infer.Int)
			k, ok := n.Known()
			if !isInt || !ok {
				known = false
				continue
			}
			yes = yes || int(k) == input
		}
		return yes, known || yes
	}
	return false, false
}

// inPlace: the output stays in memory out of the kernel's sight: what an alias put there is still there.
func inPlace(o *infer.Operand) bool {
	return !o.Ref.Spaces.Known() || o.Ref.Spaces.HasAny(jax.ANY, jax.HBM, jax.HOST, jax.Semaphore)
}

// plain: the result is an ordinary array, which no type puts into a memory of the kernel's.
func plain(o *infer.Operand) bool {
	t, ok := o.Value.(*infer.ShapeStruct)
	return ok && t.Struct && !t.Space.Known()
}

// rebound are the places where the output's name is given another value.
func rebound(k *infer.Kernel, o *infer.Operand) *infer.Rebind {
	for _, r := range k.Rebinds {
		if r.Ref.On(o.Ref.Alloc) {
			return r
		}
	}
	return nil
}

// readsInput: the kernel takes something of an operand, so that it is there to compute with it.
func readsInput(k *infer.Kernel) bool {
	return slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool {
		return (e.Op == infer.OpLoad || e.Op == infer.OpDMAStart) && e.Refs[0] != nil && e.Refs[0].Role == infer.Input
	})
}

// param is where the kernel names the operand.
func param(p *rule.Pass, k *infer.Kernel, o *infer.Operand) parse.Loc {
	if within(p, o.ParamLoc) {
		return o.ParamLoc
	}
	return k.Loc
}

// neverWritten: what an output holds where nothing stores is what was in its memory before.
var neverWritten = &rule.Rule{
	Name: "output-never-written",
	Page: page("output_never_written.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		for _, o := range outputs(k) {
			alias, known := aliased(k.Site, o.Index)
			if alias || !known || o.Ref.Dropped || strings.HasPrefix(o.Param, "_") || k.Site.API != "pallas_call" || inPlace(o) && !readsInput(k) || written(k, o.Ref.Alloc) || rebound(k, o) != nil || !within(p, k.Loc) {
				continue
			}
			p.Report(param(p, k, o), "nothing is ever stored to %s: the result holds whatever was in its memory", o.Title()).At(k.Loc).Because(o.Ref.Why)
		}
	}),
}

// aliasNeverWritten: of an aliased operand, too, a block is written back from VMEM into which nothing was read.
var aliasNeverWritten = &rule.Rule{
	Name: "aliased-output-never-written",
	Page: page("aliased_never_written.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		for _, o := range outputs(k) {
			alias, _ := aliased(k.Site, o.Index)
			if !alias || !plain(o) || inPlace(o) || written(k, o.Ref.Alloc) || rebound(k, o) != nil || !within(p, k.Loc) {
				continue
			}
			p.Report(param(p, k, o), "nothing is ever stored to %s, and its block is written back all the same: the alias does not keep what the input held", o.Title()).
				At(k.Loc).Also(k.Site.Call.ArgLoc("input_output_aliases"), "the alias")
		}
	}),
}

// rebind: a name is not memory.
var rebind = &rule.Rule{
	Name: "ref-rebind",
	Page: page("ref_rebind.md"),
	Kernel: whole(func(p *rule.Pass, k *infer.Kernel) {
		for _, o := range outputs(k) {
			r := rebound(k, o)
			if r == nil || written(k, o.Ref.Alloc) || !within(p, r.Loc) {
				continue
			}
			p.Report(r.Loc, "this gives the name %s another value and stores nothing: the output is never written", name(o.Ref)).Also(o.ParamLoc, "the output").
				Offer(&rule.Fix{Title: "Store it with `[...]`", Safety: rule.Unsafe, Edits: []rule.Edit{{Loc: r.Loc, New: r.Loc.Text() + "[...]"}}})
		}
	}),
}
