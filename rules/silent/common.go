package silent

import (
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// whole calls f for each kernel of which everything that it does was followed, with the pipelines and scopes in it.
func whole(f func(*rule.Pass, *infer.Kernel)) func(*rule.Pass, *infer.Kernel) {
	return seen(func(p *rule.Pass, k *infer.Kernel) {
		if !k.Hidden {
			f(p, k)
		}
	})
}

// seen calls f for each kernel of which every copy, every wait and every other use of a semaphore was followed, with the pipelines and scopes in
// it. What it loads and stores may be known in part.
func seen(f func(*rule.Pass, *infer.Kernel)) func(*rule.Pass, *infer.Kernel) {
	return func(p *rule.Pass, k *infer.Kernel) {
		if k.Outer != nil || k.Map != nil || k.Lost || k.Fn == nil || !forTPU(k.Core) || stops(p.World, k) {
			return
		}
		f(p, k)
	}
}

// forTPU: the kernel runs on a TPU, or nothing says where.
func forTPU(c jax.Core) bool { return c.IsTPU() || c == jax.CoreUnknown }

// stops: Python stops in the kernel, so what follows is never done.
func stops(w *infer.World, k *infer.Kernel) bool {
	for _, f := range w.Faults {
		if f.Kernel != nil && f.Kernel.Root() == k {
			return true
		}
	}
	return false
}

// own reports whether the memory belongs to the kernel alone: nothing outside of it reads, writes or signals it.
func own(a *infer.Alloc) bool {
	if a == nil || a.Skipped || a.Guess || a.Many || a.Kernel == nil {
		return false
	}
	switch a.Role {
	case infer.Scoped:
		return true
	case infer.Scratch:
		return a.Kernel.Site.API != "mpmd_map" && a.Kernel.Site.Complete
	}
	return false
}

// name is what the author calls the ref.
func name(r *infer.Ref) string {
	if r == nil || r.Name == "" {
		return "it"
	}
	return "`" + r.Name + "`"
}

// say is the source at a place in backticks, when it is short; else what.
func say(loc parse.Loc, what string) string {
	s := loc.Text()
	if s == "" || len(s) > 60 || strings.ContainsAny(s, "\n`") {
		return what
	}
	return "`" + s + "`"
}

// within reports whether a place is in the file at hand.
func within(p *rule.Pass, loc parse.Loc) bool {
	_, _, ok := p.File.Range(loc)
	return ok
}

// anchor is the call that an event comes of.
func anchor(e *infer.Event) parse.Loc {
	if e.Call != nil {
		return e.Call.Loc
	}
	return e.Loc
}
