package infer

// Values that hold others are walked by many: joined, compared, copied, written. A list may hold itself, and a tuple made of one thing
// twice, sixty times over, holds 2**60 things. What is too heavy for any such walk never gets into a cell: it is unknown.

const (
	maxWeight  = 10_000 // values that one value may hold, each counted as often as it is reached
	maxNesting = 100    // values inside each other
	freeWeight = 64     // values that are weighed without a step
)

// heavy reports whether a value holds too much. The weighing is paid for in steps.
func (ip *interp) heavy(v Value) bool {
	s := scales{left: maxWeight}
	s.add(v, maxNesting)
	ip.steps += (maxWeight - max(s.left, 0)) / freeWeight
	return s.left < 0
}

// scales count what a value holds.
type scales struct{ left int }

func (s *scales) add(v Value, depth int) {
	s.left--
	if depth == 0 {
		s.left = -1
	}
	if s.left < 0 {
		return
	}
	switch v := v.(type) {
	case *Tuple:
		s.addAll(v.Head, depth)
		s.addAll(v.Tail, depth)
		if v.Rest != nil {
			s.add(v.Rest, depth-1)
		}
	case *List:
		s.add(v.cell.v, depth-1)
	case *Dict:
		s.add(v.cell.v, depth-1)
	case *dictContent:
		s.addAll(v.keys, depth)
		s.addAll(v.vals, depth)
	case *Union:
		s.addAll(v.Alts, depth)
	case *Partial:
		s.add(v.Fn, depth-1)
		s.addArgs(v.Arg, depth)
	case *Bound:
		s.add(v.Fn, depth-1)
		s.add(v.Self, depth-1)
	case *Method:
		s.add(v.Self, depth-1)
	case *Wrapped:
		s.add(v.Fn, depth-1)
	case *Iter:
		s.add(v.seq, depth-1)
	}
}

func (s *scales) addAll(list []Value, depth int) {
	for _, v := range list {
		if s.left < 0 {
			return
		}
		s.add(v, depth-1)
	}
}

func (s *scales) addArgs(list Args, depth int) {
	for i := range list {
		if s.left < 0 {
			return
		}
		s.add(list[i].Value, depth-1)
	}
}
