package rules

import (
	"slices"
	"sync"

	"pallas-lsp/rules/api"
	"pallas-lsp/rules/block"
	"pallas-lsp/rules/budget"
	"pallas-lsp/rules/control"
	"pallas-lsp/rules/dma"
	"pallas-lsp/rules/kernel"
	"pallas-lsp/rules/memory"
	"pallas-lsp/rules/messages"
	"pallas-lsp/rules/ops"
	"pallas-lsp/rules/rewrite"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/silent"
	"pallas-lsp/rules/sparsecore"
	"pallas-lsp/rules/trace"
)

// topics lists the rules of every topic folder; a new rule is added to the Rules slice of its topic.
var topics = [][]*rule.Rule{
	api.Rules, block.Rules, budget.Rules, control.Rules, dma.Rules, kernel.Rules, memory.Rules, messages.Rules, ops.Rules, rewrite.Rules, silent.Rules,
	sparsecore.Rules, trace.Rules,
}

// All returns every rule, ordered by name.
var All = sync.OnceValue(func() []*rule.Rule {
	all := slices.Concat(topics...)
	slices.SortFunc(all, func(a, b *rule.Rule) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all
})

// Find returns the rule of that name, also by a name that it had before, or nil.
func Find(name string) *rule.Rule {
	for _, r := range All() {
		if matches(r, []string{name}) {
			return r
		}
	}
	return nil
}
