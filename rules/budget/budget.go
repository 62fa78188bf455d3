// Package budget holds the rules about how much VMEM, SMEM and how many semaphores a kernel takes.
package budget

import (
	"embed"

	"pallas-lsp/rules/rule"
)

//go:embed *.md
var pages embed.FS

func page(name string) string { return rule.Page(pages, name) }

// Rules are the rules of this folder.
var Rules = []*rule.Rule{smemOverBudget, vmemCapacity, sparseCoreMemory}
