package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The releases of JAX that pages are asked of: all of the newest, and of the older one those that name versions.
const (
	Newest = "0.12.0.1"
	Older  = "0.10.2"
)

// A Range of JAX releases; the zero Range is all of them.
type Range struct {
	From, To string // first and last release, each a prefix such as 0.10; empty: no bound
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
		if v != "" && numbers(v) == nil {
			return r, fmt.Errorf("not a JAX version: %s", v)
		}
	}
	return r, nil
}

// Named tells whether the range has a bound, which is a claim about other releases too.
func (r Range) Named() bool { return r != Range{} }

// Has tells whether the release is in the range.
func (r Range) Has(release string) bool {
	v := numbers(release)
	prefix := func(bound string) []int { return v[:min(len(v), len(numbers(bound)))] }
	return (r.From == "" || slices.Compare(prefix(r.From), numbers(r.From)) >= 0) &&
		(r.To == "" || slices.Compare(prefix(r.To), numbers(r.To)) <= 0)
}

// numbers splits 0.12.0.1 at the dots; nil when it is no version.
func numbers(version string) []int {
	var out []int
	for _, part := range strings.Split(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}
