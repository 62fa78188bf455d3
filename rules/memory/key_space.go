package memory

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// keySpace models what jax/_src/pallas/mosaic/lowering.py _load_lowering_rule says of keys of Pallas' own kind.
var keySpace = &rule.Rule{
	Name: "prng-key-space",
	Page: page("key_space.md"),
	Kernel: func(p *rule.Pass, k *infer.Kernel) {
		if !onTensorCore(k) {
			return
		}
		for _, load := range loads(k) {
			ref := load.Refs[0]
			if ref.Type != jax.KeyPallas || len(ref.Steps) > 0 || !ref.Spaces.Only(jax.VMEM) || masked(load) || dropped(load) {
				continue
			}
			p.Report(load.Loc, "%s holds a Pallas PRNG key and is in VMEM; a key is loaded from SMEM only", name(ref)).
				Says("ValueError: PRNG keys must be loaded from SMEM. Did you set the memory space to MemorySpace.SMEM in the BlockSpec for the PRNG key input?").
				Because(ref.Why)
		}
	},
}
