// Package budget holds the rules about how much VMEM, SMEM and how many semaphores a kernel takes.
package budget

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
