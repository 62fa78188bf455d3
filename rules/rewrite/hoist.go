package rewrite

import (
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/edit"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// repeated: what is copied again and again has been there since the first step.
var repeated = &rule.Rule{
	Name:   "copy-repeated",
	Off:    true,
	Offers: true,
	Page:   page("repeated.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, c := range copies(p, k) {
			if n, known := c.loop.steps(); known && n < 2 || !c.same(p, k) {
				continue
			}
			p.Report(c.loc(), "each step of the loop copies the same into %s: once, before the loop, is enough", named(c.start.Refs[1])).
				At(c.start.Desc.Loc).Offer(c.hoist())
		}
	},
}

// same: every step copies the same to the same place, where nothing else writes.
func (c *copying) same(p *rule.Pass, k *infer.Kernel) bool {
	src, ok := c.sourceOf(k)
	if !ok || src.moves || len(src.assigns) > 0 || !pure(k, c.loop.run.Chunk, c.dst) || c.mentionsLoop(c.dst) || c.sem != nil && c.mentionsLoop(c.sem) {
		return false
	}
	a := c.start.Refs[1].Alloc.Sole()
	if a == nil || !private(p, a) || len(c.stmts) == len(c.loop.body) {
		return false
	}
	for _, e := range k.Flow() {
		if writesTo(e, a) && (e.Desc == nil || e.Desc.Call.Node != c.call) {
			return false
		}
	}
	return c.start.Desc.Sync || c.alone(p, k)
}

func (c *copying) mentionsLoop(x parse.Expr) bool {
	found := false
	parse.Walk(x, func(n parse.Node) bool {
		name, ok := n.(*parse.Name)
		found = found || ok && c.loop.binds(name.ID)
		return true
	})
	return found
}

// alone: nothing but this copy has to do with its semaphore.
func (c *copying) alone(p *rule.Pass, k *infer.Kernel) bool {
	sem := c.start.Refs[2]
	if sem == nil || !private(p, sem.Alloc) {
		return false
	}
	return !slices.ContainsFunc(k.Flow(), func(e *infer.Event) bool {
		if e.Desc != nil && (e.Desc.Call.Node == c.call || e.Desc.Call.Node == c.wait.Desc.Call.Node) {
			return false
		}
		return slices.ContainsFunc(e.Refs, func(r *infer.Ref) bool { return r.On(sem.Alloc) })
	})
}

// hoist puts the statements of the copy before the loop.
func (c *copying) hoist() *rule.Fix {
	run := c.loop.run
	at := run.Node().Span().Start
	indent := edit.Indent(run.Chunk, at)
	if strings.TrimSpace(run.Chunk.Text[strings.LastIndexByte(run.Chunk.Text[:at], '\n')+1:at]) != "" {
		return nil
	}
	text := ""
	var out []rule.Edit
	for _, s := range c.stmts {
		old := edit.Indent(run.Chunk, s.Span().Start)
		text += strings.ReplaceAll(run.Text(s), "\n"+old, "\n"+indent) + "\n" + indent
		out = append(out, lines(run.Chunk, s))
	}
	if _, def := run.Node().(*parse.FuncDef); def {
		text = strings.TrimSuffix(text, indent) + "\n" + indent
	}
	out = append(out, edit.Insert(run.Chunk, at, text))
	return &rule.Fix{Title: "Copy into " + named(c.start.Refs[1]) + " once, before the loop", Kind: "pallas.hoist-copy", Safety: rule.Unsafe, Edits: out}
}
