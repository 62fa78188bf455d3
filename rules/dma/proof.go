package dma

import (
	"regexp"

	"pallas-lsp/rules/infer"
)

// raw are the unknowns of which the compiler knows no divisor: the place in the grid, and numbers that were loaded.
var raw = regexp.MustCompile(`^(program_id\(\d+\)|\w+\[\]\x00\d+)$`)

// unproven: the start is a sum of raw unknowns that is not divisible by n term by term, which is how the compiler proves it.
func unproven(x infer.IndexItem, n int64) bool {
	if x.Start == nil || len(x.Start.Terms) == 0 {
		return false
	}
	bad := x.Start.Const%n != 0
	for _, t := range x.Start.Terms {
		if !raw.MatchString(t.Atom) {
			return false
		}
		bad = bad || t.Coef%n != 0
	}
	return bad
}
