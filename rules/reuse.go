package rules

import (
	"cmp"
	"reflect"
	"slices"
	"sync"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

// Reuse checks one version of a file after another and keeps the findings of the entries that infer.Reuse kept. It is safe for concurrent
// use; the zero value is ready.
type Reuse struct {
	mu      sync.Mutex
	cfg     *Config
	release *jax.Release
	all     []*rule.Rule // the catalogue
	active  []rated      // what runs of it
	kept    map[*infer.Entry]*keptFindings
}

// keptFindings are the findings of one entry with what they rest on beside its facts.
type keptFindings struct {
	found    []*rule.Diagnostic
	mentions map[string]bool
}

// Check is Check for the next version of a file.
func (r *Reuse) Check(facts *infer.Facts, cfg *Config) []*rule.Diagnostic {
	r.mu.Lock()
	defer r.mu.Unlock()
	if all := All(); !cfg.same(r.cfg) || facts.Release != r.release || !slices.Equal(all, r.all) {
		r.all, r.active, r.kept = all, cfg.rate(cfg.active(facts.Release)), nil
	}
	active, words := r.active, words{}
	next := make(map[*infer.Entry]*keptFindings, len(facts.Entries))
	seen := map[key]int{}
	var out []*rule.Diagnostic
	for _, entry := range facts.Entries {
		k := r.kept[entry].renew(facts, cfg, active, words, entry)
		next[entry] = k
		for _, d := range k.found {
			at, again := seen[key{d.Rule, d.Loc}]
			switch {
			case !again:
				seen[key{d.Rule, d.Loc}] = len(out)
				out = append(out, d)
			case len(d.Fixes) > len(out[at].Fixes): // the run that knew more
				out[at] = d
			}
		}
	}
	r.cfg, r.release, r.kept = cfg, facts.Release, next
	slices.SortStableFunc(out, func(a, b *rule.Diagnostic) int { return cmp.Compare(position(facts.File, a), position(facts.File, b)) })
	return out
}

// renew returns the findings of an entry: those kept, with fixes for the file as it is now, or new ones.
func (k *keptFindings) renew(facts *infer.Facts, cfg *Config, active []rated, words words, entry *infer.Entry) *keptFindings {
	c := &entryCheck{facts: facts, cfg: cfg, entry: entry, words: words, mentions: map[string]bool{}}
	if k == nil || !k.mentioned(facts.File.Src, words) {
		return &keptFindings{c.run(active), c.mentions}
	}
	if len(k.found) == 0 {
		return k
	}
	with := slices.DeleteFunc(slices.Clone(active), func(r rated) bool {
		return !slices.ContainsFunc(k.found, func(d *rule.Diagnostic) bool { return d.Rule == r.Rule })
	})
	fixed := map[key]*rule.Diagnostic{}
	for _, d := range c.run(with) {
		fixed[key{d.Rule, d.Loc}] = d
	}
	next := &keptFindings{mentions: k.mentions}
	for _, d := range k.found {
		if again := fixed[key{d.Rule, d.Loc}]; again != nil {
			d = again
		}
		next.found = append(next.found, d)
	}
	return next
}

func (k *keptFindings) mentioned(text []byte, words words) bool {
	for word, was := range k.mentions {
		if words.has(text, word) != was {
			return false
		}
	}
	return true
}

// same: the two choose alike.
func (c *Config) same(other *Config) bool {
	return other != nil && c.Chip == other.Chip && slices.Equal(c.Select, other.Select) && slices.Equal(c.Ignore, other.Ignore) &&
		reflect.DeepEqual(c.Severity, other.Severity)
}
