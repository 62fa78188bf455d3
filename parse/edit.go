package parse

import (
	"fmt"
	"slices"
)

// Edit replaces the bytes [Start, End) of one version by New.
type Edit struct {
	Start, End int
	New        string
}

// Apply returns src with the edits made. Their order does not matter, except that insertions at the same offset come
// out in the order in which they are given. It is an error when an edit lies outside src or when two overlap.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return min(a.End-a.Start, 1) - min(b.End-b.Start, 1) // insertions before the replacement of what follows
	})
	size, last := len(src), 0
	for _, e := range sorted {
		if e.Start < 0 || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("edit [%d, %d) is outside the text of %d bytes", e.Start, e.End, len(src))
		}
		if e.Start < last {
			return nil, fmt.Errorf("edit [%d, %d) overlaps one that ends at %d", e.Start, e.End, last)
		}
		last = e.End
		size += len(e.New) - (e.End - e.Start)
	}
	out := make([]byte, 0, size)
	last = 0
	for _, e := range sorted {
		out = append(out, src[last:e.Start]...)
		out = append(out, e.New...)
		last = e.End
	}
	return append(out, src[last:]...), nil
}
