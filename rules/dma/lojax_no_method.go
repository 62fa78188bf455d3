package dma

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// lojaxNoMethod: jax/_src/pallas/mosaic/primitives.py _dma_start_to_lojax calls the type's dma_start, _dma_wait_to_lojax its dma_wait.
var lojaxNoMethod = &rule.Rule{
	Name: "dma-lojax-type-without-dma",
	Page: page("lojax_no_method.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		check := func(events []*infer.Event, method string) {
			for _, e := range events {
				src, dst := ends(e)
				if src == nil || dst == nil || !src.High || !dst.High || src.HiType == nil || !src.HiType.Lacks(method) {
					continue
				}
				p.Report(e.Desc.Loc, "`%s` has no method %s, so its values can't be copied", typeName(src), method).
					Says("AttributeError: '%s' object has no attribute '%s'", typeName(src), method).
					Also(src.HiType.Loc(), "the type is defined here")
			}
		}
		check(starts(k), "dma_start")
		check(waits(k), "dma_wait")
	},
}
