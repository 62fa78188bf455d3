package jax

import (
	"fmt"
	"slices"
	"strings"
)

// Range is the releases of JAX for which something holds; the zero Range is all of them.
type Range struct {
	From, To string // the first and the last one, each a prefix such as 0.10; empty: no bound
}

// ParseRange reads `all`, `A and later`, `until A` or `A to B`.
func ParseRange(text string) (Range, error) {
	var r Range
	from, isFrom := strings.CutSuffix(text, " and later")
	to, isTo := strings.CutPrefix(text, "until ")
	first, last, isBoth := strings.Cut(text, " to ")
	switch {
	case text == "all":
	case isFrom:
		r.From = from
	case isTo:
		r.To = to
	case isBoth:
		r.From, r.To = first, last
	default:
		return r, fmt.Errorf("jax is all, A and later, until A, or A to B; got %s", text)
	}
	for _, v := range []string{r.From, r.To} {
		if v != "" && strings.Trim(v, "0123456789.") != "" {
			return r, fmt.Errorf("not a JAX version: %s", v)
		}
	}
	return r, nil
}

// Named tells whether the range has a bound.
func (r Range) Named() bool { return r != Range{} }

// Has tells whether the release is in the range. A bound of fewer numbers stands for its whole series: 0.10.2 is until 0.10.
func (r Range) Has(release string) bool {
	v := parseVersion(release).numbers
	order := func(bound string) int {
		b := parseVersion(bound).numbers
		return slices.Compare(v[:min(len(v), len(b))], b)
	}
	return (r.From == "" || order(r.From) >= 0) && (r.To == "" || order(r.To) <= 0)
}
