package memory

import (
	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
)

// allocation is memory that the kernel asks for: scratch, or a scoped ref that it uses. (A scoped ref that nothing uses vanishes before
// anybody looks at its space.)
type allocation struct {
	ref *infer.Ref
	loc parse.Loc // where it is asked for
}

func allocations(k *infer.Kernel) []allocation {
	var out []allocation
	for _, r := range k.Refs {
		switch {
		case !data(r) && r.Type != "":
		case r.Role == infer.Scratch && r.Mem != nil && r.Mem.Mesh == nil:
			out = append(out, allocation{r, r.Mem.Loc})
		case r.Role == infer.Scoped && used(k, r.Alloc):
			loc := r.Alloc.Loc
			if r.Mem != nil {
				loc = r.Mem.Loc
			}
			out = append(out, allocation{r, loc})
		}
	}
	return out
}

// used: the kernel reads, writes or copies it.
func used(k *infer.Kernel, a *infer.Alloc) bool {
	for _, e := range k.Events {
		if e.Op == infer.OpAlloc {
			continue
		}
		for _, r := range e.Refs {
			if r != nil && r.Alloc == a {
				return true
			}
		}
	}
	return false
}
