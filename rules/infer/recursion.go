package infer

// mayRecur: the function is not inside itself too often, or its calls go down to an end: each gets less of something than the one around it,
// such as the rest of a tuple of conditions.
func (ip *interp) mayRecur(f *Func, args Args) bool {
	around := ip.active[f.Def]
	return f.Def == nil || len(around) < maxRecursion || descends(around[len(around)-1], args)
}

// descends: an argument is a shorter sequence, or a smaller number that is still positive.
func descends(from, to Args) bool {
	for i := range min(len(from), len(to)) {
		if from[i].Star != 0 || to[i].Star != 0 || from[i].Name != to[i].Name {
			return false
		}
		a, b := extent(from[i].Value), extent(to[i].Value)
		if b >= 0 && b < a {
			return true
		}
	}
	return false
}

// extent is the length of a sequence or the value of a number, -1 where it is not known.
func extent(v Value) int64 {
	if t := contentOf(v); t != nil {
		if n, known := t.Len(); known {
			return int64(n)
		}
		return -1
	}
	if n, ok := v.(*Int); ok {
		if k, known := n.Known(); known {
			return k
		}
	}
	return -1
}
