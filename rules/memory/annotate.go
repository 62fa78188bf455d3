package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// annotateHazard models the tests of jax/_src/pallas/mosaic/primitives.py annotate.
var annotateHazard = &rule.Rule{
	Name: "annotate-hazard-space",
	Page: page("annotate.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.tpu.annotate": func(p *rule.Pass, c *infer.Call) {
			r, ok := c.Arg("ref").(*infer.Ref)
			if !ok || c.Open || !isTrue(c.Arg("no_hazard")) && !isTrue(c.Arg("no_hazard_no_deps")) || r.Guess || r.Many {
				return
			}
			if !r.Default && !r.Spaces.Never(jax.VMEM) {
				return
			}
			p.Report(c.ArgLoc("ref"), "%s is in %s; hazards are annotated of refs that were put in VMEM by name", name(r), spaceText(r)).At(c.Loc).
				Says("ValueError: Hazard overrides ('no_hazard' or 'no_hazard_no_deps') are only valid for VMEM references, but got memory space: %s", spaceText(r)).Because(r.Why)
		},
	},
}

// hasMemorySpace models the tests of jax/_src/pallas/mosaic/primitives.py has_memory_space.
var hasMemorySpace = &rule.Rule{
	Name: "has-memory-space-known",
	Page: page("has_memory_space.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		"jax.experimental.pallas.tpu.has_memory_space": func(p *rule.Pass, c *infer.Call) {
			if s, ok := c.Arg("memory_space").(*infer.SpaceVal); ok && s.Space == jax.ANY {
				p.Report(c.ArgLoc("memory_space"), "this asks in which memory a ref is, and ANY is none; name one").At(c.Loc).
					Says("ValueError: has_memory_space(..., pl.ANY) is not supported. Please specify a concrete memory space.")
				return
			}
			r, ok := c.Arg("ref").(*infer.Ref)
			if !ok || c.Open || r.Guess || r.Many || !r.Default && !r.Spaces.Never(jax.ANY) {
				return
			}
			p.Report(c.ArgLoc("ref"), "%s is in %s: only of a ref in `pl.ANY` is it left to the compiler where it is", name(r), spaceText(r)).At(c.Loc).
				Says("ValueError: Ref must have pl.ANY memory space, but got %s", spaceText(r)).Because(r.Why)
		},
	},
}

// spaceText is the memory space of a ref as JAX has it.
func spaceText(r *infer.Ref) string {
	if r.Default {
		return "the default memory space"
	}
	return r.Spaces.String()
}

func isTrue(v infer.Value) bool {
	b, ok := v.(infer.Bool)
	return ok && bool(b)
}
