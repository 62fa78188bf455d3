package api

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
)

// nearest is the parameter that is spelled most like word and was not given; empty when none is near.
func nearest(word string, c *infer.Call, params []jax.Param) string {
	best, least := "", 3
	for _, q := range params {
		if c.Bound[q.Name] != nil {
			continue
		}
		if d := distance(word, q.Name); d < least {
			best, least = q.Name, d
		}
	}
	return best
}

// distance is Levenshtein's, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}
