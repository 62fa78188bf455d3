package block

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// bufferCount models jax/_src/pallas/mosaic/lowering.py lower_jaxpr_into_pipelined_module.
var bufferCount = &rule.Rule{
	Name: "buffer-count",
	Page: page("buffer_count.md"),
	Site: windows(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		mode := buffered(o)
		if mode == nil {
			return
		}
		report := func(text string) {
			p.Report(specArg(p, s, o, "pipeline_mode"), "%s is buffered %s; around a pallas_call the compiler pipelines with one or two buffers, pltpu.emit_pipeline takes more", o.Title(), text).
				Says("LoweringException: Only single (1) and double (2) buffering are supported. Got %s.", text).
				Offer(twoBuffers(p, mode))
		}
		switch n := mode.Call.Arg("buffer_count").(type) {
		case *infer.Int:
			if k, ok := n.Known(); ok && (k < 1 || k > 2) {
				report(n.String())
			}
		case *infer.Tuple:
			report("with separate counts for input and output")
		}
	}),
}

// bufferLookahead models the same function's check of use_lookahead.
var bufferLookahead = &rule.Rule{
	Name: "buffer-lookahead",
	Page: page("buffer_lookahead.md"),
	Site: windows(func(p *rule.Pass, s *infer.Site, o *infer.Operand) {
		mode := buffered(o)
		if mode == nil || mode.Call.Arg("use_lookahead") != infer.Value(infer.Bool(true)) {
			return
		}
		p.Report(specArg(p, s, o, "pipeline_mode"), "%s is buffered with lookahead, which only pltpu.emit_pipeline has", o.Title()).
			Says("NotImplementedError: Lookahead is not supported for XLA pipeline emitter lowering.").
			Offer(dropLookahead(p, mode))
	}),
}

// buffered is the pl.Buffered of an operand's spec where it counts: JAX replaces that of a whole array in VMEM.
func buffered(o *infer.Operand) *infer.Params {
	mode, ok := o.Spec.Mode.(*infer.Params)
	if !ok || mode.API != "jax.experimental.pallas.Buffered" || mode.Call.Open {
		return nil
	}
	if whole, known := o.Whole(); o.Ref.Spaces.Has(jax.VMEM) && (whole || !known) {
		return nil
	}
	return mode
}
