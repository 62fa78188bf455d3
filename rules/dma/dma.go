// Package dma holds the rules about copies: what may be copied where, and the semaphores that go with it.
package dma

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
