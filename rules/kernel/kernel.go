// Package kernel holds the rules about call sites: pallas_call, pl.kernel, their meshes, operands, outputs, scratch and parameters, and the kernel functions they run.
package kernel

import "pallas-lsp/rules/rule"

// Rules are the rules of this folder.
var Rules = []*rule.Rule{}
