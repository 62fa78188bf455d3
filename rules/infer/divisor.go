package infer

import "regexp"

// rawAtom are the unknowns of which the compiler knows no divisor: the place in the grid, and numbers that were loaded.
var rawAtom = regexp.MustCompile(`^(program_id\(\d+\)|\w+\[\]\x00\d+)$`)

// Unproven reports whether n is certainly a sum of which Mosaic can't prove that d divides it: it looks at each term, and knows divisors of
// constants, of what is multiplied by them and of pl.multiple_of. It is false where n holds unknowns of another kind.
func (n *Int) Unproven(d int64) bool {
	if n == nil || len(n.Terms) == 0 {
		return false
	}
	bad := n.Const%d != 0
	for _, t := range n.Terms {
		if !rawAtom.MatchString(t.Atom) {
			return false
		}
		bad = bad || t.Coef%d != 0
	}
	return bad
}
