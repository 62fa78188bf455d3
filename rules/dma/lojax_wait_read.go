package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// lojaxWaitRead models the first check of jax/_src/pallas/mosaic/primitives.py _dma_wait_to_lojax.
var lojaxWaitRead = &rule.Rule{
	Name: "dma-lojax-wait-read",
	Page: page("lojax_wait_read.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range waits(k) {
			src, _ := ends(e)
			if e.Which != "wait_read" && e.Which != "wait_send" || !high(e) || src == nil {
				continue
			}
			p.Report(e.Loc, "this waits for the source of a copy of `%s` values alone, which no type of its own can do; `wait()` waits for all of it", typeName(src)).
				Says("NotImplementedError: wait_read/wait_send not implemented in LoJAX yet.").
				Also(e.Desc.Loc, "the copy is described here").
				Offer(waitAll(e))
		}
	},
}

// waitAll is wait() instead of the method that the author calls.
func waitAll(e *infer.Event) *rule.Fix {
	if called(e, "wait") || e.Desc.Remote {
		return nil
	}
	return waitInstead(e)
}
