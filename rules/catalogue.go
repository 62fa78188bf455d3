package rules

import (
	"slices"
	"sync"
	"sync/atomic"

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

// swapped is the list that stands for the catalogue; nil when it is the catalogue's own.
var swapped atomic.Pointer[[]*rule.Rule]

// All returns every rule, ordered by name.
func All() []*rule.Rule {
	if list := swapped.Load(); list != nil {
		return *list
	}
	return own()
}

// Swap lets a list stand for the catalogue until undo is called: tests bring rules of their own. Checks that still run see one or the other.
func Swap(list []*rule.Rule) (undo func()) {
	old := swapped.Swap(&list)
	return func() { swapped.Store(old) }
}

var own = sync.OnceValue(func() []*rule.Rule {
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
